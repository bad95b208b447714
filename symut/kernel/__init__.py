"""The Coq kernel on one instance: its text, the compiled library of general theorems, and the kernel's answer."""
