"""Ways from a client to a fake in one process, and the loop on which time is virtual."""
