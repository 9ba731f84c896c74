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
