"""Functions with the signatures of other packages."""
