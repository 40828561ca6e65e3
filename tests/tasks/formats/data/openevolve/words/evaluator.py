def evaluate(program_path):
    with open(program_path) as file:
        words = file.read().split()
    return {"combined_score": len(set(words)) / (1 + abs(len(words) - 8))}
