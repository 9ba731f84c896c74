#!/usr/bin/env python3
"""Runs the NumPy lines of operators (data/operators), and compares them with what their first calls give.

Reads a JSON list of { name, line, variables, outputs } from standard input; tensors are { type, dims, data }. Prints how many
lines give the same, or the first one that does not. A line that changes its first variable gives that.
"""

import json
import sys

import numpy as np
import scipy.special


def array(tensor):
    """The array of a tensor: NaN and the infinities are strings in it."""
    data = [float(x) if isinstance(x, str) else x for x in tensor["data"]]
    return np.array(data).astype(tensor["type"]).reshape(tensor["dims"])


def result_of(line, variables):
    scope = {"np": np, "scipy": scipy, **variables}
    try:
        result = eval(line, scope)
    except SyntaxError:  # an assignment
        exec(line, scope)
        result = None
    if result is None:
        result = next(iter(variables.values()))
    return result if isinstance(result, (tuple, list)) else [result]


calls = json.load(sys.stdin)
for call in calls:
    variables = {name: array(tensor) for name, tensor in call["variables"].items() if tensor}
    for result, output in zip(result_of(call["line"], variables), call["outputs"]):
        result, wanted = np.asarray(result), array(output)
        if result.shape != wanted.shape or not np.allclose(result, wanted, rtol=2e-4, atol=2e-5, equal_nan=True):
            sys.exit(f"{call['name']}: {call['line']} gives {result}, not {wanted}")
print(f"{len(calls)} lines give the same")
