"""The abstract reachability tree: nodes, labels, steps, covers, fairness."""
