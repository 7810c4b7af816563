"""The real machine as a second semantics of threaded C, to compare the model with.

Random programs are compiled without optimisation and stepped through instruction by instruction, in
random interleavings; every outcome that shows up must be one that the model predicts.
"""
