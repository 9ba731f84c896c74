"""The coefficients of the polynomials in src/kernels/elementwise, by Remez' exchange algorithm.

    /usr/bin/python3 tools/extract/minimax.py [part of a name]     (needs python3-mpmath)

Each row is a function of one variable on an interval, a degree, a format to round to, and a weight: the largest |weight *
(polynomial - function)| is as small as it can be, and is printed beside the coefficients, which start with the constant one.
The error is that of the rounded coefficients.
"""

import sys

from mpmath import mp, mpf, matrix, lu_solve, exp, log, sqrt, sin, cos, atan, erf, erfc, pi, cosh

mp.dps = 80


def rounded(value, bits):
    """The nearest number with so many bits of precision."""
    with mp.workprec(bits):
        return +mpf(value)


def fit(function, low, high, powers, weight):
    """The combination of `powers` with the smallest error, and that error."""
    count = len(powers) + 1
    points = [(low + high) / 2 + (high - low) / 2 * mp.cos(pi * (2 * i + 1) / (2 * count)) for i in range(count)][::-1]
    grid = [low + (high - low) * (1 - mp.cos(pi * i / (40 * count))) / 2 for i in range(40 * count + 1)]
    values = [(x, function(x), weight(x)) for x in grid]
    for _ in range(30):
        system, right = matrix(count, count), matrix(count, 1)
        for row, x in enumerate(points):
            for column, power in enumerate(powers):
                system[row, column] = x**power
            system[row, count - 1] = (-1) ** row / weight(x)
            right[row] = function(x)
        solution = lu_solve(system, right)
        coefficients = [solution[i] for i in range(count - 1)]
        errors = [(w * (sum(c * x**p for c, p in zip(coefficients, powers)) - f), x) for x, f, w in values]
        # The largest error of each run of one sign.
        peaks = []
        for error in errors:
            if peaks and (peaks[-1][0] < 0) == (error[0] < 0):
                peaks[-1] = max(peaks[-1], error, key=lambda one: abs(one[0]))
            else:
                peaks.append(error)
        while len(peaks) > count:
            peaks.pop(0 if abs(peaks[0][0]) < abs(peaks[-1][0]) else -1)
        worst = max(abs(error) for error, _ in errors)
        if len(peaks) < count or worst < abs(solution[count - 1]) * mpf("1.01"):
            break
        points = [x for _, x in peaks]
    return coefficients, worst


def coefficients_of(function, low, high, degree, bits, weight):
    low, high = mpf(low), mpf(high)
    found, _ = fit(function, low, high, range(degree + 1), lambda x: max(weight(x), mpf("1e-5")))
    found = [rounded(c, bits) for c in found]
    grid = [low + (high - low) * i / 1000 for i in range(1001)]
    return found, max(abs(weight(x) * (sum(c * x**i for i, c in enumerate(found)) - function(x))) for x in grid)


def exp_rest(r):
    """(exp(r) - 1 - r) / r^2"""
    return (exp(r) - 1 - r) / r**2


def log_rest(z):
    """With s = sqrt(z): (log((1 + s) / (1 - s)) - 2 s) / s^3"""
    s = sqrt(z)
    return (2 * mp.atanh(s) - 2 * s) / s**3


def log_tail(z):
    """log_rest without its first term: (log_rest(z) - 2 / 3) / z"""
    return (log_rest(z) - mpf(2) / 3) / z


def log2_slope(z):
    """With s = sqrt(z): log2((1 + s) / (1 - s)) / s"""
    s = sqrt(z)
    return 2 * mp.atanh(s) / s / log(mpf(2))


def sin_rest(z):
    """(sin(r) - r) / r^3"""
    return (sin(sqrt(z)) - sqrt(z)) / sqrt(z) ** 3


def cos_rest(z):
    """(cos(r) - 1 + r^2 / 2) / r^4"""
    return (cos(sqrt(z)) - 1 + z / 2) / z**2


def atan_rest(z):
    """(atan(x) - x) / x^3"""
    return (atan(sqrt(z)) - sqrt(z)) / sqrt(z) ** 3


def erf_slope(z):
    """erf(x) / x"""
    return erf(sqrt(z)) / sqrt(z)


tail_center = mpf(4)


def erfc_tail(y):
    """(1 + 2 t) exp(t^2) erfc(t), where y = (t - center) / (t + center)"""
    t = tail_center * (1 + y) / (1 - y)
    return (1 + 2 * t) * exp(t * t) * erfc(t)


def normal_tail(u):
    """The normal distribution of -m over exp(-m^2 / 2) / (m + 1), where u = (m - 3) / (m + 3.5)"""
    m = (3 + mpf("3.5") * u) / (1 - u)
    t = m / sqrt(mpf(2))
    return exp(t * t) * erfc(t) / 2 * (m + 1)


def erfc_slope(t):
    """-log(erfc(t)) / t - 1"""
    return -log(erfc(t)) / t - 1


half_ln2 = log(mpf(2)) / 2 * mpf("1.0001")
tiny = mpf("1e-12")
log_end = ((sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)) ** 2
quarter = (pi / 4) ** 2 * mpf("1.0001")

rows = {
    # name: function, low, high, degree, bits, weight
    "expm1 float": (exp_rest, -half_ln2 - tiny, half_ln2, 4, 24, abs),
    "exp short": (exp_rest, -half_ln2 - tiny, half_ln2, 4, 53, lambda r: r * r / exp(r)),
    "exp double": (exp_rest, -half_ln2 - tiny, half_ln2, 9, 53, abs),
    "log float": (log_rest, tiny, log_end, 2, 24, lambda z: z),
    "log1p float": (log_rest, tiny, mpf(1) / 9, 4, 24, lambda z: z),
    "log double": (log_rest, tiny, log_end, 6, 53, lambda z: z),
    "log2 short": (log2_slope, tiny, log_end, 4, 53, lambda z: 1),
    "log tail": (log_tail, tiny, log_end, 6, 53, lambda z: z),
    "sin float": (sin_rest, tiny, quarter, 2, 24, lambda z: z),
    "sin double": (sin_rest, tiny, quarter, 5, 53, lambda z: z),
    "cos float": (cos_rest, tiny, quarter, 2, 24, lambda z: z * z / cos(sqrt(z))),
    "cos double": (cos_rest, tiny, quarter, 5, 53, lambda z: z * z / cos(sqrt(z))),
    "atan double": (atan_rest, tiny, (sqrt(mpf(2)) - 1) ** 2, 10, 53, lambda z: z),
    "erf double": (erf_slope, tiny, mpf(1), 11, 53, lambda z: 1),
    "erfc double": (erfc_tail, mpf(-1), (mpf(28) - tail_center) / (mpf(28) + tail_center), 23, 53, lambda y: 1),
    "normal float": (normal_tail, -3 / mpf("3.5"), mpf("11.5") / 18, 10, 24, lambda u: 1 / normal_tail(u)),
    "erf float": (erfc_slope, tiny, mpf("4.1"), 8, 24, lambda t: t * erfc(t) / erf(t)),
}

if __name__ == "__main__":
    for name, row in rows.items():
        if len(sys.argv) > 1 and sys.argv[1] not in name:
            continue
        found, error = coefficients_of(*row)
        suffix = "F" if row[4] == 24 else ""
        print(f"{name}: error {mp.nstr(error, 3)}, 2^{mp.nstr(mp.log(error, 2), 4)}")
        print("  " + ", ".join(float(c).hex() if row[4] == 53 else mp.nstr(c, 10) + suffix for c in found))
