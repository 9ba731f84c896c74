// Transformers over images.
import * as blocks from './blocks.mjs';
import { conv, imageInput, relu, tokensOf } from './convolutions.mjs';
import { Network } from './network.mjs';
import { imageFeeds } from './vision.mjs';

const { layerNorm } = blocks;
const epsilon = { epsilon: 1e-6 };

function finish(n, name, side, outputs) {
  for (const [key, x] of Object.entries(outputs)) n.result(key, x, undefined);
  return { file: n.file(name), feeds: imageFeeds(side, 3, n.type) };
}

/** A layer before whose parts LayerNorm stands. */
function preNormLayer(n, x, { hidden, heads, inner, act = blocks.gelu, attention = blocks.eagerAttention, mask }) {
  const size = hidden / heads;
  const normal = layerNorm(n, x, hidden, epsilon);
  const split = [0, 1, 2].map(() => blocks.splitHeads(n, n.linear(normal, hidden, hidden), heads, size));
  const context = blocks.joinHeads(n, attention(n, ...split, { size, mask }), hidden);
  const attended = n.sum(n.linear(context, hidden, hidden), x);
  const grown = act(n, n.linear(layerNorm(n, attended, hidden, epsilon), hidden, inner));
  return n.sum(n.linear(grown, inner, hidden), attended);
}

/**
 * ViT, DeiT (two tokens in front) and CLIP's (quick Gelu, LayerNorm first).
 * @param options.kind - vit, deit or clip
 */
export function vit(options = {}) {
  const {
    side = 160,
    patch = 16,
    layers = 6,
    hidden = 384,
    heads = 6,
    classes = 1000,
    kind = 'vit',
    form = 'eager',
    ...rest
  } = options;
  const n = new Network({ opset: 14, ...rest });
  const image = imageInput(n, side);
  const front = kind === 'deit' ? 2 : 1;
  const patches = tokensOf(
    n,
    conv(n, image, 3, hidden, patch, { stride: patch, pad: 0, gain: 3, bias: kind !== 'clip' }),
    hidden,
  );
  const tokens = Array.from({ length: front }, () =>
    n.expand(n.floats('cls_token', [1, 1, hidden], 1), n.sizes([n.size(image, 0), -1, -1])),
  );
  const joined = n.op('Concat', [...tokens, patches], { axis: 1 });
  let x = n.sum(joined, n.floats('position_embeddings', [1, (side / patch) ** 2 + front, hidden], 0.5));
  if (kind === 'clip') x = layerNorm(n, x, hidden);
  const attention = { eager: blocks.eagerAttention, sdpa: blocks.sdpa, dynamo: blocks.dynamoAttention }[form];
  const act = kind === 'clip' ? blocks.quickGelu : blocks.gelu;
  for (let layer = 0; layer < layers; layer++)
    x = preNormLayer(n, x, { hidden, heads, inner: 4 * hidden, act, attention });
  const last = layerNorm(n, n.op('Gather', [x, n.int(0)], { axis: 1 }), hidden, epsilon);
  const weight = n.floats('classifier', [classes, hidden], Math.sqrt(3 / hidden));
  return finish(n, kind, side, { logits: n.op('Gemm', [last, weight, n.vector('bias', classes)], { transB: 1 }) });
}

/** torch.roll: what leaves at one end comes in at the other. */
function roll(n, x, shift, axis) {
  return n.op('Concat', [n.part(x, axis, -shift, 2 ** 53 - 1), n.part(x, axis, 0, -shift)], { axis });
}

/** Swin: attention in windows, shifted in every second layer, and patches that merge. */
export function swin({
  side = 112,
  window = 7,
  hidden = 96,
  heads = 3,
  depths = [2, 2, 2],
  classes = 1000,
  ...rest
} = {}) {
  const n = new Network({ opset: 14, ...rest });
  let width = hidden;
  let rows = side / 4;
  let x = layerNorm(n, tokensOf(n, conv(n, imageInput(n, side), 3, hidden, 4, { stride: 4, pad: 0 }), hidden), hidden);
  for (const [stage, depth] of depths.entries()) {
    const count = rows / window;
    const places = window * window;
    const ownHeads = heads << stage;
    const size = width / ownHeads;
    for (let i = 0; i < depth; i++) {
      const shift = i % 2 === 1 && count > 1 ? window >> 1 : 0;
      let y = n.reshape(layerNorm(n, x, width), [-1, rows, rows, width]);
      if (shift) y = roll(n, roll(n, y, -shift, 1), -shift, 2);
      y = n.transpose(n.reshape(y, [-1, count, window, count, window, width]), 0, 1, 3, 2, 4, 5);
      y = n.reshape(y, [-1, places, width]);
      const split = [0, 1, 2].map(() => blocks.splitHeads(n, n.linear(y, width, width), ownHeads, size));
      const table = n.floats('relative_position_bias_table', [(2 * window - 1) ** 2, ownHeads], 0.3);
      const index = Array.from({ length: places * places }, (_, k) => {
        const [a, b] = [Math.floor(k / places), k % places];
        const [down, across] = [Math.floor(a / window) - Math.floor(b / window), (a % window) - (b % window)];
        return BigInt((down + window - 1) * (2 * window - 1) + across + window - 1);
      });
      const indices = n.list('relative_position_index', 'int64', BigInt64Array.from(index));
      const bias = n.transpose(n.reshape(n.op('Gather', [table, indices]), [places, places, ownHeads]), 2, 0, 1);
      const context = blocks.eagerAttention(n, ...split, { size, mask: n.unsqueeze(bias, 0) });
      y = n.linear(blocks.joinHeads(n, context, width), width, width);
      y = n.transpose(n.reshape(y, [-1, count, count, window, window, width]), 0, 1, 3, 2, 4, 5);
      y = n.reshape(y, [-1, rows, rows, width]);
      if (shift) y = roll(n, roll(n, y, shift, 1), shift, 2);
      x = n.sum(x, n.reshape(y, [-1, rows * rows, width]));
      const inner = blocks.gelu(n, n.linear(layerNorm(n, x, width), width, 4 * width));
      x = n.sum(x, n.linear(inner, 4 * width, width));
    }
    if (stage === depths.length - 1) break;
    const grid = n.reshape(x, [-1, rows, rows, width]);
    const every = (y, axis, start) =>
      n.op('Slice', [y, n.ints([start]), n.ints([2 ** 53 - 1]), n.ints([axis]), n.ints([2])]);
    const parts = [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ].map(([down, across]) => every(every(grid, 1, down), 2, across));
    rows /= 2;
    const merged = n.reshape(n.op('Concat', parts, { axis: -1 }), [-1, rows * rows, 4 * width]);
    x = n.product(layerNorm(n, merged, 4 * width), 4 * width, 2 * width);
    width *= 2;
  }
  const mean = n.reduce('ReduceMean', layerNorm(n, x, width), [1], 0);
  return finish(n, 'swin', side, { logits: n.linear(mean, width, classes) });
}

/** SegFormer: attention over reduced keys, a depthwise convolution between two products, a head of all levels. */
export function segformer({
  side = 128,
  widths = [32, 64, 160, 256],
  depths = [2, 2, 2, 2],
  classes = 150,
  ...rest
} = {}) {
  const n = new Network({ opset: 13, ...rest });
  let image = imageInput(n, side);
  let [from, rows] = [3, side];
  const features = [];
  for (const [stage, width] of widths.entries()) {
    const [patch, stride] = stage === 0 ? [7, 4] : [3, 2];
    rows /= stride;
    const toImage = (y, channels, height = rows) =>
      n.op('Reshape', [n.transpose(y, 0, 2, 1), n.sizes([n.size(y, 0), channels, height, height])]);
    let x = layerNorm(n, tokensOf(n, conv(n, image, from, width, patch, { stride }), width), width);
    const heads = [1, 2, 5, 8][stage];
    const size = width / heads;
    const reduction = [8, 4, 2, 1][stage];
    for (let i = 0; i < depths[stage]; i++) {
      const normal = layerNorm(n, x, width);
      let keysFrom = normal;
      if (reduction > 1 && rows >= reduction) {
        const small = conv(n, toImage(normal, width), width, width, reduction, { stride: reduction, pad: 0, gain: 3 });
        keysFrom = layerNorm(n, tokensOf(n, small, width), width);
      }
      const [query, key, value] = [normal, keysFrom, keysFrom].map((y) =>
        blocks.splitHeads(n, n.linear(y, width, width), heads, size),
      );
      const context = blocks.eagerAttention(n, query, key, value, { size });
      x = n.sum(x, n.linear(blocks.joinHeads(n, context, width), width, width));
      const inner = n.linear(layerNorm(n, x, width), width, 4 * width);
      const mixed = tokensOf(
        n,
        conv(n, toImage(inner, 4 * width), 4 * width, 4 * width, 3, { group: 4 * width, gain: 3 }),
        4 * width,
      );
      x = n.sum(x, n.linear(blocks.gelu(n, mixed), 4 * width, width));
    }
    image = toImage(layerNorm(n, x, width), width);
    from = width;
    features.push(image);
  }
  const target = n.slice(n.op('Shape', [features[0]]), [2], [4], [0]);
  const levels = features.map((y, i) => {
    const all = n.transpose(n.linear(tokensOf(n, y, widths[i]), widths[i], 128), 0, 2, 1);
    const map = n.op('Reshape', [all, n.sizes([n.size(y, 0), -1, n.size(y, 2), n.size(y, 3)])]);
    if (i === 0) return map;
    const sizes = n.op('Concat', [n.slice(n.op('Shape', [map]), [0], [2], [0]), target], { axis: 0 });
    return n.op('Resize', [map, '', '', sizes], { coordinate_transformation_mode: 'half_pixel', mode: 'linear' });
  });
  const fused = relu(n, conv(n, n.op('Concat', levels.toReversed(), { axis: 1 }), 128 * levels.length, 128, 1));
  return finish(n, 'segformer', side, { logits: conv(n, fused, 128, classes, 1) });
}

/** DETR: a small ResNet, an encoder with positions added to queries and keys, and a decoder of learned queries. */
export function detr({
  side = 192,
  width = 32,
  hidden = 256,
  heads = 8,
  layers = 2,
  queries = 100,
  classes = 92,
  ...rest
} = {}) {
  const n = new Network({ opset: 12, ...rest });
  const act = (y, from, to, stride) => relu(n, conv(n, y, from, to, 3, { stride }));
  let image = imageInput(n, side);
  for (const [from, to] of [
    [3, width],
    [width, 2 * width],
    [2 * width, 4 * width],
    [4 * width, 8 * width],
    [8 * width, 8 * width],
  ])
    image = act(act(image, from, to, 2), to, to, 1);
  const places = (side / 32) ** 2;
  const size = hidden / heads;
  const attend = (q, k, v) => {
    const split = [q, k, v].map((y) => blocks.splitHeads(n, n.linear(y, hidden, hidden), heads, size));
    return n.linear(
      blocks.joinHeads(n, blocks.eagerAttention(n, ...split, { size, scale: 'Mul' }), hidden),
      hidden,
      hidden,
    );
  };
  const feed = (y) =>
    layerNorm(n, n.sum(y, n.linear(n.op('Relu', [n.linear(y, hidden, 4 * hidden)]), 4 * hidden, hidden)), hidden);
  const places2 = n.floats('position', [1, places, hidden], 0.5);
  let x = tokensOf(n, conv(n, image, 8 * width, hidden, 1, { gain: 3 }), hidden);
  for (let layer = 0; layer < layers; layer++) {
    const placed = n.op('Add', [x, places2]);
    x = feed(layerNorm(n, n.sum(x, attend(placed, placed, x)), hidden));
  }
  const asked = n.floats('query_embed', [1, queries, hidden], 1);
  let y = n.op('Mul', [asked, n.number(0)]);
  for (let layer = 0; layer < layers; layer++) {
    const placed = n.op('Add', [y, asked]);
    y = layerNorm(n, n.sum(y, attend(placed, placed, y)), hidden);
    y = layerNorm(n, n.sum(y, attend(n.op('Add', [y, asked]), n.op('Add', [x, places2]), x)), hidden);
    y = feed(y);
  }
  const box = n.op('Relu', [n.linear(n.op('Relu', [n.linear(y, hidden, hidden)]), hidden, hidden)]);
  return finish(n, 'detr', side, {
    logits: n.linear(y, hidden, classes),
    boxes: n.op('Sigmoid', [n.linear(box, hidden, 4)]),
  });
}
