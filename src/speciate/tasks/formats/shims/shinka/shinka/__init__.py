"""What a ShinkaEvolve evaluation script imports, as far as an evaluation needs it."""
