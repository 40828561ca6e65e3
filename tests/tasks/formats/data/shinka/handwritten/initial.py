# EVOLVE-BLOCK-START
def guess(x):
    return 0.5 + 0.5 * x
# EVOLVE-BLOCK-END
