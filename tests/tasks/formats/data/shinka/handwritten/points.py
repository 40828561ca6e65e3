def read_points(path):
    with open(path) as file:
        return [tuple(float(word) for word in line.split(",")) for line in file]


def worst(function, points):
    return max(abs(function(x) - y) for x, y in points)
