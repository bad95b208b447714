"""Embedding-only training: what a fixed backbone learns when only E, P and U are trained, beside honest baselines.

Main definitions: `symut.experiment.tasks` (streams and baselines), `symut.experiment.models` (backbones),
`symut.experiment.running` (one run and one cell), `symut.experiment.table` and `symut.experiment.plots`.
Importing this package loads neither torch nor numpy.
"""
