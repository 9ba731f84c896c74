// A network of quantised convolutions, as exporters write it: a QuantizeLinear and a DequantizeLinear after every node, and
// weights of 8 bits before a DequantizeLinear. Runs compute the pairs at the end of convolutions; onnxruntime has kernels of
// integers for them. Both round as the text says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ort from 'onnxruntime-node';
import { countOf, floats } from '../../bench/numbers.mjs';
import { load } from '../../dist/inline.js';
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';

const numbers = (count, factor) => Array.from(floats(count), (value) => value * factor);

/** Adds the pair after a value. */
function pair(g, x) {
  const parameters = [g.number(0.05), g.constant('uint8', [], [128])];
  return g.op('DequantizeLinear', [g.op('QuantizeLinear', [x, ...parameters]), ...parameters]);
}

/** Adds a convolution of `filters` of kernel x kernel over `channels` in each group. */
function convolve(g, x, { filters, channels, kernel, stride = 1, group = 1 }, isLast = false) {
  const dims = [filters, channels, kernel, kernel];
  const bytes = Buffer.from(Int8Array.from(numbers(countOf(dims), 127)).buffer);
  const scales = g.constant(
    'float32',
    [filters],
    numbers(filters, 0.001).map((value) => 0.002 + value),
  );
  const w = g.op('DequantizeLinear', [g.weight('w', dims, bytes, 'int8'), scales], { axis: 0 });
  const bias = g.op('DequantizeLinear', [
    g.constant('int32', [filters], numbers(filters, 900).map(Math.round)),
    g.number(1e-4),
  ]);
  const pad = kernel >> 1;
  const y = g.op('Conv', [x, w, bias], { group, strides: [stride, stride], pads: [pad, pad, pad, pad] });
  return pair(g, isLast ? y : g.op('Relu', [y]));
}

function network() {
  const g = new GraphBuilder(13);
  let x = pair(g, g.input('x', 'float32', [1, 3, 40, 36]));
  x = convolve(g, x, { filters: 32, channels: 3, kernel: 3, stride: 2 });
  for (let i = 0; i < 2; i++) {
    const wide = convolve(g, x, { filters: 96, channels: 32, kernel: 1 });
    const mixed = convolve(g, wide, { filters: 96, channels: 1, kernel: 3, group: 96 });
    x = pair(g, g.op('Add', [x, convolve(g, mixed, { filters: 32, channels: 96, kernel: 1 }, true)]));
  }
  x = convolve(g, x, { filters: 48, channels: 32, kernel: 3 });
  g.op('GlobalAveragePool', [x], {}, ['y']);
  g.output('y', 'float32', [1, 48, 1, 1]);
  return g.model('quantised');
}

test('a network of quantised convolutions has the results of onnxruntime', async () => {
  const dims = [1, 3, 40, 36];
  const bytes = network();
  const ops = await load();
  const model = ops.loadModel(bytes);
  const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 4, intraOpNumThreads: 1 });
  const x = floats(countOf(dims)).map((value) => value * 4);
  const found = model.run({ x: { type: 'float32', dims, data: x } }).y.data;
  const wanted = (await session.run({ x: new ort.Tensor('float32', x, dims) })).y.data;
  const largest = Math.max(...wanted);
  assert.ok(largest > 1);
  wanted.forEach((value, i) => {
    assert.ok(Math.abs(value - found[i]) < 1e-5 * largest, `${value} ${found[i]}`);
  });
});
