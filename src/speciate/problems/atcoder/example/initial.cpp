// Puts each parcel into the first box with room.
#include <cstdio>
#include <vector>

// EVOLVE-BLOCK-START
static bool fits(int weight, int room, int capacity) {
    return weight <= room && room - weight <= capacity;
}
// EVOLVE-BLOCK-END

int main() {
    int n, capacity;
    if (scanf("%d %d", &n, &capacity) != 2) return 1;
    std::vector<int> room;
    for (int i = 0; i < n; i++) {
        int weight, box = 0;
        if (scanf("%d", &weight) != 1) return 1;
        while (box < (int)room.size() && !fits(weight, room[box], capacity)) box++;
        if (box == (int)room.size()) room.push_back(capacity);
        room[box] -= weight;
        printf("%d%c", box, i + 1 < n ? ' ' : '\n');
    }
}
