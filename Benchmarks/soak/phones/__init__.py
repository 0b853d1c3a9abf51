"""Phones that the soak models independently: what they hold, what their OS lists, and what their app reports."""
