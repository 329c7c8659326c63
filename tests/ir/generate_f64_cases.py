#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints tests/ir/f64_cases.inc: inputs of the f64 functions with their exact results.

    tests/ir/generate_f64_cases.py > tests/ir/f64_cases.inc

Needs mpmath. A case is the bits of an input, those of the correctly rounded result, and how far the
exact result is from that, in 1/128 of the distance between neighbours.
"""
import random
import struct
from fractions import Fraction

import mpmath as mp

# Enough for an angle of 2^1024 to keep some 200 bits after its reduction.
mp.mp.prec = 1400

INFINITY = float("inf")
NAN_BITS = 0x7FF8000000000000
SMALLEST = 2.0**-1074
LARGEST = float.fromhex("0x1.fffffffffffffp+1023")


def bits(x):
    return NAN_BITS if x != x else struct.unpack("<Q", struct.pack("<d", x))[0]


def number(pattern):
    return struct.unpack("<d", struct.pack("<Q", pattern))[0]


def step(x, count):
    """The float that many bit patterns further from zero."""
    return number(bits(x) + count)


FUNCTIONS = {
    "inverse_sqrt": lambda x: 1 / mp.sqrt(x),
    "exp": mp.exp,
    "exp2": lambda x: mp.power(2, x),
    "log": mp.log,
    "log2": lambda x: mp.log(x) / mp.log(2),
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "asin": mp.asin,
    "acos": mp.acos,
    "atan": mp.atan,
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "tanh": mp.tanh,
}
OPS = {"inverse_sqrt": "kInverseSqrt"}
ODD = {"sin", "tan", "asin", "atan", "sinh", "tanh"}
# The values at -infinity and infinity.
AT_INFINITY = {
    "inverse_sqrt": (None, 0.0), "exp": (0.0, INFINITY), "exp2": (0.0, INFINITY),
    "log": (None, INFINITY), "log2": (None, INFINITY), "sin": (None, None), "cos": (None, None),
    "tan": (None, None), "asin": (None, None), "acos": (None, None),
    "atan": (-mp.pi / 2, mp.pi / 2), "sinh": (-INFINITY, INFINITY), "cosh": (INFINITY, INFINITY),
    "tanh": (-1.0, 1.0),
}


def exact(name, x):
    """An mpf, a float for zeros and infinities, or None for NaN."""
    if x != x:
        return None
    if abs(x) == INFINITY:
        return AT_INFINITY[name][x > 0]
    if x == 0:
        if name in ODD:
            return x
        if name in ("log", "log2"):
            return -INFINITY
        if name == "inverse_sqrt":
            return 1 / x if x else struct.unpack("<d", struct.pack("<Q", bits(x) | 0x7FF << 52))[0]
    if name in ("log", "log2", "inverse_sqrt") and x < 0:
        return None
    if name in ("asin", "acos") and abs(x) > 1:
        return None
    if name in ("exp", "sinh", "cosh", "exp2") and abs(x) > 5000:
        tiny = name.startswith("exp") and x < 0
        return mp.ldexp(1, -5000) if tiny else mp.sign(x if name == "sinh" else 1) * mp.ldexp(1, 5000)
    if name == "tanh" and abs(x) > 600:
        return mp.sign(x) * (1 - mp.ldexp(1, -1000))
    return FUNCTIONS[name](mp.mpf(x))


def rounded(value):
    """The nearest f64, ties to even, and what it lacks, in 1/128 of the distance of neighbours."""
    if value is None:
        return NAN_BITS, 0
    if isinstance(value, float):
        return bits(value), 0
    sign, mantissa, exponent, _ = value._mpf_
    if mantissa == 0:
        return 0, 0
    fraction = Fraction(int(mantissa)) * Fraction(2)**exponent
    top = int(mantissa).bit_length() + exponent
    last = max(top - 53, -1074)
    scaled = fraction / Fraction(2)**last
    whole = round(scaled)
    # Patterns of one sign are numbered by size, so that a carry goes where it belongs.
    pattern = whole if last == -1074 else whole - 2**52 + ((last + 1075) << 52)
    pattern = min(pattern, 0x7FF << 52)
    rest = scaled - whole if top <= 1024 else Fraction(0)
    return pattern | int(sign) << 63, round(rest * 128) * (-1 if sign else 1)


def near_multiples_of_quarter_turn(count):
    """The f64 that come nearest to multiples of pi/2, by continued fractions of 2^e / (pi / 2)."""
    found = []
    for exponent in range(-52, 972):
        ratio = mp.ldexp(2 / mp.pi, exponent)
        a, x = int(mp.floor(ratio)), ratio
        p0, q0, p1, q1 = 1, 0, a, 1
        while q1 < 2**53:
            if q1 >= 2**44:
                factor = 2**53 // q1
                for m in {q1, q1 * factor}:
                    turn = m * ratio
                    found.append((abs(turn - mp.nint(turn)), float(m) * 2.0**exponent))
            x = 1 / (x - a)
            a = int(mp.floor(x))
            p0, q0, p1, q1 = p1, q1, a * p1 + p0, a * q1 + q0
    return [x for _, x in sorted(found)[:count]]


def common():
    values = [0.0, SMALLEST, 3 * SMALLEST, step(2.0**-1022, -1), 2.0**-1022, 2.0**-1021, 2.0**-900,
              1e-300, 2.0**-60, 2.0**-54, 2.0**-53, 2.0**-30, 2.0**-28, 2.0**-27, 2.0**-26, 0.25,
              step(0.5, -1), 0.5, step(0.5, 1), step(1.0, -1), 1.0, step(1.0, 1), 1.5, 2.0, 3.0,
              10.0, 100.0, 1e10, 2.0**52, 2.0**53, 2.0**64, 2.0**66, 1e100, 2.0**1023, LARGEST,
              INFINITY, float("nan")]
    return values


def thresholds(name):
    """Where the sequence changes its path, or the result its kind."""
    table = {
        "exp": [709.78271289338397, 709.78271289338409, -708.39641853226408, -708.39641853226431,
                -745.13321910194111, -745.13321910194122, -744.44007192138122, 710.0, -746.0,
                0.34657359027997264, 0.34657359027997270, -0.34657359027997264, 1.0397207708399179],
        "exp2": [1024.0, step(1024.0, -1), 1023.5, -1022.0, step(-1022.0, 1), -1074.0, -1075.0,
                 step(-1075.0, -1), step(-1075.0, 1), -1074.5, -1073.5, 1025.0, -1076.0, 0.5, 1.5,
                 -0.5] + [float(n) for n in (-1070, -1000, -10, 7, 1000)],
        "log": [float.fromhex("0x1.6a09e667f3bcdp-1"), float.fromhex("0x1.6a09e667f3bccp-1"),
                float.fromhex("0x1.6a09e667f3bcdp+0"), float.fromhex("0x1.6a09e667f3bccp+0")],
        "asin": [0.8660254037844386, 0.7071067811865476],
        "atan": [7 / 16, step(7 / 16, -1), 11 / 16, step(11 / 16, -1), 19 / 16, step(19 / 16, -1),
                 39 / 16, step(39 / 16, -1), 2.0**65, 2.0**54],
        "sinh": [0.34, step(0.34, -1), 710.47586007394386, 710.47586007394398, 711.0, 22.0, 44.5,
                 0.34657359027997264, 0.3465735902799728, 30.0],
        "tanh": [0.34, step(0.34, -1), 18.7, 19.06154746539849, 19.0615474653985, 22.0, 32.0],
        "inverse_sqrt": [2.0**-900, step(2.0**-900, -1), step(4.0, -1), step(2.0, 1)],
    }
    table["log2"] = table["log"] + [2.0**k for k in (-1074, -1050, -1022, -1, 3, 512, 1023)]
    table["acos"] = table["asin"]
    table["cosh"] = table["sinh"]
    quarter = 0.7853981633974483
    angles = [quarter, step(quarter, 1), step(quarter, -1), 0.9, step(1.0, -2), 2.0**1023 * 1.25]
    angles += [k * quarter for k in range(2, 14)] + [2.0**k for k in range(60, 1024, 64)]
    angles += near_multiples_of_quarter_turn(40)
    table["sin"] = table["cos"] = table["tan"] = angles
    return table[name]


RANGES = {
    "inverse_sqrt": (0.25, 4.0), "exp": (-740.0, 705.0), "exp2": (-1070.0, 1020.0),
    "log": (0.25, 4.0), "log2": (0.25, 4.0), "sin": (-20.0, 20.0), "cos": (-20.0, 20.0),
    "tan": (-20.0, 20.0), "asin": (-1.0, 1.0), "acos": (-1.0, 1.0), "atan": (-4.0, 4.0),
    "sinh": (-3.0, 3.0), "cosh": (-3.0, 3.0), "tanh": (-3.0, 3.0),
}


def random_inputs(name, source):
    low, high = RANGES[name]
    center = 1.0 if low == 0.25 or name == "acos" else 0.0
    values = [source.uniform(low, high) for _ in range(60)]
    # From there out, in steps of all sizes.
    for k in range(50):
        offset = source.uniform(0.5, 1.0) * min(high, 1.0) * 2.0**-k
        values += [center - offset, center + offset]
    any_exponent = name in ("inverse_sqrt", "log", "log2", "sin", "cos", "tan")
    for _ in range(60 if any_exponent else 10):
        pattern = source.getrandbits(64)
        if number(pattern) == number(pattern):
            values.append(abs(number(pattern)) if low == 0.25 else number(pattern))
    if name == "exp":
        values += [source.uniform(-745.2, -708.0) for _ in range(30)]
    if name == "exp2":
        values += [source.uniform(-1075.2, -1021.0) for _ in range(30)]
    if name in ("sinh", "cosh"):
        values += [source.uniform(-711.0, 711.0) for _ in range(30)]
    return values


def main():
    print("// SPDX-License-Identifier: Apache-2.0 OR MIT\n"
          "// Written by generate_f64_cases.py: bits of inputs and of their correctly rounded "
          "results,\n"
          "// and what those lack to the exact results, in 1/128 of the distance of neighbours.")
    for name in FUNCTIONS:
        source = random.Random("vyre " + name)
        inputs = []
        for x in common() + thresholds(name):
            inputs += [x, -x]
        inputs += random_inputs(name, source)
        patterns = dict.fromkeys(bits(x) for x in inputs)
        op = OPS.get(name, "k" + name.capitalize())
        print(f"{{Op::{op}, {{")
        cases = []
        for pattern in patterns:
            result, rest = rounded(exact(name, number(pattern)))
            cases.append(f"{{0x{pattern:016X}, 0x{result:016X}, {rest}}},")
        for i in range(0, len(cases), 2):
            print(" ".join(cases[i:i + 2]))
        print("}},")


if __name__ == "__main__":
    main()
