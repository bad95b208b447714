"""The search for the least width that matches attention at d = 1: bounds with certificates, solvers, and a table."""
