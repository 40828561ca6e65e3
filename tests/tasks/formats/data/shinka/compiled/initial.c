#include <math.h>
#include <stdio.h>

// EVOLVE-BLOCK-START
static double guess(double x) { return 0.5 + 0.5 * x; }
// EVOLVE-BLOCK-END

int main(void) {
    double worst = 0;
    for (int i = 0; i <= 100; i++) worst = fmax(worst, fabs(guess(i / 100.0) - sqrt(i / 100.0)));
    printf("%.12g\n", worst);
}
