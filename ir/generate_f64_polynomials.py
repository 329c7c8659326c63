#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints the constants of ir/derived_f64_*.cc: Chebyshev fits, rounded to f64, and their errors.

    ir/generate_f64_polynomials.py

Needs mpmath. Each polynomial approximates the tail of a function after its exact leading terms, so
an error in it counts by the weight of the tail: the last number printed is the error of the whole
function, relative to the result, as a power of two.
"""
import mpmath as mp

mp.mp.dps = 80


def fit(name, f, low, high, degree, weight):
    """f is fitted on [low, high]; weight(x) is what f(x) adds to the result, over f(x) and it."""
    coefficients = [float(c) for c in mp.chebyfit(f, [low, high], degree + 1)]
    worst = mp.mpf(0)
    for i in range(1, 1999):
        x = low + (high - low) * mp.mpf(i) / 1999
        error = abs((mp.polyval([mp.mpf(c) for c in coefficients], x) - f(x)) * weight(x))
        worst = max(worst, error)
    print(f"{name}: degree {degree}, error 2^{mp.nstr(mp.log(worst, 2), 4)}")
    for c in coefficients:
        print(f"    {c.hex()},")


def pair(name, value, bits=53):
    """A constant as the sum of two f64, the first one of that many bits."""
    exponent = int(mp.floor(mp.log(abs(value), 2)))
    scale = mp.mpf(2) ** (bits - 1 - exponent)
    high = mp.nint(value * scale) / scale
    print(f"{name}: {float(high).hex()}, {float(value - high).hex()}")


def root(z):
    return mp.sqrt(abs(z))


def main():
    half_ln2 = mp.log(2) / 2
    # e^r = 1 + r + r^2 / 2 + r^3 p(r)
    fit("exp", lambda r: (mp.exp(r) - 1 - r - r * r / 2) / r**3, -half_ln2 * 1.001,
        half_ln2 * 1.001, 9, lambda r: r**3 / mp.exp(r))
    # sinh x = x + x z p(z), z = x^2
    fit("sinh", lambda z: (mp.sinh(root(z)) / root(z) - 1) / z, mp.mpf(0), mp.mpf("0.3401")**2, 5,
        lambda z: z)
    # log((1 + s) / (1 - s)) = 2 s + s z p(z), z = s^2
    s = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)
    fit("log", lambda z: (2 * mp.atanh(root(z)) / root(z) - 2) / z, mp.mpf(0), s * s * 1.0001, 7,
        lambda z: z / 2)
    quarter = mp.pi / 4
    # sin r = r + r z (p(z) z - 1 / 6), cos r = 1 - z / 2 + z^2 p(z), z = r^2
    fit("sin", lambda z: ((mp.sin(root(z)) / root(z) - 1) / z + mp.mpf(1) / 6) / z, mp.mpf(0),
        quarter**2 * 1.0001, 5, lambda z: z**2)
    fit("cos", lambda z: (mp.cos(root(z)) - 1 + z / 2) / z**2, mp.mpf(0), quarter**2 * 1.0001, 6,
        lambda z: z**2)
    # atan t = t + t z p(z), asin t = t + t z p(z), z = t^2
    fit("atan", lambda z: (mp.atan(root(z)) / root(z) - 1) / z, mp.mpf(0),
        mp.mpf(7) / 16 * mp.mpf(7) / 16 * 1.0001, 11, lambda z: z)
    fit("asin", lambda z: (mp.asin(root(z)) / root(z) - 1) / z, mp.mpf(0), mp.mpf("0.25001"), 12,
        lambda z: z)
    pair("ln 2, 40 bits", mp.log(2), 40)
    pair("ln 2", mp.log(2))
    pair("1 / ln 2", 1 / mp.log(2))
    pair("pi / 2", mp.pi / 2)
    pair("-1 / 6", mp.mpf(-1) / 6)
    for c in ("0.5", "1", "1.5"):
        pair(f"atan {c}", mp.atan(mp.mpf(c)))
    # 2 / pi as a fraction after 65 zero bits, in words of 64 bits.
    mp.mp.dps = 500
    bits = int(mp.floor(2 / mp.pi * mp.mpf(2) ** (64 * 19 - 65)))
    print("2 / pi:")
    for i in range(19):
        print(f"    0x{(bits >> (64 * (18 - i))) & (2**64 - 1):016X},")


if __name__ == "__main__":
    main()
