"""Places intervals on a line so that they cover as much as possible and do not overlap."""

import numpy as np


# EVOLVE-BLOCK-START
def place(count):
    centres = np.linspace(0.1, 0.9, count)
    widths = np.full(count, 0.5 / count)
    return centres, widths


# EVOLVE-BLOCK-END


def run_placing(count):
    centres, widths = place(count)
    return centres, widths, float(np.sum(widths))
