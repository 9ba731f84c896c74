// Convolutions and what stands around them, as torch.onnx writes them: batch normalisation is folded into weights and bias.
import { float } from '../graph-builder.mjs';

const repeated = (value, axes) => Array(axes).fill(value);

/** A weight of int8 with a scale for each output, and a bias of int32: how quantize_static writes those of Conv. */
function quantisedWeights(n, dims, scale, range) {
  const step = scale / 127;
  const weight = n.tensor('Conv.weight_quantized', 'int8', dims, (weights, count) => weights.signedBytes(count));
  const scales = n.tensor('Conv.weight_scale', 'float32', [dims[0]], (weights, count) =>
    weights.floats(count, step / 10, step),
  );
  const zeros = n.list('Conv.weight_zero_point', 'int8', new Int8Array(dims[0]));
  const biasScales = n.list('Conv.bias_scale', 'float32', new Float32Array(dims[0]).fill((step * range) / 127));
  const draw = (weights, count) => Int32Array.from(weights.floats(count, 500));
  const bias = n.tensor('Conv.bias_quantized', 'int32', [dims[0]], draw);
  const biasZeros = n.list('Conv.bias_zero_point', 'int32', new Int32Array(dims[0]));
  return [
    n.op('DequantizeLinear', [weight, scales, zeros], { axis: 0 }),
    n.op('DequantizeLinear', [bias, biasScales, biasZeros], { axis: 0 }),
  ];
}

/** Conv of `from` channels to `to`, over one or two axes, with a bias. */
export function conv(n, x, from, to, size, options = {}) {
  const { stride = 1, group = 1, dilation = 1, axes = 2, bias = true, gain = 6 } = options;
  const { pad = dilation * (size >> 1), range = 4 } = options;
  const dims = [to, from / group, ...repeated(size, axes)];
  const scale = Math.sqrt(gain / ((from / group) * size ** axes));
  const attributes = {
    dilations: repeated(dilation, axes),
    group,
    kernel_shape: repeated(size, axes),
    pads: repeated(pad, 2 * axes),
    strides: repeated(stride, axes),
  };
  if (n.products === 'qdq')
    return n.op('Conv', [n.values.of(x, range), ...quantisedWeights(n, dims, scale, range)], attributes);
  const weights = [n.floats('Conv.weight', dims, scale), ...(bias ? [n.vector('Conv.bias', to)] : [])];
  return n.op('Conv', [x, ...weights], attributes);
}

/** ConvTranspose that makes an axis `stride` times as long. */
export function convTranspose(n, x, from, to, size, { stride, axes = 2, pad = (size - stride) / 2 }) {
  const weight = n.floats(
    'ConvTranspose.weight',
    [from, to, ...repeated(size, axes)],
    Math.sqrt((6 * stride ** axes) / (from * size ** axes)),
  );
  return n.op('ConvTranspose', [x, weight, n.vector('ConvTranspose.bias', to)], {
    dilations: repeated(1, axes),
    group: 1,
    kernel_shape: repeated(size, axes),
    pads: repeated(pad, 2 * axes),
    strides: repeated(stride, axes),
  });
}

export const relu = (n, x, range = 6) => n.values.after(n.op('Relu', [x]), range, true);
export const relu6 = (n, x) => n.values.after(n.op('Clip', [x, n.number(0), n.number(6)]), 6, true);
export const hardSwish = (n, x) => n.op('HardSwish', [x]);
export const pool = (n, x) => n.op('GlobalAveragePool', [x]);
export const maxPool = (n, x, size, stride, pad = size >> 1) =>
  n.op('MaxPool', [x], {
    ceil_mode: 0,
    kernel_shape: [size, size],
    pads: [pad, pad, pad, pad],
    strides: [stride, stride],
  });

/** Batch normalisation that an exporter left. */
export function batchNorm(n, x, channels) {
  const vectors = [
    n.vector('bn.weight', channels, 0.2, 1),
    n.vector('bn.bias', channels),
    n.vector('bn.mean', channels),
  ];
  return n.op('BatchNormalization', [x, ...vectors, n.vector('bn.var', channels, 0.2, 1)], { epsilon: float(1e-5) });
}

/** Squeeze and excite: the means of channels, two 1x1 convolutions, a gate. */
export function squeezeExcite(n, x, channels, inner, inside, gate) {
  const squeezed = inside(conv(n, n.op('ReduceMean', [x], { axes: [2, 3], keepdims: 1 }), channels, inner, 1));
  return n.op('Mul', [x, gate(conv(n, squeezed, inner, channels, 1))]);
}

/** [batch, channels, height, width] as [batch, height * width, channels]. */
export function tokensOf(n, x, channels) {
  return n.transpose(n.op('Reshape', [x, n.sizes([n.size(x, 0), channels, -1])]), 0, 2, 1);
}

/** An image of RGB. */
export const imageInput = (n, side) => n.input('pixel_values', n.type, ['batch', 3, side, side]);

/** The class head: flattened means, Gemm. */
export function classHead(n, x, channels, classes) {
  const flat = n.op('Flatten', [pool(n, x)], { axis: 1 });
  const weight = n.floats('fc.weight', [classes, channels], Math.sqrt(3 / channels));
  return n.op('Gemm', [flat, weight, n.vector('fc.bias', classes)], { transB: 1 });
}
