// Encoders of text.
import * as blocks from './blocks.mjs';
import { Network } from './network.mjs';
import { gatherRows } from './quantised.mjs';
import { Weights } from './weights.mjs';

const { layerNorm } = blocks;

/** Inputs of an encoder of text. */
function textInputs(n, names) {
  return names.map((name) => n.input(name, 'int64', ['batch', 'sequence']));
}
function textFeeds({ batch = 1, length, words, names }) {
  const feeds = new blocks.Feeds(new Weights(99));
  feeds.ids('input_ids', [batch, length], words);
  if (names.includes('attention_mask')) feeds.same('attention_mask', 'int64', [batch, length], 1);
  if (names.includes('token_type_ids')) feeds.same('token_type_ids', 'int64', [batch, length], 0);
  return feeds.list;
}

/** A layer after whose parts LayerNorm stands (BERT). */
function postNormLayer(n, x, { hidden, heads, inner, mask, attention }) {
  const size = hidden / heads;
  const [query, key, value] = [0, 1, 2].map(() => n.linear(x, hidden, hidden));
  const split = [query, key, value].map((y) => blocks.splitHeads(n, y, heads, size));
  const context = blocks.joinHeads(n, attention(n, ...split, { size, heads, mask }), hidden);
  const attended = layerNorm(n, n.sum(n.linear(context, hidden, hidden), x), hidden, { epsilon: 1e-12 });
  const grown = blocks.gelu(n, n.linear(attended, hidden, inner));
  return layerNorm(n, n.sum(n.linear(grown, inner, hidden), attended), hidden, { epsilon: 1e-12 });
}

/**
 * BERT and MiniLM in the eager form, with dynamic batch and length.
 * @param options.pooling - pooler (tanh of the first token), mean (a sentence's embedding, normalised)
 */
export function bert(options = {}) {
  const { layers = 6, hidden = 384, heads = 12, inner = 4 * hidden, words = 8000, length = 32 } = options;
  const { form = 'eager', pooling = 'pooler', batch = 1, shared = false, ...rest } = options;
  const names = ['input_ids', 'attention_mask', 'token_type_ids'];
  const n = new Network({ opset: 12, ...rest });
  const [ids, mask, kinds] = textInputs(n, names);
  const count = n.size(ids, 1);
  const embedded = n.sum(gatherRows(n, ids, words, hidden), gatherRows(n, kinds, 2, hidden), 2);
  const placed = n.sum(embedded, gatherRows(n, blocks.positionIds(n, count, 512), 512, hidden), 3);
  let x = layerNorm(n, placed, hidden, { epsilon: 1e-12 });
  const attention = { eager: blocks.eagerAttention, sdpa: blocks.sdpa, dynamo: blocks.dynamoAttention }[form];
  const added = form === 'eager' ? blocks.simpleMask(n, mask) : blocks.wideMask(n, mask, n.size(ids, 0), count);
  const start = n.drawn;
  for (let layer = 0; layer < layers; layer++) {
    if (shared && layer > 0) n.again(start);
    x = postNormLayer(n, x, { hidden, heads, inner, mask: added, attention });
  }
  const dims = ['batch', 'sequence', hidden];
  if (pooling === 'mean') {
    const wide = n.cast(n.expand(n.unsqueeze(mask, 2), n.op('Shape', [x])), n.type);
    const sums = n.reduce('ReduceSum', n.op('Mul', [x, wide]), [1], 0);
    const counts = n.op('Clip', [n.reduce('ReduceSum', wide, [1], 0), n.number(n.type === 'float16' ? 1e-4 : 1e-9)]);
    const mean = n.op('Div', [sums, counts]);
    const norm = n.reduce('ReduceL2', mean, [1]);
    n.result(
      'sentence_embedding',
      n.op('Div', [mean, n.expand(n.op('Clip', [norm, n.number(1e-6)]), n.op('Shape', [mean]))]),
      ['batch', hidden],
    );
  } else {
    const first = n.op('Gather', [x, n.int(0)], { axis: 1 });
    const pooled = n.op('Gemm', [first, n.matrix('pooler', hidden, hidden), n.vector('pooler.bias', hidden)]);
    n.result('pooler_output', n.op('Tanh', [pooled]), ['batch', hidden]);
  }
  n.result('last_hidden_state', x, dims);
  return { file: n.file('bert'), feeds: textFeeds({ batch, length, words, names }) };
}
