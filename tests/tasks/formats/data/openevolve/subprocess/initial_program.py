# EVOLVE-BLOCK-START
def spread(count):
    return [0.5 + 0.1 * number for number in range(count)]


# EVOLVE-BLOCK-END


def run():
    return spread(4)
