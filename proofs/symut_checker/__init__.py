"""The independent checker: one file per rule or family of goals, standard library only.

`verdict` judges an artifact; it looks a statement's goal up in `goals`.  Each goal (goal.py) says how to read its
parameters and its certificate, which sentences they determine, and which rules must accept.  FORMAT.md specifies all of
it and says why each rule suffices.  Nothing here is shared with symut, and nothing here builds a construction.
"""
