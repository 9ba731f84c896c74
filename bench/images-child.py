"""Pillow and OpenCV for bench/images.mjs: reads the pixels, then answers each contender's name with nanoseconds of a call."""
import json
import sys
from time import perf_counter_ns

import cv2
import numpy as np
from PIL import Image

recipe, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
pixels = np.frombuffer(sys.stdin.buffer.read(width * height * 4), np.uint8).reshape(height, width, 4)
mean, std = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])
cv2.setNumThreads(1)


def normalised(rgb):
    return np.ascontiguousarray(((rgb.astype(np.float32) / 255 - mean) / std).transpose(2, 0, 1))


def planes(rgb):
    return np.ascontiguousarray(rgb.transpose(2, 0, 1)).astype(np.float32) / 255


def pasted():
    box = Image.new("RGB", (640, 640), (114, 114, 114))
    box.paste(Image.fromarray(pixels).convert("RGB"), (0, 80))
    return planes(np.asarray(box))


contenders = {
    "shrink": {
        "Pillow": lambda: normalised(np.asarray(Image.fromarray(pixels).convert("RGB").resize((224, 224), Image.BILINEAR))),
        "OpenCV": lambda: normalised(cv2.resize(pixels[:, :, :3], (224, 224), interpolation=cv2.INTER_AREA)),
    },
    "letterbox": {
        "Pillow": pasted,
        "OpenCV": lambda: planes(cv2.copyMakeBorder(pixels[:, :, :3], 80, 80, 0, 0, cv2.BORDER_CONSTANT, value=(114, 114, 114))),
    },
}[recipe]
print(json.dumps(list(contenders)), flush=True)
for line in sys.stdin.buffer:
    start = perf_counter_ns()
    contenders[line.decode().strip()]()
    print(perf_counter_ns() - start, flush=True)
