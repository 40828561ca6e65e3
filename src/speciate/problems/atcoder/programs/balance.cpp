// Sorts the items as far as the balance may be asked, guesses weights from their order, divides greedily, and
// then exchanges items between heavy and light groups wherever the balance says that it helps.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <numeric>
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

static int n, d, q, asked = 0;

// Asks the balance: -1 the left is lighter, 0 equal, 1 heavier; 2 when no question is left.
static int weigh(const std::vector<int>& left, const std::vector<int>& right) {
    if (left.empty() || right.empty()) return left.empty() ? (right.empty() ? 0 : -1) : 1;
    if (asked >= q) return 2;
    asked++;
    printf("%zu %zu", left.size(), right.size());
    for (int item : left) printf(" %d", item);
    for (int item : right) printf(" %d", item);
    printf("\n");
    fflush(stdout);
    char sign[4];
    if (scanf("%3s", sign) != 1) return 2;
    return sign[0] == '<' ? -1 : sign[0] == '>' ? 1 : 0;
}

static signed char cache[100][100];  // of single items: 3 for not known
static int compare(int a, int b) {
    if (a == b) return 0;
    if (cache[a][b] == 3) {
        int found = weigh({a}, {b});
        if (found == 2) return 2;
        cache[a][b] = found;
        cache[b][a] = -found;
    }
    return cache[a][b];
}

// EVOLVE-BLOCK-START
static const double SORTING = 0.4;  // share of the questions that may go into sorting single items
static const double TARGET = 0.2;   // share of the guessed gap between two groups that an exchange should move
static const double DRIFT = 0.0;    // how far the guess of a gap is corrected when the balance disagrees
static const double MOVES = 0.1;    // share of exchanges that move one item and bring none back
static const int TRIES = 10;        // exchanges that are looked at before one is asked about
static const int DEPTH = 1;         // how many of the heaviest and lightest groups take part

// Guessed weight of the item of a rank (0 is the lightest) among count items, as a multiple of the mean.
static double guess(int rank, int count) {
    double sum = 0;
    for (int j = 0; j <= rank; j++) sum += 1.0 / (count - j);
    return sum;
}

// How well an exchange that moves `moved` fits a gap; the smallest is asked about.
static double misfit(double moved, double gap) {
    return std::fabs(moved - TARGET * gap);
}
// EVOLVE-BLOCK-END

static std::vector<int> sorted;        // items, the lightest first, as far as known
static std::vector<double> weight;     // guessed
static std::vector<std::vector<int>> groups;
static std::vector<int> order;         // groups, the lightest first

static double total(int g) {
    double sum = 0;
    for (int item : groups[g]) sum += weight[item];
    return sum;
}

// Puts group g into the order by asking; false when no question is left.
static bool place(int g) {
    int low = 0, high = (int)order.size();
    while (low < high) {
        int middle = (low + high) / 2, found = weigh(groups[order[middle]], groups[g]);
        if (found == 2) { order.insert(order.begin() + low, g); return false; }
        if (found < 0) low = middle + 1; else high = middle;
    }
    order.insert(order.begin() + low, g);
    return true;
}

int main() {
    if (scanf("%d %d %d", &n, &d, &q) != 3) return 1;
    for (auto& row : cache) std::fill(std::begin(row), std::end(row), 3);
    // Binary insertion; when its share of the questions is spent, the rest stands in the middle.
    std::vector<int> rest;
    const int share = (int)(q * std::min(std::max(SORTING, 0.0), 1.0));
    for (int item = 0; item < n; item++) {
        if (asked + std::log2(sorted.size() + 1.0) > share) { rest.push_back(item); continue; }
        int low = 0, high = (int)sorted.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (compare(sorted[middle], item) < 0) low = middle + 1; else high = middle;
        }
        sorted.insert(sorted.begin() + low, item);
    }
    weight.assign(n, 1.0);
    for (int k = 0; k < (int)sorted.size(); k++) weight[sorted[k]] = guess(k, (int)sorted.size());
    std::vector<int> items(n);
    std::iota(items.begin(), items.end(), 0);
    std::sort(items.begin(), items.end(), [](int a, int b) { return weight[a] > weight[b]; });
    groups.assign(d, {});
    std::vector<double> sums(d, 0);
    for (int item : items) {
        int lightest = (int)(std::min_element(sums.begin(), sums.end()) - sums.begin());
        groups[lightest].push_back(item);
        sums[lightest] += weight[item];
    }
    bool more = true;
    for (int g = 0; g < d && more; g++) more = place(g);
    const double end = TIME_LIMIT * 0.8;
    int depth = std::max(1, std::min(DEPTH, d / 2));
    double correction = 1;
    for (long step = 0; more && asked < q && used() < end && step < 200000; step++) {
        int low = order[(int)(uniform() * depth)], high = order[d - 1 - (int)(uniform() * depth)];
        double gap = std::max(0.02, (total(high) - total(low)) * correction), best = 1e18;
        int out = -1, back = -1;
        for (int k = 0; k < TRIES && k < 1000; k++) {
            if (groups[high].empty()) break;
            int a = groups[high][(int)(uniform() * groups[high].size())], b = -1;
            if (!groups[low].empty() && uniform() >= MOVES) b = groups[low][(int)(uniform() * groups[low].size())];
            double moved = weight[a] - (b >= 0 ? weight[b] : 0);
            if (moved <= 0) continue;
            double fit = misfit(moved, gap);
            if (fit < best) { best = fit; out = a; back = b; }
        }
        if (out < 0) continue;
        if (back >= 0 && compare(back, out) >= 0) continue;
        // The exchange helps if the heavy group without what it gives outweighs the light one without what it gives.
        std::vector<int> heavy = groups[high], light = groups[low];
        heavy.erase(std::find(heavy.begin(), heavy.end(), out));
        if (back >= 0) light.erase(std::find(light.begin(), light.end(), back));
        int found = weigh(heavy, light);
        if (found == 2) break;
        if (found <= 0) { correction *= 1 - DRIFT; continue; }
        correction = 1;
        if (back >= 0) heavy.push_back(back);
        light.push_back(out);
        groups[high] = heavy;
        groups[low] = light;
        order.erase(std::find(order.begin(), order.end(), high));
        order.erase(std::find(order.begin(), order.end(), low));
        more = place(low);
        more = place(high) && more;
    }
    while (asked < q) weigh({0}, {1});  // the rules want them all
    std::vector<int> answer(n, 0);
    for (int g = 0; g < d; g++)
        for (int item : groups[g]) answer[item] = g;
    for (int item = 0; item < n; item++) printf("%d%c", answer[item], item + 1 < n ? ' ' : '\n');
}
