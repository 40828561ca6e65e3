# EVOLVE-BLOCK-START
first = 0.9
second = 0.8
third = 0.7
# EVOLVE-BLOCK-END
