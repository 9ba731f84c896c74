#!/usr/bin/env python3
"""Writes tests/data/images.json and images.bin: images as Pillow and OpenCV resize them, and whole preparations.

Needs Debian's python3-pil, python3-opencv and python3-numpy. Sources are made of a seed, by the same rule as in
tests/js/helpers/images.ts. To be run again when the tests get other cases.
"""

import json
import pathlib
import random

import cv2
import numpy as np
from PIL import Image

FILTERS = {"nearest": 0, "box": 4, "bilinear": 2, "hamming": 5, "bicubic": 3, "lanczos": 1}
MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
TARGETS = {"rgb": "RGB", "bgr": "RGB", "rgba": "RGBA", "gray": "L"}

rng = random.Random(30)
results = bytearray()


def source(seed, kind, height, width, channels):
    """Bytes of a linear congruential generator: noise, extremes (0 or 255), or slopes with a little noise."""
    state, values = seed, []
    for i in range(height * width * channels):
        state = (state * 1103515245 + 12345) % 2**31
        noise = state >> 16 & 255
        slope = (i // channels % width * 5 + i // channels // width * 3) % 256
        values.append(noise if kind == "noise" else noise // 128 * 255 if kind == "extremes" else (slope + noise // 32) % 256)
    return np.array(values, np.uint8).reshape(height, width, channels)


def store(array):
    data = np.ascontiguousarray(array).tobytes()
    results.extend(data)
    return [len(results) - len(data), len(data)]


def as_pillow(pixels, channels):
    mode = MODES[pixels.shape[2]]
    image = Image.fromarray(pixels[:, :, 0] if mode == "L" else pixels, mode)
    return image.convert(TARGETS[channels])


def in_order(array, channels):
    array = array.reshape(array.shape[0], array.shape[1], -1)
    return array[:, :, ::-1] if channels == "bgr" else array


def resize_case(number):
    height, width = (rng.randint(1, 24) for _ in range(2))
    to = [rng.randint(1, 24) for _ in range(2)]
    if number % 7 == 0:
        to[0] = height
    if number % 5 == 0:
        to[1] = width
    if number % 11 == 0:
        width, to[1] = 300, 3
    case = {"seed": number, "kind": rng.choice(["noise", "extremes", "slopes"]), "height": height, "width": width}
    case |= {"channels": rng.randint(1, 4), "resize": to, "filter": rng.choice(list(FILTERS)), "to": rng.choice(list(TARGETS))}
    pixels = source(case["seed"], case["kind"], height, width, case["channels"])
    image = as_pillow(pixels, case["to"])
    size = (to[1], to[0])
    case["pillow"] = store(in_order(np.array(image.resize(size, FILTERS[case["filter"]])), case["to"]))
    case["opencv"] = store(in_order(cv2.resize(np.array(image), size, interpolation=cv2.INTER_LINEAR), case["to"]))
    return case


def shorter_side(image, side, filter):
    """torchvision.transforms.Resize(side)."""
    width, height = image.size
    short, long = min(width, height), max(width, height)
    longer = int(side * long / short)
    return image.resize((side, longer) if width <= height else (longer, side), filter)


def center_crop(image, height, width):
    """torchvision.transforms.CenterCrop: larger crops are padded first."""
    columns, rows = image.size
    if width > columns or height > rows:
        left, top = max(width - columns, 0) // 2, max(height - rows, 0) // 2
        padded = Image.new(image.mode, (max(columns, width), max(rows, height)))
        padded.paste(image, (left, top))
        image = padded
        columns, rows = image.size
    top, left = int(round((rows - height) / 2.0)), int(round((columns - width) / 2.0))
    return image.crop((left, top, left + width, top + height))


def letterbox(pixels, height, width):
    """Ultralytics' LetterBox(auto=False)."""
    rows, columns = pixels.shape[:2]
    ratio = min(height / rows, width / columns)
    size = max(round(columns * ratio), 1), max(round(rows * ratio), 1)
    left, top = (width - size[0]) / 2, (height - size[1]) / 2
    if (columns, rows) != size:
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR)
    bottom, right = int(round(top + 0.1)), int(round(left + 0.1))
    top, left = int(round(top - 0.1)), int(round(left - 0.1))
    return cv2.copyMakeBorder(pixels, top, bottom, left, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))


def pipeline_case(number):
    height, width = (rng.randint(3, 90) for _ in range(2))
    case = {"seed": 1000 + number, "kind": rng.choice(["noise", "slopes"]), "height": height, "width": width, "channels": 3}
    pixels = source(case["seed"], case["kind"], height, width, 3)
    if number % 2 == 0:
        filter = rng.choice(["bilinear", "bicubic"])
        side, crop = rng.randint(8, 40), [rng.randint(5, 45), rng.randint(5, 45)]
        image = center_crop(shorter_side(Image.fromarray(pixels), side, FILTERS[filter]), *crop)
        case |= {"options": {"resize": side, "filter": filter, "crop": crop}, "bytes": store(np.array(image))}
    else:
        size = [rng.randint(8, 48), rng.randint(8, 48)]
        options = {"resize": size, "fit": "contain", "antialias": False, "fill": 114}
        case |= {"options": options, "bytes": store(letterbox(pixels, *size))}
    return case


resized = [resize_case(i) for i in range(1, 301)]
pipelines = [pipeline_case(i) for i in range(1, 61)]
folder = pathlib.Path(__file__).parents[2] / "tests/data"
text = json.dumps({"resized": resized, "pipelines": pipelines})
(folder / "images.json").write_text(text.replace('{"seed"', '\n{"seed"') + "\n")
(folder / "images.bin").write_bytes(results)
