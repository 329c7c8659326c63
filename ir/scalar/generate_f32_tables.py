#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the constant tables and polynomials of the f32 kernels next to this script.

Run it with no arguments (it needs mpmath); the headers it writes are committed, so a build never
runs it. Each polynomial interpolates its function at Chebyshev nodes, which is within a small
factor of the best polynomial of that degree; the error it reports is the largest one found on a
fine grid with the coefficients already rounded to double.
"""

import pathlib
import struct

from mpmath import mp, mpf

mp.prec = 400
HERE = pathlib.Path(__file__).resolve().parent
TOP = '// SPDX-License-Identifier: Apache-2.0 OR MIT\n'


def to_double(value):
    return mpf(float(value))  # mpmath rounds to nearest


def literal(value):
    return float(value).hex().replace('0x1.0000000000000p', '0x1p')


def pair(value):
    hi = to_double(value)
    return hi, to_double(value - hi)


def truncated(value, bits):
    """`value` cut to `bits` significant bits, so that products with short integers are exact."""
    scale = mpf(2) ** (bits - 1 - mp.floor(mp.log(abs(value), 2)))
    return mp.floor(value * scale) / scale


def chebyshev_fit(function, low, high, count):
    """Coefficients c[0..count) of the polynomial through `function` at the Chebyshev nodes."""
    nodes = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * count))
             for i in range(count)]
    matrix = mp.matrix(count, count)
    right = mp.matrix(count, 1)
    for row, node in enumerate(nodes):
        right[row] = function(node)
        for column in range(count):
            matrix[row, column] = node ** column
    return [to_double(c) for c in mp.lu_solve(matrix, right)]


def worst(error, low, high, steps=4000):
    """log2 of the largest |error(t)| on a grid that leaves out the end points' zeros."""
    top = max(abs(error(low + (high - low) * (i + mpf(1) / 3) / steps)) for i in range(steps))
    return float(mp.log(top, 2))


def horner(coefficients, t):
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * t + c
    return total


def array(name, values, per_line=4):
    lines = [f'inline constexpr double {name}[{len(values)}] = {{']
    lines += ['    ' + ', '.join(literal(v) for v in values[i:i + per_line]) + ','
              for i in range(0, len(values), per_line)]
    return '\n'.join(lines) + '\n};\n'


def rows(type_name, fields, name, values):
    lines = [f'struct {type_name} {{', '  double ' + ', '.join(fields) + ';', '};',
             f'inline constexpr {type_name} {name}[{len(values)}] = {{']
    lines += ['    {' + ', '.join(literal(v) for v in row) + '},' for row in values]
    return '\n'.join(lines) + '\n};\n'


def scalar(name, value):
    return f'inline constexpr double {name} = {literal(value)};\n'


def write(file_name, about, body):
    text = TOP + about + '// Written by generate_f32_tables.py; change that, not this.\n'
    text += '#pragma once\n\n'
    text += 'namespace vyre::scalar::detail {\n\n// clang-format off\n' + body
    text += '// clang-format on\n\n}  // namespace vyre::scalar::detail\n'
    (HERE / file_name).write_text(text)


def write_exp():
    size = 64
    log2_step = mp.log(2) / size
    step_hi = truncated(log2_step, 39)
    bound = log2_step / 2
    poly = chebyshev_fit(lambda r: (mp.exp(r) - 1 - r) / r ** 2, -bound, bound, 4)
    error = worst(lambda r: 1 + r + r ** 2 * horner(poly, r) - mp.exp(r), -bound, bound)
    odd = worst(lambda r: (r + r ** 3 * (poly[1] + r ** 2 * poly[3])) / mp.sinh(r) - 1,
                bound / 1000, bound)
    body = f'// 2^(i/{size}) as an unevaluated sum hi + lo.\n'
    body += rows('ExpEntry', ['hi', 'lo'], 'kExpTable',
                 [pair(mpf(2) ** (mpf(i) / size)) for i in range(size)])
    body += f'\n// {size}/ln 2, ln 2/{size} in two parts (39 bits, then 53), ln 2.\n'
    body += scalar('kExpStepsPerUnit', 1 / log2_step)
    body += scalar('kExpStepHi', step_hi) + scalar('kExpStepLo', log2_step - step_hi)
    body += scalar('kLn2', mp.log(2))
    body += f'\n// exp(r) = 1 + r + r^2 q(r) for |r| <= ln 2/{2 * size}: absolute error 2^{error:.1f};\n'
    body += f'// its odd part is sinh(r) with relative error 2^{odd:.1f}.\n'
    body += array('kExpPoly', poly)
    write('f32_exp_table.h',
          '// Constants of the fast exponential: powers of two in steps of 1/64 and a short polynomial.\n',
          body)


def write_exp_lanes():
    ln2 = mp.log(2)
    hi = truncated(ln2, 40)
    bound = ln2 / 2 * (1 + mpf(2) ** -20)
    poly = chebyshev_fit(lambda r: (mp.exp(r) - 1 - r) / r ** 2, -bound, bound, 10)
    error = worst(lambda r: (1 + r + r ** 2 * horner(poly, r)) / mp.exp(r) - 1, -bound, bound)
    body = '// 1/ln 2, and ln 2 in two parts (40 bits, then 53).\n'
    body += scalar('kExpLanesPerUnit', 1 / ln2)
    body += scalar('kExpLanesHi', hi) + scalar('kExpLanesLo', ln2 - hi)
    body += f'\n// exp(r) = 1 + r + r^2 q(r) for |r| <= ln 2/2: relative error 2^{error:.1f}.\n'
    body += array('kExpLanesPoly', poly)
    write('f32_exp_lanes_table.h',
          '// Constants of an exponential without a table, which vector instructions prefer.\n', body)


def write_log():
    bits = 7
    first = 0x3F348000  # as f32 bits, near sqrt(1/2); puts 1.0 inside an interval, not on its edge
    as_float = lambda b: mpf(struct.unpack('<f', struct.pack('<I', b))[0])
    table = []
    bound = mpf(0)
    for i in range(1 << bits):
        low = as_float(first + (i << (23 - bits)))
        high = as_float(first + ((i + 1) << (23 - bits)))
        if low < 1 < high:
            inverse = mpf(1)
        else:
            inverse = mp.nint(2 / (low + high) * 2 ** 16) / 2 ** 16
        bound = max(bound, abs(low * inverse - 1), abs(high * inverse - 1))
        table.append((inverse, -mp.log(inverse), -mp.log(inverse, 2)))
    poly = chebyshev_fit(lambda r: (mp.log1p(r) - r) / r ** 2 if abs(r) > 1e-30 else -mpf(1) / 2, -bound, bound, 5)
    error = worst(lambda r: (r + r ** 2 * horner(poly, r)) / mp.log1p(r) - 1, -bound, bound)
    body = '// 1/c cut to 16 fraction bits, log(c) and log2(c), c near the middle of each interval of\n'
    body += '// significands; the interval around 1 has c = 1, so nothing cancels there.\n'
    body += rows('LogEntry', ['inverse', 'log', 'log2'], 'kLogTable', table)
    body += '\n// ln 2 and 1/ln 2.\n'
    body += scalar('kLogLn2', mp.log(2)) + scalar('kLogInverseLn2', 1 / mp.log(2))
    body += f'\n// log(1+r) = r + r^2 q(r) for |r| <= 2^{float(mp.log(bound, 2)):.2f}: relative error 2^{error:.1f}.\n'
    body += array('kLogPoly', poly)
    write('f32_log_table.h', '// Constants of the fast logarithms: 128 intervals and a short polynomial.\n', body)


def write_trig():
    half_pi = mp.pi / 2
    hi = truncated(half_pi, 33)
    bound = (mp.pi / 4 * mpf('1.0001')) ** 2
    low = mpf(2) ** -40
    sine = chebyshev_fit(lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, low, bound, 7)
    cosine = chebyshev_fit(lambda z: (mp.cos(mp.sqrt(z)) - 1) / z, low, bound, 7)
    sine_error = worst(lambda z: (1 + z * horner(sine, z)) * mp.sqrt(z) / mp.sin(mp.sqrt(z)) - 1, low, bound)
    cosine_error = worst(lambda z: (1 + z * horner(cosine, z)) / mp.cos(mp.sqrt(z)) - 1, low, bound)
    body = '// 2/pi; pi/2 in two parts (33 bits, then 53); pi/2 * 2^-62.\n'
    body += scalar('kTwoOverPi', 1 / half_pi)
    body += scalar('kHalfPiHi', hi) + scalar('kHalfPiLo', half_pi - hi)
    body += scalar('kHalfPiScaled', half_pi / mpf(2) ** 62)
    body += '\n// 32 zero bits, then the first 320 bits of 2/pi after the point.\n'
    whole = int(mp.floor(2 / mp.pi * mpf(2) ** 320))
    words = [0] + [(whole >> (320 - 32 * (i + 1))) & 0xFFFFFFFF for i in range(10)]
    body += f'inline constexpr unsigned kTwoOverPiBits[{len(words)}] = {{\n'
    for i in range(0, len(words), 6):
        body += '    ' + ', '.join(f'0x{w:08X}u' for w in words[i:i + 6]) + ',\n'
    body += '};\n'
    body += '\n// With z = r^2, |r| <= pi/4 (1 + 1e-4): row 0, sin(r) = r + r z S(z), relative error\n'
    body += f'// 2^{sine_error:.1f}; row 1, cos(r) = 1 + z C(z), relative error 2^{cosine_error:.1f}.\n'
    body += 'inline constexpr double kTrigPoly[2][7] = {\n'
    for poly in (sine, cosine):
        body += '    {' + ', '.join(literal(c) for c in poly[:4]) + ',\n'
        body += '     ' + ', '.join(literal(c) for c in poly[4:]) + '},\n'
    body += '};\n'
    write('f32_trig_table.h', '// Constants of sin, cos and tan: argument reduction and polynomials on [-pi/4, pi/4].\n', body)


def write_inverse_trig():
    centers = []
    for exponent in range(-5, 5):
        for step in range(8):
            centers.append((1 + mpf(2 * step + 1) / 16) * mpf(2) ** exponent)
    table = [(mpf(1), mpf(0), mpf(0))]
    table += [(mpf(1), c, mp.atan(c)) for c in centers]
    table += [(mpf(0), mpf(1), mp.pi / 2)]
    bound = mpf(2) ** -5
    low = mpf(2) ** -40
    arctan = chebyshev_fit(lambda w: (mp.atan(mp.sqrt(w)) / mp.sqrt(w) - 1) / w, low, bound ** 2, 4)
    arctan_error = worst(lambda w: (1 + w * horner(arctan, w)) * mp.sqrt(w) / mp.atan(mp.sqrt(w)) - 1,
                         low, bound ** 2)
    quarter = mpf(1) / 4
    arcsin = chebyshev_fit(lambda w: (mp.asin(mp.sqrt(w)) / mp.sqrt(w) - 1) / w, low, quarter, 12)
    arcsin_error = worst(lambda w: (1 + w * horner(arcsin, w)) * mp.sqrt(w) / mp.asin(mp.sqrt(w)) - 1,
                         low, quarter)
    body = '// atan(x) = angle + atan((a x - b)/(a + b x)): row 0 serves |x| < 2^-5, then eight centres\n'
    body += '// b/a an octave up to 2^5, and the last row serves everything beyond.\n'
    body += rows('AtanEntry', ['a', 'b', 'angle'], 'kAtanTable', table)
    body += '\n// pi/2 and pi.\n' + scalar('kHalfPi', mp.pi / 2) + scalar('kPi', mp.pi)
    body += f'\n// atan(t) = t + t^3 A(t^2) for |t| <= 2^-5: relative error 2^{arctan_error:.1f}.\n'
    body += array('kAtanPoly', arctan)
    body += f'\n// asin(t) = t + t^3 B(t^2) for |t| <= 1/2: relative error 2^{arcsin_error:.1f}.\n'
    body += array('kAsinPoly', arcsin)
    write('f32_inverse_trig_table.h', '// Constants of asin, acos and atan.\n', body)


def write_double_double():
    ln2 = mp.log(2)
    hi = truncated(ln2, 40)
    body = '// ln 2 in three parts: 40 bits, so that a small integer times it is exact, then two doubles.\n'
    body += scalar('kLn2Head', hi)
    mid, low = pair(ln2 - hi)
    body += scalar('kLn2Middle', mid) + scalar('kLn2Tail', low)
    for name, value, what in (('Ln2', ln2, 'ln 2'), ('InverseLn2', 1 / ln2, '1/ln 2'),
                              ('HalfPi', mp.pi / 2, 'pi/2')):
        high, low = pair(value)
        body += f'\n// {what} as an unevaluated sum.\n'
        body += scalar(f'kExact{name}Hi', high) + scalar(f'kExact{name}Lo', low)
    write('double_double_constants.h', '// Constants of the double-double functions.\n', body)


write_exp()
write_exp_lanes()
write_log()
write_trig()
write_inverse_trig()
write_double_double()
