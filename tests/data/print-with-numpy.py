"""Writes numpy.json: tensors and how NumPy prints them. NumPy 1.24; nothing else is needed at test time.

python3 tests/data/print-with-numpy.py
"""

import json
import pathlib

import numpy as np

CASES = [
    ("a matrix of whole floats", "float32", [2, 3], [1, 2, 3, 4, 5, 6]),
    ("floats of different length", "float32", [3], [0.1, -2.5, 10]),
    ("a small float beside a one", "float32", [2], [1e-5, 1]),
    ("a large float beside a one", "float32", [2], [1e8, 1]),
    ("floats more than a thousand times apart", "float32", [3], [1.5, 1e5, 0.25]),
    ("floats that need all eight digits", "float32", [2], [1234567, 1]),
    ("a power of two", "float32", [2], [16777216, 0.5]),
    ("the shortest digits of float32", "float32", [2], [1.1, 2.2]),
    ("a scalar", "float32", [], [3.25]),
    ("zeros with and without a sign", "float32", [4], [1, -0.0, 0, 2]),
    ("infinities and NaN", "float32", [4], [float("nan"), float("inf"), float("-inf"), 1.5]),
    ("thirds, cut at eight digits", "float64", [2, 2], [0.1, 1 / 3, 100, -1]),
    ("a matrix in scientific notation", "float64", [2, 2], [1.5, -2, 1000, 0.001]),
    ("exponents of three digits", "float64", [3], [1e100, 1, 1e-100]),
    ("a line of thirds that wraps", "float64", [12], [1 / 3] * 12),
    ("the shortest digits of float16", "float16", [3], [0.1, 65504, -1]),
    ("integers in columns", "int32", [2, 3], [1, -20, 300, 4, 5, 6]),
    ("one integer", "int8", [1], [5]),
    ("an integer scalar", "int64", [], [7]),
    ("three axes", "uint8", [2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 255]),
    ("four axes", "int32", [2, 1, 2, 2], list(range(8))),
    ("a long line that wraps", "int32", [30], list(range(100, 130))),
    ("long rows that wrap", "int32", [3, 30], list(range(90))),
    ("more than a thousand elements", "int64", [1001], list(range(1001))),
    ("a large matrix by its corners", "int32", [40, 40], list(range(1600))),
    ("a large matrix of two rows", "int32", [2, 600], list(range(1200))),
    ("many floats by their ends", "float32", [1200], [i * 0.5 for i in range(1200)]),
    ("nothing", "float32", [0], []),
    ("booleans", "bool", [2], [1, 0]),
    ("booleans that are all true", "bool", [2, 1], [1, 1]),
    ("complex numbers", "complex64", [2], [1 + 2j, -0.5 - 3j]),
    ("strings", "string", [3], ["a", "bc", "def"]),
    ("a matrix of strings", "string", [2, 2], ["a", "bc", "", "d"]),
]


def number(value):
    """JSON has no NaN, infinities or complex numbers, and numbers as strings keep the sign of zero."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, complex):
        return [repr(value.real), repr(value.imag)]
    return [repr(value).replace("inf", "Infinity").replace("nan", "NaN")]


def case(title, dtype, dims, values):
    array = np.array(values, dtype={"string": object}.get(dtype, dtype)).reshape(dims)
    text = f"{dtype} {dims}\n{array}"
    return {"title": title, "type": dtype, "dims": dims, "values": sum(map(number, values), []), "text": text}


lines = [json.dumps(case(*row)) for row in CASES]
pathlib.Path(__file__).with_name("numpy.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
