// Encoders and decoders with attention between them: T5 and Whisper.
import * as blocks from './blocks.mjs';
import { conv } from './convolutions.mjs';
import { Network } from './network.mjs';
import { Weights } from './weights.mjs';

const { layerNorm } = blocks;

/** T5's buckets of distances between queries and keys, as an addition to scores: [1, heads, queries, keys]. */
function relativeBias(n, from, to, heads, isTwoWay) {
  const range = (start, end) => n.op('Range', [start, end, n.int(1)]);
  const queries = n.unsqueeze(range(from, to), 1);
  const distance = n.op('Sub', [n.unsqueeze(range(n.int(0), to), 0), queries]);
  const count = isTwoWay ? 16 : 32;
  let base = n.int(0);
  let far = n.op('Neg', [
    n.op('Min', [
      distance,
      n.op('ConstantOfShape', [n.op('Shape', [distance])], { value: { type: 'int64', dims: [1], data: [0] } }),
    ]),
  ]);
  if (isTwoWay) {
    base = n.op('Mul', [n.cast(n.op('Greater', [distance, n.int(0)]), 'int64'), n.int(count)]);
    far = n.op('Abs', [distance]);
  }
  const exact = count / 2;
  const ratio = n.op('Log', [n.op('Div', [n.cast(far, 'float32'), n.number(exact)])]);
  const scaled = n.op('Mul', [n.op('Div', [ratio, n.number(Math.log(128 / exact))]), n.number(count - exact)]);
  const large = n.op('Min', [n.op('Add', [n.cast(scaled, 'int64'), n.int(exact)]), n.int(count - 1)]);
  const bucket = n.op('Add', [base, n.op('Where', [n.op('Less', [far, n.int(exact)]), far, large])]);
  const values = n.op('Gather', [n.floats('relative_attention_bias', [32, heads], 0.5), bucket]);
  return n.unsqueeze(n.transpose(values, 2, 0, 1), 0);
}

/** T5's norm of squares before each part, and its two products with Relu between. */
const t5Norm = (n, x, hidden) => {
  const root = n.op('Sqrt', [
    n.op('Add', [n.reduce('ReduceMean', n.op('Pow', [x, n.number(2)]), [-1]), n.number(1e-6)]),
  ]);
  return n.op('Mul', [n.vector('layer_norm.weight', hidden, 0.2, 1), n.op('Div', [x, root])]);
};
const t5Feed = (n, x, hidden, inner) =>
  n.op('Add', [x, n.product(n.op('Relu', [n.product(t5Norm(n, x, hidden), hidden, inner)]), inner, hidden)]);

/** T5's encoder. */
export function t5Encoder({
  layers = 4,
  hidden = 512,
  heads = 8,
  inner = 1024,
  words = 8000,
  length = 32,
  ...rest
} = {}) {
  const n = new Network({ opset: 13, ...rest });
  const size = hidden / heads;
  const ids = n.input('input_ids', 'int64', ['batch', 'sequence']);
  const mask = n.input('attention_mask', 'int64', ['batch', 'sequence']);
  let x = n.op('Gather', [n.floats('shared', [words, hidden], 1), ids]);
  const added = n.op('Add', [relativeBias(n, n.int(0), n.size(ids, 1), heads, true), blocks.simpleMask(n, mask)]);
  for (let layer = 0; layer < layers; layer++) {
    const normal = t5Norm(n, x, hidden);
    const split = [0, 1, 2].map(() => blocks.splitHeads(n, n.product(normal, hidden, hidden), heads, size));
    const context = blocks.eagerAttention(n, ...split, { size, mask: added, scale: 'none' });
    x = n.op('Add', [x, n.product(blocks.joinHeads(n, context, hidden), hidden, hidden)]);
    x = t5Feed(n, x, hidden, inner);
  }
  n.result('last_hidden_state', t5Norm(n, x, hidden), ['batch', 'sequence', hidden]);
  const feeds = new blocks.Feeds(new Weights(33))
    .ids('input_ids', [1, length], words)
    .same('attention_mask', 'int64', [1, length], 1);
  return { file: n.file('t5 encoder'), feeds: feeds.list };
}

/** Caches of a decoder that asks an encoder: four for each layer. */
function cacheInputs(n, layers, heads, size) {
  return Array.from({ length: layers }, (_, layer) =>
    ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map((kind) => {
      const length = kind.startsWith('decoder') ? 'past' : 'encoder_sequence';
      return n.input(`past_key_values.${layer}.${kind}`, n.type, ['batch', heads, length, size]);
    }),
  );
}
function cacheFeeds(feeds, { layers, heads, size, past, memory, type = 'float32' }) {
  for (let layer = 0; layer < layers; layer++)
    for (const kind of ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'])
      feeds.floats(`past_key_values.${layer}.${kind}`, type, [
        1,
        heads,
        kind.startsWith('decoder') ? past : memory,
        size,
      ]);
  return feeds;
}
const grown = (n, name, past, now) => n.op('Concat', [past, now], { axis: 2 }, [name]);

/** A step of T5's decoder: its own caches grow, those of the encoder stay. */
export function t5Step({
  layers = 4,
  hidden = 512,
  heads = 8,
  inner = 1024,
  words = 32128,
  past = 32,
  memory = 32,
  ...rest
} = {}) {
  const n = new Network({ opset: 13, ...rest });
  const size = hidden / heads;
  const ids = n.input('input_ids', 'int64', ['batch', 1]);
  const mask = n.input('encoder_attention_mask', 'int64', ['batch', 'encoder_sequence']);
  const caches = cacheInputs(n, layers, heads, size);
  let x = n.op('Gather', [n.floats('shared', [words, hidden], 1), ids]);
  const before = n.size(caches[0][0], 2);
  const own = relativeBias(n, before, n.op('Add', [before, n.size(ids, 1)]), heads, false);
  const across = blocks.simpleMask(n, mask);
  for (let layer = 0; layer < layers; layer++) {
    const [keys, values, otherKeys, otherValues] = caches[layer];
    const normal = t5Norm(n, x, hidden);
    const [query, newKey, newValue] = [0, 1, 2].map(() =>
      blocks.splitHeads(n, n.product(normal, hidden, hidden), heads, size),
    );
    const key = grown(n, `present.${layer}.decoder.key`, keys, newKey);
    const value = grown(n, `present.${layer}.decoder.value`, values, newValue);
    for (const y of [key, value]) n.output(y, n.type, ['batch', heads, 'total', size]);
    const context = blocks.eagerAttention(n, query, key, value, { size, mask: own, scale: 'none' });
    x = n.op('Add', [x, n.product(blocks.joinHeads(n, context, hidden), hidden, hidden)]);
    const asks = blocks.splitHeads(n, n.product(t5Norm(n, x, hidden), hidden, hidden), heads, size);
    const other = blocks.eagerAttention(n, asks, otherKeys, otherValues, { size, mask: across, scale: 'none' });
    x = n.op('Add', [x, n.product(blocks.joinHeads(n, other, hidden), hidden, hidden)]);
    x = t5Feed(n, x, hidden, inner);
  }
  const last = n.op('Mul', [t5Norm(n, x, hidden), n.number(hidden ** -0.5)]);
  n.result('logits', n.product(last, hidden, words, 'lm_head'), ['batch', 1, words]);
  const feeds = new blocks.Feeds(new Weights(34))
    .ids('input_ids', [1, 1], words)
    .same('encoder_attention_mask', 'int64', [1, memory], 1);
  return { file: n.file('t5 step'), feeds: cacheFeeds(feeds, { layers, heads, size, past, memory }).list };
}

/** Whisper's layer before the second half: queries that are scaled first, as its eager form is. */
function whisperAttention(n, x, hidden, heads, keys, values, mask) {
  const size = hidden / heads;
  const query = blocks.splitHeads(n, n.op('Mul', [n.linear(x, hidden, hidden), n.number(size ** -0.5)]), heads, size);
  const context = blocks.eagerAttention(n, query, keys, values, { size, mask, scale: 'none' });
  return n.linear(blocks.joinHeads(n, context, hidden), hidden, hidden);
}
const whisperFeed = (n, x, hidden) =>
  n.sum(x, n.linear(blocks.gelu(n, n.linear(layerNorm(n, x, hidden), hidden, 4 * hidden)), 4 * hidden, hidden));
/** Keys have no bias. */
const keysOf = (n, x, hidden, heads) => blocks.splitHeads(n, n.product(x, hidden, hidden), heads, hidden / heads);
const valuesOf = (n, x, hidden, heads) => blocks.splitHeads(n, n.linear(x, hidden, hidden), heads, hidden / heads);

/** Whisper's encoder over mel features: two convolutions with Gelu, positions, layers. */
export function whisperEncoder({ layers = 4, hidden = 384, heads = 6, frames = 400, ...rest } = {}) {
  const n = new Network({ opset: 14, ...rest });
  const features = n.input('input_features', n.type, ['batch', 80, frames]);
  let x = blocks.gelu(n, conv(n, features, 80, hidden, 3, { axes: 1 }));
  x = n.transpose(blocks.gelu(n, conv(n, x, hidden, hidden, 3, { axes: 1, stride: 2 })), 0, 2, 1);
  x = n.sum(x, n.floats('embed_positions', [frames / 2, hidden], 0.5));
  for (let layer = 0; layer < layers; layer++) {
    const normal = layerNorm(n, x, hidden);
    const [keys, values] = [keysOf(n, normal, hidden, heads), valuesOf(n, normal, hidden, heads)];
    x = n.sum(x, whisperAttention(n, normal, hidden, heads, keys, values));
    x = whisperFeed(n, x, hidden);
  }
  n.result('last_hidden_state', layerNorm(n, x, hidden), ['batch', frames / 2, hidden]);
  return {
    file: n.file('whisper encoder'),
    feeds: new blocks.Feeds(new Weights(35)).floats('input_features', n.type, [1, 80, frames]).list,
  };
}

/** The body of a merged decoder: with caches it asks those of the encoder, and without them it makes them. */
function whisperBody(n, { ids, states, caches, layers, hidden, heads, words, suffix }) {
  const size = hidden / heads;
  const tied = n.products === 'plain';
  const table = n.floats('embed_tokens', [words, hidden], 0.3);
  const before = caches ? n.size(caches[0][0], 2) : n.int(0);
  const length = n.size(ids, 1);
  const total = n.op('Add', [before, length]);
  const places = n.op('Slice', [
    n.floats('embed_positions', [448, hidden], 0.3),
    n.unsqueeze(before, 0),
    n.unsqueeze(total, 0),
    n.ints([0]),
  ]);
  let x = n.op('Add', [n.op('Gather', [table, ids]), places]);
  let mask;
  if (!caches) {
    const full = n.op('Expand', [
      n.number(n.type === 'float16' ? -65504 : -3.4028234663852886e38),
      n.sizes([length, length]),
    ]);
    mask = n.unsqueeze(n.unsqueeze(n.op('Trilu', [full, n.int(1)], { upper: 1 }), 0), 1);
  }
  for (let layer = 0; layer < layers; layer++) {
    const names = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map(
      (kind) => `present.${layer}.${kind}${suffix}`,
    );
    const normal = layerNorm(n, x, hidden);
    const own = [keysOf(n, normal, hidden, heads), valuesOf(n, normal, hidden, heads)];
    const [keys, values] = own.map((y, i) =>
      caches ? grown(n, names[i], caches[layer][i], y) : n.op('Identity', [y], {}, [names[i]]),
    );
    x = n.sum(x, whisperAttention(n, normal, hidden, heads, keys, values, mask));
    // The weights are drawn in both branches, so that they are the same ones.
    const drawn = [2, 3].map((i) => {
      if (!caches) return n.op('Identity', [(i === 2 ? keysOf : valuesOf)(n, states, hidden, heads)], {}, [names[i]]);
      n.again(n.drawn + weightsOf(n, i));
      return n.op('Identity', [caches[layer][i]], {}, [names[i]]);
    });
    x = n.sum(x, whisperAttention(n, layerNorm(n, x, hidden), hidden, heads, ...drawn));
    x = whisperFeed(n, x, hidden);
    for (const name of names) n.output(name, n.type, ['batch', heads, 'any', size]);
  }
  const last = layerNorm(n, x, hidden);
  const logits = tied ? n.op('MatMul', [last, n.transpose(table, 1, 0)]) : n.product(last, hidden, words, 'proj_out');
  n.result(`logits${suffix}`, logits, ['batch', 'sequence', words]);
}
/** As many weights as keys (a matrix) and values (a matrix, a bias) of the encoder draw. */
const weightsOf = (n, i) => ({ plain: 1, q4: 2, dynamic: 3 })[n.products] + (i === 2 ? 0 : 1);

/** Whisper's decoder, merged: first tokens over an encoder's states (past 0), or a step. */
export function whisperDecoder({
  layers = 4,
  hidden = 384,
  heads = 6,
  words = 51865,
  past = 16,
  length = 1,
  memory = 256,
  ...rest
} = {}) {
  const n = new Network({ opset: 14, ...rest });
  const size = hidden / heads;
  const ids = n.input('input_ids', 'int64', ['batch', 'sequence']);
  const states = n.input('encoder_hidden_states', n.type, ['batch', 'encoder_sequence', hidden]);
  const caches = cacheInputs(n, layers, heads, size);
  const choice = n.input('use_cache_branch', 'bool', [1]);
  const [withPast, without] = [true, false].map((hasPast) => {
    const inner = n.inner();
    const suffix = hasPast ? '_with_past' : '_without_past';
    whisperBody(inner, { ids, states, caches: hasPast ? caches : undefined, layers, hidden, heads, words, suffix });
    return inner;
  });
  const kinds = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'];
  const presents = Array.from({ length: layers }, (_, layer) => kinds.map((kind) => `present.${layer}.${kind}`)).flat();
  n.op('If', [choice], { then_branch: withPast, else_branch: without }, [...presents, 'logits']);
  for (const name of presents) n.output(name, n.type, ['batch', heads, 'any', size]);
  n.output('logits', n.type, ['batch', 'sequence', words]);
  const feeds = new blocks.Feeds(new Weights(36))
    .ids('input_ids', [1, length], words)
    .floats('encoder_hidden_states', n.type, [1, memory, hidden]);
  cacheFeeds(feeds, { layers, heads, size, past, memory: past > 0 ? memory : 0, type: n.type }).same(
    'use_cache_branch',
    'bool',
    [1],
    past > 0 ? 1 : 0,
  );
  return { file: n.file('whisper decoder'), feeds: feeds.list };
}
