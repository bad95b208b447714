"""The constructions that come with symut; each file is one construction with its theorems and its citation."""
