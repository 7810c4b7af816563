"""Features of the C library: functions that write to where a pointer leads, strings, numbers."""

from __future__ import annotations

from native_semantics.feature import Feature, feature

LIBRARY: tuple[Feature, ...] = (
    feature(
        "mathematics",
        "static double r0, r1;\nstatic int exponent;",
        """
        r0 = frexp(@v, &exponent);
        r0 = modf(@v + 0.5, &r1);
        frexp(2 + g0, &exponent);
        @x = lround(r1 * 2);
        @x = exponent;
        exponent = @v;
        r1 = @v;
        """,
        "(long)(r0 * 16); (long)(r1 * 2); exponent",
    ),
    feature(
        "clocks",
        "static time_t now = -1;\nstatic struct timespec spec = {-1, -1};",
        """
        time(&now);
        { time_t t = time(&now); @x = t == now; }
        @x = now < 0;
        now = -1;
        clock_gettime(CLOCK_REALTIME, &spec);
        @x = (spec.tv_sec < 0) + 2 * (spec.tv_nsec < 0);
        spec.tv_sec = spec.tv_nsec = -1;
        """,
        "now < 0; spec.tv_sec < 0; spec.tv_nsec < 0",
    ),
    feature(
        "cancellation",
        "static int before = 7;",
        """
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
        pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before);
        @x = before;
        before = @v + 10;
        """,
        "before",
    ),
    feature(
        "thread_attributes",
        "static pthread_attr_t at;\nstatic int detached = 7;\nstatic size_t size;",
        """
        pthread_attr_getdetachstate(&at, &detached);
        pthread_attr_setdetachstate(&at, PTHREAD_CREATE_DETACHED);
        pthread_attr_setdetachstate(&at, PTHREAD_CREATE_JOINABLE);
        @x = detached;
        detached = @v + 10;
        pthread_attr_setstacksize(&at, 65536 * (size_t)@v);
        pthread_attr_getstacksize(&at, &size);
        pthread_attr_getscope(&at, &detached);
        pthread_attr_getinheritsched(&at, &detached);
        """,
        "detached; size",
        "pthread_attr_init(&at); pthread_attr_setstacksize(&at, 65536);",
    ),
    feature(
        "lock_attributes",
        "static pthread_mutexattr_t ma;\nstatic int kind = 7;",
        """
        pthread_mutexattr_gettype(&ma, &kind);
        pthread_mutexattr_settype(&ma, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutexattr_settype(&ma, PTHREAD_MUTEX_ERRORCHECK);
        pthread_mutexattr_getpshared(&ma, &kind);
        @x = kind;
        kind = @v + 10;
        """,
        "kind",
        "pthread_mutexattr_init(&ma);",
    ),
    feature(
        "scanning",
        'static int i0, i1 = 3;\nstatic char word[8] = "ab";',
        """
        sscanf("@v @v", "%d %d", &i0, &i1);
        @x = sscanf("@v x", "%d %d", &i0, &i1);
        @x = sscanf(word, "%d", &i0);
        sscanf("@v yz", "%d %3s", &i0, word);
        word[0] = '@v';
        i1 = i0;
        @x = 10 * i0 + i1;
        """,
        "i0; i1; word[0]; word[1]; word[2]",
    ),
    feature(
        "printing",
        'static char line[8] = "0";',
        """
        sprintf(line, "%d", 10 * @v + @v);
        @x = sprintf(line, "%d", g0);
        @x = snprintf(line, 3, "%d%d", @v, g1);
        sprintf(line, "%s", "@v@v");
        line[1] = '@v';
        @x = line[0] + 1000 * line[1];
        @x = line[2];
        """,
        "line[0]; line[1]; line[2]; line[3]",
    ),
    feature(
        "numbers",
        'static char digits[4] = "12";\nstatic char *end = digits;',
        """
        @x = strtol(digits, &end, 10);
        @x = strtol("@v@v-", &end, 10) + *end;
        digits[@v & 1] = '@v';
        digits[1] = 0;
        @x = atoi(digits);
        @x = *end;
        end = digits;
        """,
        "digits[0]; digits[1]; *end",
    ),
    feature(
        "strings",
        'static char text[8] = "one", copy[8];',
        """
        strcpy(copy, text);
        strcpy(text, "@v@v");
        @x = strlen(text);
        @x = strcmp(text, copy) == 0;
        text[@v & 1] = 0;
        text[@v & 1] = '@v';
        { char *s = strdup(text); @x = s[0]; free(s); }
        { char *s = strchr(text, '@v'); @x = s ? s - text : -1; }
        """,
        "text[0]; text[1]; text[2]; copy[0]; copy[1]; copy[2]",
    ),
    feature(
        "moving",
        "static long row[4] = {1, 2, 3, 4}, other[4] = {5, 6, 7, 8};",
        """
        memmove(row, row + 1, 3 * sizeof *row);
        memmove(row + 1, row, 3 * sizeof *row);
        memcpy(row, other, sizeof row);
        memcpy(other, row, 2 * sizeof *row);
        memset(row, 0, 2 * sizeof *row);
        row[@i] = @v;
        @x = row[@i];
        @x = memcmp(row, other, sizeof row) == 0;
        """,
        "row[0]; row[1]; row[2]; row[3]; other[0]; other[1]; other[2]; other[3]",
    ),
    feature(
        "sorting",
        """
static int list[3] = {3, 1, 2};
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
""",
        """
        @x = abs(list[@v & 1] - 5);
        { int m[3]; memcpy(m, list, 12); qsort(m, 3, 4, by_value); @x = m[0] + 10 * m[1]; }
        list[@v & 1] = @v;
        { div_t d = div(list[0], 2); @x = d.quot + 10 * d.rem; }
        """,
        "list[0]; list[1]; list[2]",
    ),
)
