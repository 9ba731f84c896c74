// MobileNetV2 with QLinearConv, as quantize_static writes it in the form QOperator: bytes from the image to the classes.
import { Network } from './network.mjs';
import { imageFeeds, mobilenetV2Stages } from './vision.mjs';

/** A value of uint8 with its scale and zero point. */
const quantised = (n, name, scale, zero) => ({
  name,
  step: scale,
  scale: n.list('scale', 'float32', [scale], []),
  zero: n.list('zero_point', 'uint8', [zero], []),
});
const inputsOf = ({ name, scale, zero }) => [name, scale, zero];

/** QLinearConv with weights of int8, a scale for each output. Clip from 0 to 6 is in the range of the result. */
function conv(n, x, from, to, size, { stride = 1, group = 1, isLinear = false } = {}) {
  const dims = [to, from / group, size, size];
  const step = Math.sqrt(6 / (dims[1] * size * size)) / 127;
  const weight = n.tensor('weight', 'int8', dims, (weights, count) => weights.signedBytes(count));
  const scales = n.tensor('scales', 'float32', [to], (weights, count) => weights.floats(count, step / 10, step));
  const zeros = n.list('zeros', 'int8', new Int8Array(to));
  const bias = n.tensor('bias', 'int32', [to], (weights, count) => Int32Array.from(weights.floats(count, 500)));
  const y = isLinear ? quantised(n, '', 12 / 255, 128) : quantised(n, '', 6 / 255, 0);
  const pad = size >> 1;
  const attributes = {
    group,
    kernel_shape: [size, size],
    pads: [pad, pad, pad, pad],
    strides: [stride, stride],
    dilations: [1, 1],
  };
  y.name = n.op('QLinearConv', [...inputsOf(x), weight, scales, zeros, y.scale, y.zero, bias], attributes);
  return y;
}

export function qlinearMobilenet({ side = 160, classes = 1000, stages, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  const image = n.input('pixel_values', 'float32', ['batch', 3, side, side]);
  let x = quantised(n, '', 2 / 255, 128);
  x.name = n.op('QuantizeLinear', [image, x.scale, x.zero]);
  x = conv(n, x, 3, 32, 3, { stride: 2 });
  let from = 32;
  for (const [factor, to, count, first] of stages ?? mobilenetV2Stages)
    for (let i = 0; i < count; i++) {
      const stride = i === 0 ? first : 1;
      const inner = from * factor;
      const grown = factor === 1 ? x : conv(n, x, from, inner, 1);
      const y = conv(n, conv(n, grown, inner, inner, 3, { stride, group: inner }), inner, to, 1, { isLinear: true });
      if (stride === 1 && from === to) {
        const sum = quantised(n, '', 16 / 255, 128);
        sum.name = n.op('QLinearAdd', [...inputsOf(x), ...inputsOf(y), sum.scale, sum.zero], {}, 1, 'com.microsoft');
        x = sum;
      } else x = y;
      from = to;
    }
  x = conv(n, x, from, 1280, 1);
  const mean = quantised(n, '', 4 / 255, 0);
  mean.name = n.op(
    'QLinearGlobalAveragePool',
    [...inputsOf(x), mean.scale, mean.zero],
    { channels_last: 0 },
    1,
    'com.microsoft',
  );
  const flat = n.op('DequantizeLinear', [n.op('Flatten', [mean.name], { axis: 1 }), mean.scale, mean.zero]);
  n.result('logits', n.linear(flat, 1280, classes), ['batch', classes]);
  return { file: n.file('qlinear mobilenet'), feeds: imageFeeds(side) };
}
