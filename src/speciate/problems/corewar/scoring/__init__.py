"""What a battle is worth: protocols over the simulator's counts."""
