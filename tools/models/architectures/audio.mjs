// Networks over sound.
import { float } from '../graph-builder.mjs';
import * as blocks from './blocks.mjs';
import { batchNorm, conv, convTranspose, pool } from './convolutions.mjs';
import { Network } from './network.mjs';
import { bidirectional } from './recurrent.mjs';
import { Weights } from './weights.mjs';

const { layerNorm } = blocks;
const along = { axes: 1 };
function finish(n, name, dims, outputs) {
  for (const [key, x] of Object.entries(outputs)) n.result(key, x, undefined);
  return { file: n.file(name), feeds: new blocks.Feeds(new Weights(66)).floats('input_values', n.type, dims).list };
}

/** GroupNorm as torch.onnx writes it: InstanceNormalization of groups, then scale and shift. */
function groupNorm(n, x, channels, groups) {
  const ones = n.list('ones', 'float32', new Float32Array(groups).fill(1));
  const zeros = n.list('zeros', 'float32', new Float32Array(groups));
  const split = n.reshape(x, [0, groups, -1]);
  const normal = n.op('InstanceNormalization', [split, ones, zeros], { epsilon: float(1e-5) });
  const back = n.op('Reshape', [normal, n.op('Shape', [x])]);
  const scaled = n.op('Mul', [back, n.floats('gn.weight', [channels, 1], 0.2, 1)]);
  return n.op('Add', [scaled, n.floats('gn.bias', [channels, 1], 0.1)]);
}

/** A layer of wav2vec2's encoder: BERT's, without a mask. */
function postNormLayer(n, x, hidden, heads, inner) {
  const size = hidden / heads;
  const query = n.op('Mul', [n.linear(x, hidden, hidden), n.number(size ** -0.5)]);
  const split = [query, n.linear(x, hidden, hidden), n.linear(x, hidden, hidden)].map((y) =>
    blocks.splitHeads(n, y, heads, size),
  );
  const context = blocks.joinHeads(n, blocks.eagerAttention(n, ...split, { size, scale: 'none' }), hidden);
  const attended = layerNorm(n, n.sum(x, n.linear(context, hidden, hidden)), hidden);
  const grown = blocks.gelu(n, n.linear(attended, hidden, inner));
  return layerNorm(n, n.sum(attended, n.linear(grown, inner, hidden)), hidden);
}

/** wav2vec2: seven convolutions over samples, a wide grouped convolution for positions, layers, letters. */
export function wav2vec2({
  samples = 8000,
  width = 128,
  hidden = 384,
  heads = 6,
  layers = 4,
  letters = 32,
  ...rest
} = {}) {
  const n = new Network({ opset: 14, ...rest });
  let x = n.unsqueeze(n.input('input_values', n.type, ['batch', 'samples']), 1);
  const sizes = [
    [10, 5],
    [3, 2],
    [3, 2],
    [3, 2],
    [3, 2],
    [2, 2],
    [2, 2],
  ];
  for (const [i, [size, stride]] of sizes.entries()) {
    x = conv(n, x, i === 0 ? 1 : width, width, size, { ...along, stride, pad: 0, bias: false });
    x = blocks.gelu(n, i === 0 ? groupNorm(n, x, width, width) : x);
  }
  x = n.linear(layerNorm(n, n.transpose(x, 0, 2, 1), width), width, hidden);
  const wide = conv(n, n.transpose(x, 0, 2, 1), hidden, hidden, 16, { ...along, group: 16, pad: 8, gain: 3 });
  const places = blocks.gelu(n, n.part(wide, 2, 0, -1));
  x = layerNorm(n, n.op('Add', [x, n.transpose(places, 0, 2, 1)]), hidden);
  for (let layer = 0; layer < layers; layer++) x = postNormLayer(n, x, hidden, heads, 4 * hidden);
  return finish(n, 'wav2vec2', [1, samples], { logits: n.linear(x, hidden, letters) });
}

/** Conformer: half a feed, attention, GLU with a depthwise convolution, half a feed. */
export function conformer({ frames = 200, hidden = 256, heads = 4, layers = 4, classes = 512, ...rest } = {}) {
  const n = new Network({ opset: 14, ...rest });
  const image = n.unsqueeze(n.input('input_values', n.type, ['batch', frames, 80]), 1);
  let x = n.op('Relu', [conv(n, image, 1, hidden / 4, 3, { stride: 2 })]);
  x = n.op('Relu', [conv(n, x, hidden / 4, hidden / 4, 3, { stride: 2 })]);
  x = n.linear(n.view(n.transpose(x, 0, 2, 1, 3), (hidden / 4) * 20), (hidden / 4) * 20, hidden);
  const half = (y) => {
    const inner = blocks.silu(n, n.linear(layerNorm(n, y, hidden), hidden, 4 * hidden));
    return n.op('Add', [y, n.op('Mul', [n.linear(inner, 4 * hidden, hidden), n.number(0.5)])]);
  };
  const size = hidden / heads;
  for (let layer = 0; layer < layers; layer++) {
    x = half(x);
    const normal = layerNorm(n, x, hidden);
    const split = [0, 1, 2].map(() => blocks.splitHeads(n, n.linear(normal, hidden, hidden), heads, size));
    x = n.sum(x, n.linear(blocks.joinHeads(n, blocks.eagerAttention(n, ...split, { size }), hidden), hidden, hidden));
    const turned = n.transpose(layerNorm(n, x, hidden), 0, 2, 1);
    const [gate, value] = n
      .op('Split', [conv(n, turned, hidden, 2 * hidden, 1, along), n.ints([hidden, hidden])], { axis: 1 }, 2)
      .toReversed();
    const open = n.op('Mul', [value, n.op('Sigmoid', [gate])]);
    const deep = blocks.silu(n, batchNorm(n, conv(n, open, hidden, hidden, 15, { ...along, group: hidden }), hidden));
    x = n.op('Add', [x, n.transpose(conv(n, deep, hidden, hidden, 1, { ...along, gain: 3 }), 0, 2, 1)]);
    x = layerNorm(n, half(x), hidden);
  }
  return finish(n, 'conformer', [1, frames, 80], {
    logits: n.op('LogSoftmax', [n.linear(x, hidden, classes)], { axis: -1 }),
  });
}

/** HiFi-GAN: ConvTranspose, and residual blocks of dilated convolutions with LeakyRelu, to samples by Tanh. */
export function hifigan({ frames = 24, width = 192, rates = [8, 8, 2, 2], kernels = [3, 7, 11], ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  const leaky = (y, alpha = 0.1) => n.op('LeakyRelu', [y], { alpha: float(alpha) });
  let x = conv(n, n.input('input_values', n.type, ['batch', 80, 'frames']), 80, width, 7, along);
  let from = width;
  for (const rate of rates) {
    const to = from / 2;
    x = convTranspose(n, leaky(x), from, to, 2 * rate, { ...along, stride: rate, pad: rate / 2 });
    const branches = kernels.map((size) => {
      let y = x;
      for (const dilation of [1, 3, 5]) {
        const inner = conv(n, leaky(y), to, to, size, { ...along, dilation, gain: 3 });
        y = n.op('Add', [conv(n, leaky(inner), to, to, size, { ...along, gain: 1 }), y]);
      }
      return y;
    });
    x = n.op('Div', [branches.reduce((sum, y) => n.op('Add', [sum, y])), n.number(kernels.length)]);
    from = to;
  }
  return finish(n, 'hifigan', [1, 80, frames], {
    waveform: n.op('Tanh', [conv(n, leaky(x, 0.01), from, 1, 7, { ...along, gain: 1 })]),
  });
}

/** Conv-TasNet: learned frames, dilated depthwise blocks with PRelu and GroupNorm, masks for two speakers. */
export function convTasnet({
  samples = 4000,
  width = 256,
  hidden = 128,
  inner = 256,
  blocks: count = 8,
  ...rest
} = {}) {
  const n = new Network({ opset: 13, ...rest });
  const sound = n.unsqueeze(n.input('input_values', n.type, ['batch', 'samples']), 1);
  const frames = n.op('Relu', [conv(n, sound, 1, width, 16, { ...along, stride: 8, pad: 0, bias: false })]);
  const prelu = (y) => n.op('PRelu', [y, n.floats('prelu', [1, 1], 0.1, 0.2)]);
  let x = conv(n, groupNorm(n, frames, width, 1), width, hidden, 1, along);
  let skips;
  for (let i = 0; i < count; i++) {
    let y = groupNorm(n, prelu(conv(n, x, hidden, inner, 1, along)), inner, 1);
    y = groupNorm(n, prelu(conv(n, y, inner, inner, 3, { ...along, dilation: 2 ** (i % 8), group: inner })), inner, 1);
    const skip = conv(n, y, inner, hidden, 1, along);
    skips = skips ? n.op('Add', [skips, skip]) : skip;
    x = n.op('Add', [x, conv(n, y, inner, hidden, 1, along)]);
  }
  const masks = n.op('Relu', [conv(n, prelu(skips), hidden, 2 * width, 1, along)]);
  const split = n.op('Reshape', [masks, n.sizes([n.size(masks, 0), 2, width, -1])]);
  const parts = n.op('Reshape', [
    n.op('Mul', [split, n.unsqueeze(frames, 1)]),
    n.sizes([-1, width, n.size(frames, 2)]),
  ]);
  return finish(n, 'conv-tasnet', [1, samples], {
    sources: convTranspose(n, parts, width, 1, 16, { ...along, stride: 8, pad: 0 }),
  });
}

/** Demucs: strided convolutions with GLU, a bidirectional LSTM, and back with skips. */
export function demucs({ samples = 8192, width = 48, depth = 4, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  const glu = (y, channels) => {
    const [value, gate] = n.op('Split', [y, n.ints([channels, channels])], { axis: 1 }, 2);
    return n.op('Mul', [value, n.op('Sigmoid', [gate])]);
  };
  let x = n.input('input_values', n.type, ['batch', 1, 'samples']);
  let from = 1;
  const skips = [];
  for (let i = 0; i < depth; i++) {
    const to = width << i;
    x = n.op('Relu', [conv(n, x, from, to, 8, { ...along, stride: 4, pad: 2 })]);
    x = glu(conv(n, x, to, 2 * to, 1, along), to);
    skips.push(x);
    from = to;
  }
  const turned = n.transpose(x, 2, 0, 1);
  const lstm = bidirectional(n, turned, from, from);
  x = n.transpose(n.linear(lstm, 2 * from, from), 1, 2, 0);
  for (let i = depth - 1; i >= 0; i--) {
    const to = i === 0 ? 1 : width << (i - 1);
    x = glu(conv(n, n.op('Add', [x, skips[i]]), from, 2 * from, 3, along), from);
    x = convTranspose(n, x, from, to, 8, { ...along, stride: 4, pad: 2 });
    if (i > 0) x = n.op('Relu', [x]);
    from = to;
  }
  return finish(n, 'demucs', [1, 1, samples], { sound: x });
}

/** A keyword spotter: depthwise and pointwise convolutions over 49 frames of 40 features. */
export function keywords({ width = 172, layers = 6, classes = 35, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  const image = n.unsqueeze(n.input('input_values', n.type, ['batch', 49, 40]), 1);
  const act = (y, from, to, size, options) => n.op('Relu', [batchNorm(n, conv(n, y, from, to, size, options), to)]);
  let x = act(image, 1, width, 5, { stride: 2 });
  for (let i = 0; i < layers; i++) x = act(act(x, width, width, 3, { group: width }), width, width, 1);
  const flat = n.op('Flatten', [pool(n, x)], { axis: 1 });
  return finish(n, 'keywords', [1, 49, 40], { scores: n.op('Softmax', [n.linear(flat, width, classes)], { axis: 1 }) });
}
