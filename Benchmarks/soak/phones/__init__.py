"""Phones that the soak models by itself: what they hold, what their OS lists, what their app says of it."""
