"""Native NumPy for the bench: answers one line of JSON with one line, and times itself, so the pipe is not measured."""
import hashlib
import json
import sys
from time import perf_counter_ns

import numpy as np


def input_data(dtype, dims):
    """The rule of inputData in bench/element-types.mjs."""
    size = int(np.prod(dims, dtype=np.int64))
    values = np.arange(size * 2 if dtype == "complex128" else size) % 251 + 1
    if dtype == "complex128":
        return values.astype("float64").view("complex128").reshape(dims)
    if dtype == "float16":  # the numbers are the bits
        return values.astype("uint16").view("float16").reshape(dims)
    return values.astype(dtype).reshape(dims)


def prepare(operator, dtype, input_dims, output_dims, value):
    output_dims = tuple(output_dims)
    if operator == "ConstantOfShape":
        element = np.dtype(dtype).type(value)
        return lambda: np.full(output_dims, element)
    x = input_data(dtype, input_dims)
    return lambda: np.broadcast_to(x, output_dims).copy()


def prepare_graph(expression, feeds):
    inputs = {name: np.fromfile(file, dtype).reshape(dims) for name, dtype, dims, file in feeds}
    return eval(f"lambda: {expression}", {"np": np, **inputs})


def time(make, count):
    start = perf_counter_ns()
    for _ in range(count):
        make()
    return perf_counter_ns() - start


def answer(make, request):
    if request["do"] == "time":
        return time(make, request["count"])
    if request["do"] == "sample":  # as sampleOf in peer.mjs takes them
        data = make().reshape(-1)
        count = min(data.size, 1000)
        return [float(data[i * data.size // count]) for i in range(count)]
    return hashlib.sha1(make().tobytes()).hexdigest()


def main():
    make = None
    print(json.dumps(np.__version__), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "prepare":
            make = prepare(*request["case"])
            result = None
        elif request["do"] == "prepare graph":
            make = prepare_graph(request["expression"], request["feeds"])
            result = None
        else:
            result = answer(make, request)
        print(json.dumps(result), flush=True)


main()
