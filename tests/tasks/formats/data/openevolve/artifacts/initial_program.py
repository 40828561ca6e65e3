# EVOLVE-BLOCK-START
def words():
    return ["one", "two", "three"] * 1


# EVOLVE-BLOCK-END
