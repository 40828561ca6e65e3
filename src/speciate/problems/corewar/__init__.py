"""Core War: programs that fight for the memory of a simulated computer."""
