import os


# EVOLVE-BLOCK-START
def square(seed):
    return 3 * seed


# EVOLVE-BLOCK-END


class Answer:
    def __init__(self, value, process):
        self.value = value
        self.process = process


def answer(seed):
    return Answer(square(seed), os.getpid())
