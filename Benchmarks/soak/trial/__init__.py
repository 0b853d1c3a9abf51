"""What is done to the service while the phones send, and what must hold of it afterwards."""
