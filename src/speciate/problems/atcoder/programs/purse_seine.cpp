// A polygon of grid cells, grown and shrunk cell by cell by simulated annealing.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <utility>
#include <vector>

#ifndef TIME_LIMIT
#define TIME_LIMIT 2.0
#endif

static double used() { return (double)clock() / CLOCKS_PER_SEC; }

static uint64_t state = 88172645463325252ULL;
static uint64_t next_random() {
    state ^= state << 7;
    state ^= state >> 9;
    return state;
}
static double uniform() { return (next_random() >> 11) * 0x1.0p-53; }

// EVOLVE-BLOCK-START
// Settings of the search.
static const int CELLS = 36;           // cells along a side
static const double HOT = 30.0;        // temperature at the start, in fish
static const double COLD = 3.0;        // and at the end
static const double SHARE = 0.8;       // share of the time limit to use
static const double SARDINE = 1.0;     // what a sardine costs
static const double EDGE_COST = 0.0;   // what a side of a cell costs while the net is hot

// What a cell is worth.
static double worth(int mackerels, int sardines) {
    return mackerels - SARDINE * sardines;
}

// Temperature after a share of the time.
static double temperature(double share) {
    return HOT * std::pow(COLD / HOT, share);
}

// Whether a change of value is taken.
static bool taken(double gain, double sides, double heat) {
    double total = gain - EDGE_COST * sides * heat;
    if (total >= 0) return true;
    return uniform() < std::exp(total / heat);
}
// EVOLVE-BLOCK-END

static const int LIMIT = 400000, SIDE = 100000;
static int cells, width;
static std::vector<char> net;
static std::vector<double> value;
static int at(int x, int y) { return (y + 1) * width + x + 1; }

// Whether the net stays one piece without holes, and nowhere touches itself, when cell c flips.
static bool simple(int c) {
    const int ring[8] = {c - width, c - width + 1, c + 1, c + width + 1, c + width, c + width - 1, c - 1, c - width - 1};
    int changes = 0, sides = 0;
    for (int k = 0; k < 8; k++) {
        changes += net[ring[k]] != net[ring[(k + 1) & 7]];
        if (k % 2 == 0) sides += net[ring[k]];
    }
    return changes == 2 && sides > 0 && sides < 4;
}

static int line(int k) { return (int)((int64_t)k * SIDE / cells); }

// Walks around the net, keeping it on the left hand.
static void print(const std::vector<char>& shape) {
    int sx = -1, sy = -1;
    for (int y = 0; y < cells && sx < 0; y++)
        for (int x = 0; x < cells; x++)
            if (shape[at(x, y)]) { sx = x; sy = y; break; }
    const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    std::vector<std::pair<int, int>> corners;
    int x = sx, y = sy, d = 0;
    corners.push_back({x, y});
    do {
        x += dx[d];
        y += dy[d];
        // The cells ahead: on the left hand and on the right hand of direction d.
        const int lx[4] = {0, -1, -1, 0}, ly[4] = {0, 0, -1, -1};
        const int rx[4] = {0, 0, -1, -1}, ry[4] = {-1, 0, 0, -1};
        bool left = shape[at(x + lx[d], y + ly[d])], right = shape[at(x + rx[d], y + ry[d])];
        int turn = !left ? 1 : right ? 3 : 0;
        if (turn && !(x == sx && y == sy)) corners.push_back({x, y});
        d = (d + turn) % 4;
    } while (!(x == sx && y == sy));
    printf("%zu\n", corners.size());
    for (auto& corner : corners) printf("%d %d\n", line(corner.first), line(corner.second));
}

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    cells = std::min(std::max(CELLS, 2), 250);
    width = cells + 2;
    net.assign(width * width, 0);
    value.assign(width * width, 0);
    std::vector<int> mackerels(width * width, 0), sardines(width * width, 0);
    for (int i = 0; i < 2 * n; i++) {
        int x, y;
        if (scanf("%d %d", &x, &y) != 2) return 1;
        int c = at(std::min(cells - 1, (int)((int64_t)x * cells / SIDE)), std::min(cells - 1, (int)((int64_t)y * cells / SIDE)));
        (i < n ? mackerels : sardines)[c]++;
    }
    for (int c = 0; c < width * width; c++) value[c] = worth(mackerels[c], sardines[c]);
    int start = at(0, 0);
    for (int y = 0; y < cells; y++)
        for (int x = 0; x < cells; x++)
            if (value[at(x, y)] > value[start]) start = at(x, y);
    net[start] = 1;
    const int most = LIMIT / (SIDE / cells + 1);  // sides of cells the net may have
    int sides = 4, size = 1, fish = mackerels[start] - sardines[start], best = fish;
    std::vector<char> champion = net;
    const double end = TIME_LIMIT * std::min(SHARE, 0.9), begin = used();
    double heat = 1;
    for (long step = 0;; step++) {
        if ((step & 255) == 0) {
            double now = used();
            if (now >= end) break;
            heat = std::max(1e-9, temperature((now - begin) / (end - begin)));
        }
        uint64_t r = next_random() >> 16;
        int c = at((int)((r & 0xffff) % cells), (int)((r >> 16 & 0xffff) % cells));
        if (!simple(c)) continue;
        int around = net[c - 1] + net[c + 1] + net[c - width] + net[c + width];
        int longer = net[c] ? 2 * around - 4 : 4 - 2 * around;
        if (sides + longer > most || (net[c] && size == 1)) continue;
        double gain = net[c] ? -value[c] : value[c];
        if (!taken(gain, longer, heat)) continue;
        net[c] ^= 1;
        sides += longer;
        size += net[c] ? 1 : -1;
        fish += (net[c] ? 1 : -1) * (mackerels[c] - sardines[c]);
        if (fish > best) {
            best = fish;
            champion = net;
        }
    }
    print(champion);
}
