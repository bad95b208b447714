"""Emission: a backbone as a standalone torch module, `model.py`, with its weights, `weights.safetensors`.

Main definitions: `emit`, `predicted_bytes`, `routing_file`, `fit`.  Nothing here imports torch; the source does.
"""

from symut.emitter.build import emit, predicted_bytes
from symut.emitter.fit import Fit, fit
from symut.emitter.weights import routing_file

__all__ = ["Fit", "emit", "fit", "predicted_bytes", "routing_file"]
