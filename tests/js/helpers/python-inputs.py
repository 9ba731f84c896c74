"""Runs Python programs of the playground up to their inputs, with NumPy, and compares these with the tensors of the call.

Reads a JSON list of { title, program, inputs: { name: { type, dims, data } } } from standard input. ONNX's package is stood in
for, so its part of a program runs without effect. Prints how many programs have right inputs, or the first that has not.
"""

import json
import sys
from unittest.mock import MagicMock

import numpy as np

sys.modules.update({name: MagicMock() for name in ("onnx", "onnx.reference")})


def wanted(tensor):
    """NaN, the infinities and -0 are strings in JSON, and so are long integers."""
    type, data = tensor["type"], tensor["data"]
    if type == "string":
        return np.array(data, dtype=object).reshape(tensor["dims"])
    if type.startswith("complex"):
        parts = np.array([float(x) for x in data]).astype({"complex64": "float32", "complex128": "float64"}[type])
        return parts.view(type).reshape(tensor["dims"])
    convert = int if "int" in type else float
    return np.array([convert(x) for x in data], dtype=type).reshape(tensor["dims"])


def same(left, right):
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    if left.dtype == object:
        return left.tolist() == right.tolist()
    # The bits differ for NaNs alone: floats are compared with their signs.
    is_equal = np.array_equal(left, right, equal_nan=left.dtype.kind in "fc")
    return is_equal and (left.dtype.kind != "f" or np.array_equal(np.signbit(left[left == 0]), np.signbit(right[right == 0])))


calls = json.load(sys.stdin)
for call in calls:
    scope = {}
    exec(call["program"], scope)
    for name, tensor in call["inputs"].items():
        if not same(np.asarray(scope["inputs"][name]), wanted(tensor)):
            sys.exit(f"{call['title']}: {name} is {scope['inputs'][name]!r}, wanted {wanted(tensor)!r}")
print(f"{len(calls)} programs have the inputs of their calls")
