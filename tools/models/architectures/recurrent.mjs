// LSTM and GRU as torch.onnx writes them, and networks of them.
import * as blocks from './blocks.mjs';
import { Network } from './network.mjs';
import { Weights } from './weights.mjs';

function zeros(n, x, directions, hidden) {
  const shape = n.sizes([directions, n.size(x, 1), hidden]);
  return n.op('ConstantOfShape', [shape], { value: { type: 'float32', dims: [1], data: [0] } });
}

/** A layer over [length, batch, features]; forwards and backwards at once, as [length, batch, 2 * hidden]. */
export function bidirectional(n, x, features, hidden, operator = 'LSTM') {
  const gates = operator === 'LSTM' ? 4 : 3;
  const scale = Math.sqrt(3 / hidden);
  const weights = [
    n.floats('W', [2, gates * hidden, features], scale),
    n.floats('R', [2, gates * hidden, hidden], scale),
    n.floats('B', [2, 2 * gates * hidden], 0.1),
  ];
  const start = zeros(n, x, 2, hidden);
  const states = operator === 'LSTM' ? ['', start, start] : ['', start];
  const attributes = {
    direction: 'bidirectional',
    hidden_size: hidden,
    ...(operator === 'GRU' ? { linear_before_reset: 1 } : {}),
  };
  const [y] = n.op(operator, [x, ...weights, ...states], attributes, operator === 'LSTM' ? 3 : 2);
  return n.op('Reshape', [n.transpose(y, 0, 2, 1, 3), n.ints([0, 0, -1])]);
}

/** A tagger of words: embeddings, two bidirectional layers, a class for each. */
export function tagger({ words = 15000, hidden = 256, length = 24, operator = 'LSTM', classes = 50, ...rest } = {}) {
  const n = new Network({ opset: 13, ...rest });
  const ids = n.input('input_ids', 'int64', ['batch', 'sequence']);
  let x = n.transpose(n.op('Gather', [n.floats('embedding', [words, hidden], 1), ids]), 1, 0, 2);
  for (let i = 0; i < 2; i++) x = bidirectional(n, x, i === 0 ? hidden : 2 * hidden, hidden, operator);
  n.result('logits', n.linear(n.transpose(x, 1, 0, 2), 2 * hidden, classes), ['batch', 'sequence', classes]);
  const feeds = new blocks.Feeds(new Weights(44)).ids('input_ids', [1, length], words);
  return { file: n.file('tagger'), feeds: feeds.list };
}

/**
 * A detector of voice like Silero's: a window of samples, a transform by Conv, four convolutions, one step of an LSTM whose states
 * come in and go out, once for a rate of 16 kHz and once for 8 kHz under If.
 */
export function voiceDetector({ samples = 512, hidden = 128, ...rest } = {}) {
  const n = new Network({ opset: 16, ...rest });
  const input = n.input('input', 'float32', ['batch', samples + 64]);
  const state = n.input('state', 'float32', [2, 'batch', hidden]);
  const rate = n.input('sr', 'int64', []);
  const branch = (bins) => {
    const g = n.inner();
    const padded = g.op('Pad', [g.unsqueeze(input, 1), g.ints([0, 0, 0, 0, 0, 64])], { mode: 'reflect' });
    const strided = { kernel_shape: [bins * 2 - 2], strides: [bins - 1] };
    const both = g.op('Conv', [padded, g.floats('basis', [2 * bins, 1, 2 * bins - 2], 0.1)], strided);
    const squares = g.op('Pow', [both, g.number(2)]);
    let x = g.op('Sqrt', [g.op('Add', [g.part(squares, 1, 0, bins), g.part(squares, 1, bins, 2 * bins)])]);
    let from = bins;
    for (const [to, stride] of [
      [hidden, 1],
      [hidden / 2, 2],
      [hidden / 2, 2],
      [hidden, 1],
    ]) {
      const weight = g.floats('Conv.weight', [to, from, 3], Math.sqrt(2 / from));
      const attributes = { kernel_shape: [3], pads: [1, 1], strides: [stride] };
      x = g.op('Relu', [g.op('Conv', [x, weight, g.vector('Conv.bias', to)], attributes)]);
      from = to;
    }
    const row = g.transpose(g.unsqueeze(g.reduce('ReduceMean', x, [2], 0), 0), 0, 1, 2);
    const scale = Math.sqrt(3 / hidden);
    const weights = [
      [4 * hidden, hidden],
      [4 * hidden, hidden],
    ].map((dims) => g.floats('W', [1, ...dims], scale));
    const states = [0, 1].map((i) => g.part(state, 0, i, i + 1));
    const bias = g.floats('B', [1, 8 * hidden], 0.1);
    const [, last, cell] = g.op('LSTM', [row, ...weights, bias, '', ...states], { hidden_size: hidden }, 3);
    const active = g.op('Relu', [g.transpose(last, 1, 2, 0)]);
    const score = g.op('Conv', [active, g.floats('head', [1, hidden, 1], 0.3), g.vector('head.bias', 1)], {
      kernel_shape: [1],
    });
    g.output(g.op('Sigmoid', [g.reduce('ReduceMean', score, [2], 0)]), 'float32', undefined);
    g.output(g.op('Concat', [last, cell], { axis: 0 }), 'float32', undefined);
    return g;
  };
  const isWide = n.op('Equal', [rate, n.int(16000)]);
  const branches = { then_branch: branch(samples / 4 + 1), else_branch: branch(samples / 8 + 1) };
  n.op('If', [isWide], branches, ['output', 'stateN']);
  n.output('output', 'float32', ['batch', 1]);
  n.output('stateN', 'float32', [2, 'batch', hidden]);
  const feeds = new blocks.Feeds(new Weights(45))
    .floats('input', 'float32', [1, samples + 64])
    .floats('state', 'float32', [2, 1, hidden]);
  return { file: n.file('voice detector'), feeds: feeds.give('sr', 'int64', [], BigInt64Array.of(16000n)).list };
}
