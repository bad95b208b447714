"""Emission: a backbone as a standalone torch module, `model.py`, with its weights, `weights.safetensors`.

Main definitions: `emit`, `emit_form`, `predicted_bytes`, `routing_file`, `fit`.  Nothing here imports torch; the source
does.
"""

from symut.emitter.build import emit, emit_form, predicted_bytes
from symut.emitter.fit import Fit, fit
from symut.emitter.weights import routing_file

__all__ = ["Fit", "emit", "emit_form", "fit", "predicted_bytes", "routing_file"]
