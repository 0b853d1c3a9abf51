"""The faults while the phones send, and the checks afterwards."""
