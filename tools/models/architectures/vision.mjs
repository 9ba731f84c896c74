// Networks of convolutions that classify images, or make images of them.
import { float } from '../graph-builder.mjs';
import * as blocks from './blocks.mjs';
import {
  classHead,
  conv,
  convTranspose,
  hardSwish,
  imageInput,
  maxPool,
  relu,
  relu6,
  squeezeExcite,
} from './convolutions.mjs';
import { Network } from './network.mjs';
import { Weights } from './weights.mjs';

export const imageFeeds = (side, channels = 3, type = 'float32') =>
  new blocks.Feeds(new Weights(55)).floats('pixel_values', type, [1, channels, side, side]).list;

function finish(n, name, side, outputs) {
  for (const [key, x] of Object.entries(outputs)) n.result(key, x, undefined);
  return { file: n.file(name), feeds: imageFeeds(side, 3, n.type) };
}

/** ResNet-18. */
export function resnet({ side = 128, width = 64, depth = 2, classes = 1000, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  let x = maxPool(n, relu(n, conv(n, imageInput(n, side), 3, width, 7, { stride: 2, pad: 3 })), 3, 2);
  let from = width;
  for (const [i, factor] of [1, 2, 4, 8].entries()) {
    const to = width * factor;
    for (let block = 0; block < depth; block++) {
      const stride = block === 0 && i > 0 ? 2 : 1;
      const inner = relu(n, conv(n, x, from, to, 3, { stride }));
      const outer = n.values.after(conv(n, inner, to, to, 3, { gain: 2 }), 6);
      const short = stride > 1 ? n.values.after(conv(n, x, from, to, 1, { stride, gain: 3 }), 6) : x;
      x = relu(n, n.op('Add', [outer, n.values.of(short)]), 8);
      from = to;
    }
  }
  return finish(n, 'resnet18', side, { logits: classHead(n, x, from, classes) });
}

/** Factor, channels, blocks and first stride of MobileNetV2's stages. */
export const mobilenetV2Stages = [
  [1, 16, 1, 1],
  [6, 24, 2, 2],
  [6, 32, 3, 2],
  [6, 64, 4, 2],
  [6, 96, 3, 1],
  [6, 160, 3, 2],
  [6, 320, 1, 1],
];

/** MobileNetV2: expansion, depthwise, projection, with Clip from 0 to 6. */
export function mobilenetV2({ side = 160, classes = 1000, stages, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  let x = relu6(n, conv(n, imageInput(n, side), 3, 32, 3, { stride: 2 }));
  let from = 32;
  for (const [factor, to, count, first] of stages ?? mobilenetV2Stages)
    for (let i = 0; i < count; i++) {
      const stride = i === 0 ? first : 1;
      const inner = from * factor;
      const grown = factor === 1 ? x : relu6(n, conv(n, x, from, inner, 1));
      const deep = relu6(n, conv(n, grown, inner, inner, 3, { stride, group: inner }));
      const y = conv(n, deep, inner, to, 1, { gain: 3 });
      x = stride === 1 && from === to ? n.op('Add', [x, y]) : y;
      from = to;
    }
  x = relu6(n, conv(n, x, from, 1280, 1));
  return finish(n, 'mobilenetv2', side, { logits: classHead(n, x, 1280, classes) });
}

/** MobileNetV3: HardSwish and squeeze-and-excite with HardSigmoid. */
export function mobilenetV3({ side = 224, classes = 1000, stages, ...rest } = {}) {
  const n = new Network({ opset: 14, ...rest });
  let x = hardSwish(n, conv(n, imageInput(n, side), 3, 16, 3, { stride: 2 }));
  let from = 16;
  const all = [
    [3, 16, 16, true, false, 2],
    [3, 72, 24, false, false, 2],
    [3, 88, 24, false, false, 1],
    [5, 96, 40, true, true, 2],
    [5, 240, 40, true, true, 1],
    [5, 240, 40, true, true, 1],
    [5, 120, 48, true, true, 1],
    [5, 144, 48, true, true, 1],
    [5, 288, 96, true, true, 2],
    [5, 576, 96, true, true, 1],
    [5, 576, 96, true, true, 1],
  ];
  const hardSigmoid = (y) => n.op('HardSigmoid', [y], { alpha: float(1 / 6) });
  for (const [size, inner, to, hasGate, isHard, stride] of stages ?? all) {
    const act = isHard ? hardSwish : relu;
    let y = act(n, conv(n, x, from, inner, 1));
    y = act(n, conv(n, y, inner, inner, size, { stride, group: inner }));
    if (hasGate) y = squeezeExcite(n, y, inner, Math.ceil(inner / 32) * 8, (z) => relu(n, z), hardSigmoid);
    y = conv(n, y, inner, to, 1, { gain: 3 });
    x = stride === 1 && from === to ? n.op('Add', [x, y]) : y;
    from = to;
  }
  x = hardSwish(n, conv(n, x, from, 576, 1));
  return finish(n, 'mobilenetv3', side, { logits: classHead(n, x, 576, classes) });
}

/** EfficientNet-B0: Silu and squeeze-and-excite. */
export function efficientnet({ side = 128, classes = 1000, stages, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  const silu = (y) => blocks.silu(n, y);
  let x = silu(conv(n, imageInput(n, side), 3, 32, 3, { stride: 2 }));
  let from = 32;
  const all = [
    [1, 16, 1, 1, 3],
    [6, 24, 2, 2, 3],
    [6, 40, 2, 2, 5],
    [6, 80, 3, 2, 3],
    [6, 112, 3, 1, 5],
    [6, 192, 4, 2, 5],
    [6, 320, 1, 1, 3],
  ];
  for (const [factor, to, count, first, size] of stages ?? all)
    for (let i = 0; i < count; i++) {
      const stride = i === 0 ? first : 1;
      const inner = from * factor;
      let y = factor === 1 ? x : silu(conv(n, x, from, inner, 1));
      y = silu(conv(n, y, inner, inner, size, { stride, group: inner }));
      y = squeezeExcite(n, y, inner, Math.max(1, from >> 2), silu, (z) => n.op('Sigmoid', [z]));
      y = conv(n, y, inner, to, 1, { gain: 3 });
      x = stride === 1 && from === to ? n.op('Add', [x, y]) : y;
      from = to;
    }
  x = silu(conv(n, x, from, 1280, 1));
  return finish(n, 'efficientnet', side, { logits: classHead(n, x, 1280, classes) });
}

/** ConvNeXt: depthwise 7x7, LayerNorm over channels last, two linear layers, a scale for each channel. */
export function convnext({
  side = 96,
  widths = [96, 192, 384, 768],
  depths = [2, 2, 4, 2],
  classes = 1000,
  ...rest
} = {}) {
  const n = new Network({ opset: 14, ...rest });
  const normFirst = (y, channels) =>
    n.transpose(blocks.layerNorm(n, n.transpose(y, 0, 2, 3, 1), channels, { epsilon: 1e-6 }), 0, 3, 1, 2);
  let x = normFirst(conv(n, imageInput(n, side), 3, widths[0], 4, { stride: 4, pad: 0 }), widths[0]);
  for (const [stage, width] of widths.entries()) {
    if (stage > 0)
      x = conv(n, normFirst(x, widths[stage - 1]), widths[stage - 1], width, 2, { stride: 2, pad: 0, gain: 3 });
    for (let i = 0; i < depths[stage]; i++) {
      const last = n.transpose(conv(n, x, width, width, 7, { group: width, gain: 3 }), 0, 2, 3, 1);
      const normal = blocks.layerNorm(n, last, width, { epsilon: 1e-6 });
      const inner = blocks.gelu(n, n.linear(normal, width, 4 * width));
      const outer = n.op('Mul', [n.vector('layer_scale', width, 0.1, 0.5), n.linear(inner, 4 * width, width)]);
      x = n.op('Add', [x, n.transpose(outer, 0, 3, 1, 2)]);
    }
  }
  return finish(n, 'convnext', side, { logits: classHead(n, x, widths.at(-1), classes) });
}

/** Instance normalisation of fast style transfer, with padding by reflection and upsampling by Resize. */
export function styleTransfer({ side = 96, width = 32, blocks: count = 5, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  const norm = (y, channels) =>
    n.op('InstanceNormalization', [y, n.vector('in.weight', channels, 0.2, 1), n.vector('in.bias', channels)], {
      epsilon: float(1e-5),
    });
  const padded = (y, from, to, size, stride) => {
    const p = size >> 1;
    const reflected = n.op('Pad', [y, n.ints([0, 0, p, p, 0, 0, p, p])], { mode: 'reflect' });
    return conv(n, reflected, from, to, size, { stride, pad: 0 });
  };
  let x = imageInput(n, side);
  for (const [from, to, size, stride] of [
    [3, width, 9, 1],
    [width, 2 * width, 3, 2],
    [2 * width, 4 * width, 3, 2],
  ])
    x = n.op('Relu', [norm(padded(x, from, to, size, stride), to)]);
  for (let i = 0; i < count; i++) {
    const inner = n.op('Relu', [norm(padded(x, 4 * width, 4 * width, 3, 1), 4 * width)]);
    x = n.op('Add', [norm(padded(inner, 4 * width, 4 * width, 3, 1), 4 * width), x]);
  }
  for (const factor of [4, 2]) {
    const scales = n.constant('float32', [4], [1, 1, 2, 2]);
    const attributes = { coordinate_transformation_mode: 'asymmetric', mode: 'nearest', nearest_mode: 'floor' };
    const grown = n.op('Resize', [x, '', scales], attributes);
    x = n.op('Relu', [norm(padded(grown, factor * width, (factor / 2) * width, 3, 1), (factor / 2) * width)]);
  }
  return finish(n, 'style', side, { image: padded(x, width, 3, 9, 1) });
}

/** Super-resolution by DepthToSpace, with PRelu. */
export function superResolution({ side = 96, width = 48, layers = 4, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  const prelu = (y) => n.op('PRelu', [y, n.floats('prelu', [width, 1, 1], 0.1, 0.2)]);
  const first = prelu(conv(n, imageInput(n, side), 3, width, 3));
  let x = first;
  for (let i = 0; i < layers; i++) x = prelu(conv(n, x, width, width, 3));
  x = conv(n, n.op('Add', [x, first]), width, 27, 3);
  return finish(n, 'superresolution', side, { image: n.op('DepthToSpace', [x], { blocksize: 3, mode: 'CRD' }) });
}

/** An autoencoder of images with a narrow middle, grown again by ConvTranspose. */
export function autoencoder({ side = 64, width = 48, middle = 256, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  let x = imageInput(n, side);
  const widths = [3, width, 2 * width, 4 * width, 8 * width];
  const leaky = (y) => n.op('LeakyRelu', [y], { alpha: float(0.1) });
  for (let i = 0; i < 4; i++) x = leaky(conv(n, x, widths[i], widths[i + 1], 3, { stride: 2 }));
  const features = (side / 16) ** 2 * widths[4];
  const flat = n.op('Flatten', [x], { axis: 1 });
  const code = n.op(
    'Gemm',
    [flat, n.floats('fc', [middle, features], Math.sqrt(3 / features)), n.vector('fc.bias', middle)],
    { transB: 1 },
  );
  const grown = n.op(
    'Gemm',
    [code, n.floats('fc', [features, middle], Math.sqrt(3 / middle)), n.vector('fc.bias', features)],
    { transB: 1 },
  );
  x = n.op('Reshape', [leaky(grown), n.sizes([n.size(code, 0), widths[4], side / 16, side / 16])]);
  for (let i = 4; i > 1; i--) x = leaky(convTranspose(n, x, widths[i], widths[i - 1], 4, { stride: 2 }));
  return finish(n, 'autoencoder', side, {
    image: n.op('Sigmoid', [convTranspose(n, x, width, 3, 4, { stride: 2 })]),
    code,
  });
}
