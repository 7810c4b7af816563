/* Types that gcc has built in and clang has not: a file that gcc preprocessed may use them. */
typedef float _Float32;
typedef double _Float64;
typedef double _Float32x;
typedef long double _Float64x;
typedef __float128 _Float128;
