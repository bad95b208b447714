"""Transformer encoders with explicit weights and average-hard attention, run exactly over the rationals."""
