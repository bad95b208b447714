"""Standalone torch modules of compiled RASP programs: weights.safetensors and model.py, the same bytes every time."""
