def to_svg(g): return ''
