// Detection, segmentation and reading of text in images.
import { float } from '../graph-builder.mjs';
import * as blocks from './blocks.mjs';
import { batchNorm, conv, convTranspose, imageInput, maxPool, pool, relu, relu6 } from './convolutions.mjs';
import { Network } from './network.mjs';
import { bidirectional } from './recurrent.mjs';
import { imageFeeds } from './vision.mjs';

function finish(n, name, feeds, outputs) {
  for (const [key, x] of Object.entries(outputs)) n.result(key, x, undefined);
  return { file: n.file(name), feeds };
}
const nearest = (n, x) =>
  n.op('Resize', [x, '', n.constant('float32', [4], [1, 1, 2, 2])], {
    coordinate_transformation_mode: 'asymmetric',
    mode: 'nearest',
    nearest_mode: 'floor',
  });
/** torch's interpolate to the size of another image: sizes by Shape, Slice and Concat. */
const bilinear = (n, x, like, corners = false) => {
  const sizes = n.op(
    'Concat',
    [n.slice(n.op('Shape', [x]), [0], [2], [0]), n.slice(n.op('Shape', [like]), [2], [4], [0])],
    { axis: 0 },
  );
  const mode = corners ? 'align_corners' : 'half_pixel';
  return n.op('Resize', [x, '', '', sizes], { coordinate_transformation_mode: mode, mode: 'linear' });
};

/** YOLOv8n: C2f, SPPF, a neck of two ways, a head with distributions of distances. */
export function yolo({ side = 224, width = 16, classes = 80, ...rest } = {}) {
  const n = new Network({ opset: 17, ...rest });
  const act = (x, from, to, size = 3, stride = 1) => blocks.silu(n, conv(n, x, from, to, size, { stride }));
  const c2f = (x, from, to, count, adds) => {
    const half = to / 2;
    const parts = n.op('Split', [act(x, from, to, 1), n.ints([half, half])], { axis: 1 }, 2);
    for (let i = 0; i < count; i++) {
      const y = act(act(parts.at(-1), half, half), half, half);
      parts.push(adds ? n.op('Add', [parts.at(-1), y]) : y);
    }
    return act(n.op('Concat', parts, { axis: 1 }), half * parts.length, to, 1);
  };
  const [w1, w2, w3, w4, w5] = [1, 2, 4, 8, 16].map((factor) => width * factor);
  let x = act(act(imageInput(n, side), 3, w1, 3, 2), w1, w2, 3, 2);
  x = c2f(x, w2, w2, 1, true);
  const small = c2f(act(x, w2, w3, 3, 2), w3, w3, 2, true);
  const middle = c2f(act(small, w3, w4, 3, 2), w4, w4, 2, true);
  x = c2f(act(middle, w4, w5, 3, 2), w5, w5, 1, true);
  const pooled = [act(x, w5, w4, 1)];
  for (let i = 0; i < 3; i++) pooled.push(maxPool(n, pooled.at(-1), 5, 1));
  const large = act(n.op('Concat', pooled, { axis: 1 }), 4 * w4, w5, 1);
  const down4 = c2f(n.op('Concat', [nearest(n, large), middle], { axis: 1 }), w5 + w4, w4, 1, false);
  const p3 = c2f(n.op('Concat', [nearest(n, down4), small], { axis: 1 }), w4 + w3, w3, 1, false);
  const p4 = c2f(n.op('Concat', [act(p3, w3, w3, 3, 2), down4], { axis: 1 }), w3 + w4, w4, 1, false);
  const p5 = c2f(n.op('Concat', [act(p4, w4, w4, 3, 2), large], { axis: 1 }), w4 + w5, w5, 1, false);
  const heads = [
    [p3, w3],
    [p4, w4],
    [p5, w5],
  ].map(([y, from]) => {
    const box = conv(n, act(act(y, from, w3), w3, w3), w3, 64, 1, { gain: 3 });
    const score = conv(n, act(act(y, from, w3), w3, w3), w3, classes, 1, { gain: 3 });
    const all = n.op('Concat', [box, score], { axis: 1 });
    return n.op('Reshape', [all, n.sizes([n.size(all, 0), 64 + classes, -1])]);
  });
  const joined = n.op('Concat', heads, { axis: 2 });
  const [box, score] = n.op('Split', [joined, n.ints([64, classes])], { axis: 1 }, 2);
  const spread = n.transpose(n.op('Reshape', [box, n.sizes([n.size(box, 0), 4, 16, -1])]), 0, 2, 1, 3);
  const shares = n.op('Softmax', [spread], { axis: 1 });
  const bins = n.list(
    'dfl',
    'float32',
    Float32Array.from({ length: 16 }, (_, i) => i),
    [1, 16, 1, 1],
  );
  const distances = n.op('Reshape', [
    n.op('Conv', [shares, bins], { kernel_shape: [1, 1] }),
    n.sizes([n.size(box, 0), 4, -1]),
  ]);
  const sides = [side / 8, side / 16, side / 32];
  const places = sides.flatMap((rows) =>
    Array.from({ length: rows * rows }, (_, i) => [(i % rows) + 0.5, Math.floor(i / rows) + 0.5]),
  );
  const points = Float32Array.from([0, 1].flatMap((axis) => places.map((place) => place[axis])));
  const anchors = n.list('anchors', 'float32', points, [1, 2, places.length]);
  const strides = n.list(
    'strides',
    'float32',
    Float32Array.from(sides.flatMap((rows) => Array(rows * rows).fill(side / rows))),
    [1, places.length],
  );
  const [before, after] = n.op('Split', [distances, n.ints([2, 2])], { axis: 1 }, 2);
  const [from, until] = [n.op('Sub', [anchors, before]), n.op('Add', [anchors, after])];
  const centre = n.op('Div', [n.op('Add', [from, until]), n.number(2)]);
  const boxes = n.op('Mul', [n.op('Concat', [centre, n.op('Sub', [until, from])], { axis: 1 }), strides]);
  return finish(n, 'yolov8n', imageFeeds(side), {
    output0: n.op('Concat', [boxes, n.op('Sigmoid', [score])], { axis: 1 }),
  });
}

/** SSD over MobileNetV1, batch normalisation left, as tf2onnx writes it: an image with channels last, turned once. */
export function ssd({ side = 160, width = 32, classes = 21, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  const image = n.input('pixel_values', n.type, ['batch', side, side, 3]);
  const block = (x, from, to, size, options) =>
    relu6(n, batchNorm(n, conv(n, x, from, to, size, { ...options, bias: false }), to));
  let x = block(n.transpose(image, 0, 3, 1, 2), 3, width, 3, { stride: 2 });
  let from = width;
  const features = [];
  for (const [factor, stride] of [
    [2, 1],
    [4, 2],
    [4, 1],
    [8, 2],
    [8, 1],
    [16, 2],
    [16, 1],
    [16, 1],
    [16, 1],
    [32, 2],
    [32, 1],
  ]) {
    x = block(x, from, from, 3, { stride, group: from });
    x = block(x, from, width * factor, 1, {});
    from = width * factor;
    if (features.length === 0 && factor === 16 && stride === 1) features.push([x, from]);
  }
  features.push([x, from]);
  for (const to of [16 * width, 8 * width]) {
    x = block(block(x, from, to / 2, 1, {}), to / 2, to, 3, { stride: 2 });
    from = to;
    features.push([x, from]);
  }
  const heads = (count) =>
    features.map(([y, channels]) => {
      const last = n.transpose(conv(n, y, channels, 6 * count, 1), 0, 2, 3, 1);
      return n.op('Reshape', [last, n.sizes([n.size(last, 0), -1, count])]);
    });
  const boxes = n.op('Concat', heads(4), { axis: 1 });
  const scores = n.op('Softmax', [n.op('Concat', heads(classes), { axis: 1 })], { axis: 2 });
  const feeds = imageFeeds(side).map((feed) => ({ ...feed, dims: [1, side, side, 3] }));
  return finish(n, 'ssd', feeds, { boxes, scores });
}

/** U-Net: two convolutions a level, ConvTranspose up, Concat with the level's own. */
export function unet({ side = 96, width = 32, levels = 4, ...rest } = {}) {
  const n = new Network({ opset: 11, ...rest });
  const twice = (x, from, to) => relu(n, conv(n, relu(n, conv(n, x, from, to, 3)), to, to, 3));
  let x = imageInput(n, side);
  let from = 3;
  const kept = [];
  for (let level = 0; level < levels; level++) {
    const to = width << level;
    x = twice(x, from, to);
    from = to;
    if (level === levels - 1) break;
    kept.push(x);
    x = maxPool(n, x, 2, 2, 0);
  }
  while (kept.length > 0) {
    const to = from / 2;
    x = twice(n.op('Concat', [kept.pop(), convTranspose(n, x, from, to, 2, { stride: 2 })], { axis: 1 }), from, to);
    from = to;
  }
  return finish(n, 'unet', imageFeeds(side), { mask: n.op('Sigmoid', [conv(n, x, width, 1, 1)]) });
}

/** DeepLab over a small ResNet: dilated convolutions in parallel, a pooled branch, bilinear Resize. */
export function deeplab({ side = 128, width = 32, classes = 21, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  const act = (x, from, to, size, options) => relu(n, conv(n, x, from, to, size, options));
  const image = imageInput(n, side);
  let x = act(act(image, 3, width, 3, { stride: 2 }), width, 2 * width, 3, { stride: 2 });
  let from = 2 * width;
  for (const [to, stride, dilation] of [
    [4 * width, 2, 1],
    [8 * width, 1, 2],
    [8 * width, 1, 4],
  ]) {
    const inner = act(x, from, to / 2, 1);
    const middle = act(inner, to / 2, to / 2, 3, { stride, dilation });
    const short = from === to && stride === 1 ? x : conv(n, x, from, to, 1, { stride, gain: 3 });
    x = n.op('Relu', [n.op('Add', [conv(n, middle, to / 2, to, 1, { gain: 3 }), short])]);
    from = to;
  }
  const parts = [act(x, from, from / 2, 1), ...[3, 6, 9].map((dilation) => act(x, from, from / 2, 3, { dilation }))];
  parts.push(bilinear(n, act(pool(n, x), from, from / 2, 1), x));
  const joined = act(n.op('Concat', parts, { axis: 1 }), (from / 2) * parts.length, from, 1);
  const logits = conv(n, act(joined, from, from, 3), from, classes, 1);
  return finish(n, 'deeplab', imageFeeds(side), { logits: bilinear(n, logits, image) });
}

/** PP-OCR's detector: MobileNet with HardSwish, a pyramid, ConvTranspose twice to a map of probabilities. */
export function textDetector({ side = 192, width = 16, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  const hard = (x) => n.op('Mul', [x, n.op('HardSigmoid', [x], { alpha: float(1 / 6), beta: float(0.5) })]);
  let x = hard(conv(n, imageInput(n, side), 3, width, 3, { stride: 2 }));
  let from = width;
  const features = [];
  for (const factor of [2, 4, 8, 16]) {
    const to = width * factor;
    for (const stride of [2, 1]) {
      x = hard(conv(n, hard(conv(n, x, from, from, 5, { stride, group: from })), from, to, 1));
      from = to;
    }
    features.push([x, to]);
  }
  const inner = 6 * width;
  const level = features.map(([y, channels]) => conv(n, y, channels, inner, 1, { bias: false }));
  for (let i = 2; i >= 0; i--) level[i] = n.op('Add', [level[i], nearest(n, level[i + 1])]);
  const grown = level.map((y, i) => {
    let z = conv(n, y, inner, inner / 4, 3, { bias: false });
    for (let times = 0; times < i; times++) z = nearest(n, z);
    return z;
  });
  x = relu(
    n,
    batchNorm(n, conv(n, n.op('Concat', grown, { axis: 1 }), inner, inner / 4, 3, { bias: false }), inner / 4),
  );
  x = relu(n, convTranspose(n, x, inner / 4, inner / 4, 2, { stride: 2 }));
  return finish(n, 'text detector', imageFeeds(side), {
    map: n.op('Sigmoid', [convTranspose(n, x, inner / 4, 1, 2, { stride: 2 })]),
  });
}

/** CRNN: convolutions over a line of text, two bidirectional LSTMs, a class for each column. */
export function crnn({ length = 160, width = 32, hidden = 192, classes = 6625, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  let x = n.input('pixel_values', 'float32', ['batch', 3, 32, length]);
  let from = 3;
  for (const [to, height, wide] of [
    [width, 2, 2],
    [2 * width, 2, 2],
    [4 * width, 2, 1],
    [8 * width, 2, 1],
    [8 * width, 2, 1],
  ]) {
    x = n.op('MaxPool', [relu(n, conv(n, x, from, to, 3))], { kernel_shape: [height, wide], strides: [height, wide] });
    from = to;
  }
  x = n.transpose(n.squeeze(x, 2), 2, 0, 1);
  for (let i = 0; i < 2; i++) x = bidirectional(n, x, i === 0 ? from : 2 * hidden, hidden);
  const logits = n.linear(n.transpose(x, 1, 0, 2), 2 * hidden, classes);
  const feeds = imageFeeds(1).map((feed) => ({
    ...feed,
    dims: [1, 3, 32, length],
    elements: new Float32Array(3 * 32 * length).map((_, i) => Math.sin(i)),
  }));
  return finish(n, 'crnn', feeds, { probabilities: n.op('Softmax', [logits], { axis: 2 }) });
}
