"""From RASP to an encoder: ranges of values, what has no encoder, gates and heads with explicit weights."""
