"""Small random threaded C programs, to check verification against something much simpler.

Every verdict must agree with the exhaustive engine and with a game solved on the concrete states,
and every schedule that is yielded must stand the check of tests/verifier/game.
The complete tree must have every state in which a program can end, whatever its reductions leave
out on the way.
"""
