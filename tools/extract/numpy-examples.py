#!/usr/bin/env python3
"""Writes data/examples/numpy.json: examples of operators that ONNX's packaged tests leave out, or have in large alone.

Their outputs are NumPy's, computed in float64 and rounded to float32. To be run again when such operators come.
"""

import json
import math
import pathlib

import numpy as np

examples = []


def element(value, dtype):
    """The shortest number that is read back as this element."""
    if dtype.kind != "f":
        return int(value)
    short = next(s for d in range(1, 18) if np.float32(s := float(f"{value:.{d}g}")) == np.float32(value))
    return int(short) if short == int(short) else short


def tensor(array):
    array = np.asarray(array)
    dtype = np.dtype(np.float32) if array.dtype.kind == "f" else array.dtype
    return {"type": dtype.name, "dims": list(array.shape), "data": [element(value, dtype) for value in array.ravel()]}


def add(operator, name, inputs, outputs, attributes={}):
    one = {"operator": operator, "name": f"NumPy: {name}", "inputs": [tensor(it) for it in inputs]}
    results = outputs if isinstance(outputs, tuple) else (outputs,)
    examples.append({**one, "attributes": attributes, "outputs": [tensor(it) for it in results]})


def add_all(operator, name, inputs, outputs, attributes={}):
    add(operator, name, inputs, outputs[0], attributes)
    examples[-1]["outputs"] = [tensor(it) for it in outputs]


def of(values, dtype):
    return np.array(values, dtype=dtype)


floats = of([1.5, -2.25], np.float32)
add("BitCast", "floats as integers", [floats], floats.view(np.int32), {"to": 6})
octets = of([0, 1, 127, 128, 255], np.uint8)
add("BitCast", "bytes with a sign", [octets], octets.view(np.int8), {"to": 3})

bits, masks = of([[0b1100, 0b1010], [0b1111, 0]], np.int32), of([0b0110, -1], np.int32)
add("BitwiseAnd", "a mask for each column", [bits, masks], bits & masks)
add("BitwiseOr", "a mask for each column", [bits, masks], bits | masks)
add("BitwiseXor", "a mask for each column", [bits, masks], bits ^ masks)
add("BitwiseNot", "unsigned", [octets], ~octets)
add("BitwiseNot", "signed", [octets.view(np.int8)], ~octets.view(np.int8))

queries, keys, values = (np.arange(1.0, n + 1).reshape(1, 1, -1, 2) / 4 for n in (4, 6, 6))
scores = queries @ keys.swapaxes(2, 3) / math.sqrt(2)
for name, weights, more in [("all keys", np.exp(scores), {}), ("causal", np.exp(scores) * np.tri(2, 3), {"is_causal": 1})]:
    weighted = weights / weights.sum(3, keepdims=True) @ values
    add_all("Attention", name, [queries, keys, values], [weighted, keys, values, scores], more)

eight, six = of(8, np.int64), of(6, np.int64)
add("BlackmanWindow", "periodic", [eight], np.blackman(9)[:-1])
add("BlackmanWindow", "symmetric", [six], np.blackman(6), {"periodic": 0})

columns = np.arange(1, 21).reshape(4, 5)
padded = np.pad(columns[1:3], ((0, 0), (1, 1)))
add("CenterCropPad", "fewer rows, more columns", [columns, of([2, 7], np.int64)], padded)

row, first = np.arange(1.0, 5.0), of(0, np.int64)
add("CumProd", "one axis", [row, first], np.cumprod(row))
add("CumProd", "exclusive", [row, first], np.append(1, np.cumprod(row)[:-1]), {"exclusive": 1})
add("CumProd", "reverse", [row, first], np.cumprod(row[::-1])[::-1], {"reverse": 1})
rows = np.arange(1.0, 7.0).reshape(2, 3)
add("CumProd", "along rows", [rows, of(1, np.int64)], np.cumprod(rows, axis=1))

image, ones = np.arange(1.0, 10.0).reshape(1, 1, 3, 3), np.ones((1, 1, 2, 2))
blocks = np.lib.stride_tricks.sliding_window_view(image, (2, 2), axis=(2, 3)).sum(axis=(4, 5))
add("DeformConv", "without shifts, sums of blocks", [image, ones, np.zeros((1, 8, 2, 2))], blocks)
rightwards = np.stack([np.zeros((3, 3)), np.full((3, 3), 0.5)])[None]
between = (image + np.pad(image, ((0, 0), (0, 0), (0, 0), (0, 1)))[..., 1:]) / 2
add("DeformConv", "half a pixel to the right", [image, np.ones((1, 1, 1, 1)), rightwards], between)

x = of([-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3], np.float64)
erf = np.vectorize(math.erf)
add("Erf", "-3 to 3", [x], erf(x))
add("Gelu", "-3 to 3", [x], x / 2 * (1 + erf(x / math.sqrt(2))))
tanh = np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
add("Gelu", "by Tanh", [x], x / 2 * (1 + tanh), {"approximate": "tanh"})
turns = 2 * np.pi * np.arange(8) / 8
add("HammingWindow", "periodic", [eight], 25 / 46 - 21 / 46 * np.cos(turns))
add("HannWindow", "periodic", [eight], np.hanning(9)[:-1])
add("HannWindow", "symmetric", [six], np.hanning(6), {"periodic": 0})
add("Mish", "-3 to 3", [x], x * np.tanh(np.log1p(np.exp(x))))
pairs, table, places = np.arange(1.0, 9).reshape(1, 1, 2, 4), np.array([[1, 1], [0.5, -1]]), of([[1, 0]], np.int64)
first, second, cosines, sines = pairs[..., :2], pairs[..., 2:], table[places], 1 - table[places]
turned = np.concatenate([first * cosines - second * sines, first * sines + second * cosines], -1)
add("RotaryEmbedding", "two positions", [pairs, table, 1 - table, places], turned)
add("Swish", "-3 to 3", [x], x / (1 + np.exp(-x)))
add("Swish", "steeper", [x], x / (1 + np.exp(-2 * x)), {"alpha": 2})

channels = (np.arange(12) ** 2.0).reshape(1, 4, 3)
scale, bias = of([1, 2, 1, 0.5], np.float64), of([0, 0, 10, 0], np.float64)
groups = channels.reshape(1, 2, 6)
normal = (groups - groups.mean(2, keepdims=True)) / np.sqrt(groups.var(2, keepdims=True) + np.float32(1e-5))
grouped = normal.reshape(1, 4, 3) * scale[:, None] + bias[:, None]
add("GroupNormalization", "two groups of two channels", [channels, scale, bias], grouped, {"num_groups": 2})

images = of([[[[3, 4, 5, 12], [-8, 15, 0, -7]]]], np.float64)
pairs = images.reshape(1, 1, 2, 2, 2)
halved = {"kernel_shape": [1, 2], "strides": [1, 2]}
add("LpPool", "the lengths of pairs", [images], np.linalg.norm(pairs, axis=4), halved)
add("LpPool", "sums of absolute values", [images], np.abs(pairs).sum(axis=4), {**halved, "p": 1})
two_channels = images.reshape(1, 2, 1, 4)
add("GlobalLpPool", "the length of each channel", [two_channels], np.linalg.norm(two_channels, axis=(2, 3), keepdims=True))
cubes = (np.abs(two_channels) ** 3).sum(axis=(2, 3), keepdims=True)
add("GlobalLpPool", "the third power", [two_channels], np.cbrt(cubes), {"p": 3})

vectors = of([[3, 4], [-5, 12], [8, 15]], np.float64)
add("LpNormalization", "length 1", [vectors], vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
sums = np.abs(vectors).sum(axis=1, keepdims=True)
add("LpNormalization", "absolute values that sum to 1", [vectors], vectors / sums, {"p": 1})

parts = of([[1, 2, 3, 4], [-2, 0, 2, 0]], np.float64)
mean_squares = (parts**2).mean(axis=1, keepdims=True)
add("RMSNormalization", "rows", [parts, scale], parts / np.sqrt(mean_squares + np.float32(1e-5)) * scale)



def lstm(x, w, r):
    """One direction, without biases: Y, Y_h and Y_c."""
    h = c = np.zeros((x.shape[1], r.shape[2]))
    states = []
    for step in x:
        i, o, f, g = np.split(step @ w[0].T + h @ r[0].T, 4, axis=1)
        i, o, f = (1 / (1 + np.exp(-gate)) for gate in (i, o, f))
        c = f * c + i * np.tanh(g)
        h = o * np.tanh(c)
        states.append(h)
    return np.array(states)[:, np.newaxis], h[np.newaxis], c[np.newaxis]


sequence = of([[[1, 0]], [[0, 1]], [[1, 1]]], np.float64)
weights = of([0.5, -0.5, 0.25, 1, 1, -1, -0.25, 0.75], np.float64).reshape(1, 4, 2)
recurrence = of([0.5, -0.5, 1, 0.25], np.float64).reshape(1, 4, 1)
add("LSTM", "one unit", [sequence, weights, recurrence], lstm(sequence, weights, recurrence), {"hidden_size": 1})
both = np.concatenate([sequence, sequence[::-1]], axis=1)
add("LSTM", "two sequences", [both, weights, recurrence], lstm(both, weights, recurrence), {"hidden_size": 1})

pixels = np.arange(16, dtype=np.float64).reshape(1, 1, 4, 4)
blocks = pixels.reshape(1, 1, 2, 2, 2, 2)
region = of([[0, 0, 4, 4]], np.float64)
halves = {"output_height": 2, "output_width": 2, "sampling_ratio": 2}
add("RoiAlign", "the whole image in four parts", [pixels, region, of([0], np.int64)], blocks.mean(axis=(3, 5)), halves)
add("MaxRoiPool", "the whole image in four parts", [pixels, of([[0, 0, 0, 3, 3]], np.float64)], blocks.max(axis=(3, 5)), {"pooled_shape": [2, 2]})

corners = np.stack(np.meshgrid([-1.0, 1.0], [-1.0, 1.0]), axis=-1)[np.newaxis]
same = of([[[1, 0, 0], [0, 1, 0]]], np.float64)
turned = of([[[0, -1, 0], [1, 0, 0]]], np.float64)
size = of([1, 1, 2, 2], np.int64)
add("AffineGrid", "the same places", [same, size], corners, {"align_corners": 1})
quarter = corners @ np.array([[0, 1], [-1, 0]])
add("AffineGrid", "a quarter turn", [turned, size], quarter, {"align_corners": 1})

columns = np.ones((1, 4, 4))
sums = np.zeros((1, 1, 3, 3))
for (row, column), value in zip(np.ndindex(2, 2), columns[0]):
    sums[0, 0, row : row + 2, column : column + 2] += value.reshape(2, 2)
add("Col2Im", "how many blocks have each pixel", [columns, of([3, 3], np.int64), of([2, 2], np.int64)], sums)

lines = ",\n".join(json.dumps(example, separators=(",", ":")) for example in examples)
(pathlib.Path(__file__).parents[2] / "data/examples/numpy.json").write_text(f"[\n{lines}\n]\n")
