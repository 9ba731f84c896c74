// Decoders of text with caches of keys and values, that come in and go out by Concat, as optimum exports them.
import { float } from '../graph-builder.mjs';
import * as blocks from './blocks.mjs';
import { Network } from './network.mjs';
import { gatherRows } from './quantised.mjs';
import { Weights } from './weights.mjs';

/** Inputs of caches, or none for a first run without them. */
function pastInputs(n, layers, heads, size, declare = true) {
  const dims = ['batch', heads, 'past', size];
  return Array.from({ length: layers }, (_, layer) =>
    ['key', 'value'].map((kind) => {
      const name = `past_key_values.${layer}.${kind}`;
      if (declare) n.input(name, n.type, dims);
      return name;
    }),
  );
}

/** A key or value behind those of its cache, which is also an output. */
function extend(n, layer, kind, past, now, [heads, size], suffix = '') {
  const name = `present.${layer}.${kind}`;
  const inputs = past === undefined ? [now] : [past, now];
  const y = n.op(past === undefined ? 'Identity' : 'Concat', inputs, past === undefined ? {} : { axis: 2 }, [
    name + suffix,
  ]);
  n.output(y, n.type, ['batch', heads, 'total', size]);
  return y;
}

function decoderFeeds({
  batch = 1,
  length,
  past,
  words,
  layers,
  heads,
  size,
  type = 'float32',
  positions = true,
  merged,
}) {
  const feeds = new blocks.Feeds(new Weights(77));
  feeds.ids('input_ids', [batch, length], words).same('attention_mask', 'int64', [batch, past + length], 1);
  if (positions) {
    const places = BigInt64Array.from({ length: batch * length }, (_, i) => BigInt(past + (i % length)));
    feeds.give('position_ids', 'int64', [batch, length], places);
  }
  for (let layer = 0; layer < layers; layer++)
    for (const kind of ['key', 'value'])
      feeds.floats(`past_key_values.${layer}.${kind}`, type, [batch, heads, past, size]);
  if (merged) feeds.same('use_cache_branch', 'bool', [1], past > 0 ? 1 : 0);
  return feeds.list;
}

/** transformers' Conv1D: Reshape to two axes, Gemm, Reshape back; MatMul and Add where a quantiser replaced Gemm. */
function conv1d(n, x, rows, columns) {
  if (n.products !== 'plain') return n.linear(x, rows, columns);
  const target = n.sizes([n.size(x, 0), n.size(x, 1), columns]);
  const flat = n.reshape(x, [-1, rows]);
  const product = n.op('Gemm', [flat, n.matrix('Conv1D', rows, columns), n.vector('Conv1D.bias', columns)], {
    alpha: float(1),
    beta: float(1),
  });
  return n.op('Reshape', [product, target]);
}

/** The layers of GPT-2 over these caches (undefined: none), with the head of the embedding's transposed table. */
function gpt2Body(n, { ids, mask, positions, pasts, layers, hidden, heads, words, suffix = '' }) {
  const size = hidden / heads;
  const tied = n.products === 'plain' || n.products === 'q4';
  const table = tied ? n.floats('wte', [words, hidden], 0.3) : undefined;
  const embedded = tied ? n.op('Gather', [table, ids]) : gatherRows(n, ids, words, hidden, 'wte');
  let x = n.op('Add', [embedded, n.op('Gather', [n.floats('wpe', [1024, hidden], 0.3), positions])]);
  const wide = n.cast(n.unsqueeze(n.unsqueeze(mask, 1), 2), n.type);
  const lowest = n.number(n.type === 'float16' ? -65504 : -3.4028234663852886e38);
  const added = n.op('Mul', [n.op('Sub', [n.number(1), wide]), lowest]);
  const triangle = n.tensor('attn.bias', 'bool', [1, 1, 1024, 1024], () =>
    Uint8Array.from({ length: 1024 * 1024 }, (_, i) => (i % 1024 <= i >> 10 ? 1 : 0)),
  );
  for (let layer = 0; layer < layers; layer++) {
    const [past, pastValue] = pasts?.[layer] ?? [];
    const normal = blocks.layerNorm(n, x, hidden);
    const thirds = n.op(
      'Split',
      [conv1d(n, normal, hidden, 3 * hidden), n.ints([hidden, hidden, hidden])],
      { axis: 2 },
      3,
    );
    const [query, newKey, newValue] = thirds.map((y) => blocks.splitHeads(n, y, heads, size));
    const key = extend(n, layer, 'key', past, newKey, [heads, size], suffix);
    const value = extend(n, layer, 'value', pastValue, newValue, [heads, size], suffix);
    const products = n.op('MatMul', [query, n.transpose(key, 0, 1, 3, 2)]);
    const scaled = n.op('Div', [products, n.number(Math.sqrt(size))]);
    // The rows of the triangle that belong to the queries.
    const [rows, columns] = [n.size(query, 2), n.size(key, 2)];
    const from = n.unsqueeze(n.op('Sub', [columns, rows]), 0);
    const until = n.unsqueeze(columns, 0);
    const upper = n.op('Slice', [triangle, from, until, n.ints([2]), n.ints([1])]);
    const causal = n.op('Slice', [upper, n.ints([0]), until, n.ints([3]), n.ints([1])]);
    const scores = n.op('Add', [n.op('Where', [causal, scaled, lowest]), added]);
    const context = n.op('MatMul', [n.op('Softmax', [scores], { axis: -1 }), value]);
    x = n.op('Add', [conv1d(n, blocks.joinHeads(n, context, hidden), hidden, hidden), x]);
    const inner = blocks.geluNew(n, conv1d(n, blocks.layerNorm(n, x, hidden), hidden, 4 * hidden));
    x = n.op('Add', [x, conv1d(n, inner, 4 * hidden, hidden)]);
  }
  const last = blocks.layerNorm(n, x, hidden);
  const logits =
    n.products === 'plain' ? n.op('MatMul', [last, n.transpose(table, 1, 0)]) : n.product(last, hidden, words);
  n.result(`logits${suffix}`, logits, ['batch', 'sequence', words]);
}

/**
 * GPT-2. A step has a past of 128 tokens.
 * @param options.merged - one file for the first tokens and for steps, as optimum writes it: If asks use_cache_branch
 */
export function gpt2(options = {}) {
  const {
    layers = 4,
    hidden = 384,
    heads = 6,
    words = 32000,
    length = 1,
    past = 128,
    merged = false,
    ...rest
  } = options;
  const n = new Network({ opset: 14, ...rest });
  const size = hidden / heads;
  const ids = n.input('input_ids', 'int64', ['batch', 'sequence']);
  const mask = n.input('attention_mask', 'int64', ['batch', 'total']);
  const positions = n.input('position_ids', 'int64', ['batch', 'sequence']);
  const pasts = pastInputs(n, layers, heads, size);
  const shape = { ids, mask, positions, layers, hidden, heads, words };
  if (merged)
    mergeByIf(n, layers, [heads, size], words, (inner, hasPast, suffix) =>
      gpt2Body(inner, { ...shape, pasts: hasPast ? pasts : undefined, suffix }),
    );
  else gpt2Body(n, { ...shape, pasts });
  return {
    file: n.file('gpt2'),
    feeds: decoderFeeds({ length, past, words, layers, heads, size, type: n.type, merged }),
  };
}

/** If of two bodies, whose weights are those of the outer graph. */
function mergeByIf(n, layers, [heads, size], words, body) {
  const choice = n.input('use_cache_branch', 'bool', [1]);
  const branch = (hasPast) => {
    const inner = n.inner();
    body(inner, hasPast, hasPast ? '_with_past' : '_without_past');
    return inner;
  };
  const presents = Array.from({ length: layers }, (_, layer) => [
    `present.${layer}.key`,
    `present.${layer}.value`,
  ]).flat();
  n.op('If', [choice], { then_branch: branch(true), else_branch: branch(false) }, [...presents, 'logits']);
  for (const name of presents) n.output(name, n.type, ['batch', heads, 'total', size]);
  n.output('logits', n.type, ['batch', 'sequence', words]);
}

/** cos and sin of the positions, in float32: MatMul of frequencies and positions, Transpose, Concat. */
function rotaryTables(n, positions, size) {
  const frequencies = Float32Array.from({ length: size / 2 }, (_, i) => 10000 ** ((-2 * i) / size));
  const column = n.list('inv_freq', 'float32', frequencies, [1, size / 2, 1]);
  const wide = n.expand(column, n.sizes([n.size(positions, 0), -1, 1]));
  const angles = n.op('MatMul', [wide, n.cast(n.unsqueeze(positions, 1), 'float32')]);
  const turned = n.transpose(angles, 0, 2, 1);
  const both = n.op('Concat', [turned, turned], { axis: -1 });
  return ['Cos', 'Sin'].map((operator) => n.unsqueeze(n.cast(n.op(operator, [both]), n.type), 1));
}

/** x turned by the tables, halves by Slice, Neg and Concat. */
function rotate(n, x, [cosine, sine], size) {
  const low = n.part(x, 3, 0, size / 2);
  const high = n.part(x, 3, size / 2, 2 ** 53 - 1);
  const turned = n.op('Concat', [n.op('Neg', [high]), low], { axis: -1 });
  return n.op('Add', [n.op('Mul', [x, cosine]), n.op('Mul', [turned, sine])]);
}

/** Each group's keys for all of its heads: Unsqueeze, Expand, Reshape. */
function repeatGroups(n, x, heads, groups, size) {
  if (heads === groups) return x;
  const [batch, length] = [n.size(x, 0), n.size(x, 2)];
  const wide = n.expand(n.unsqueeze(x, 2), n.sizes([batch, groups, heads / groups, length, size]));
  return n.op('Reshape', [wide, n.sizes([batch, heads, length, size])]);
}

/** The causal mask as transformers computes it: a full one, Trilu, the places, the padding. */
function causalMask(n, ids, mask, past) {
  const [batch, length] = [n.size(ids, 0), n.size(ids, 1)];
  const total = n.op('Add', [past, length]);
  const lowest = n.type === 'float16' ? -65504 : -3.4028234663852886e38;
  const full = n.op('Expand', [n.number(lowest), n.sizes([length, total])]);
  const upper = n.op('Trilu', [full, n.int(1)], { upper: 1 });
  const places = n.op('Range', [past, total, n.int(1)]);
  const keys = n.op('Range', [n.int(0), total, n.int(1)]);
  const later = n.op('Greater', [keys, n.op('Reshape', [places, n.ints([-1, 1])])]);
  const causal = n.op('Mul', [upper, n.cast(later, n.type)]);
  const wide = n.expand(n.unsqueeze(n.unsqueeze(causal, 0), 1), n.sizes([batch, 1, length, total]));
  const padding = n.cast(n.op('Equal', [n.unsqueeze(n.unsqueeze(mask, 1), 2), n.int(0)]), n.type);
  return n.op('Add', [wide, n.op('Mul', [padding, n.number(lowest)])]);
}

/** A projection without bias. */
const project = (n, x, rows, columns, hint) => n.product(x, rows, columns, hint);

/** SwiGLU: the gate through Silu, times what goes up, and down. */
function swiGlu(n, x, hidden, inner) {
  const gate = blocks.silu(n, project(n, x, hidden, inner, 'gate_proj'));
  return project(n, n.op('Mul', [gate, project(n, x, hidden, inner, 'up_proj')]), inner, hidden, 'down_proj');
}

/** The sizes of a small Llama: SmolLM's, with fewer words. */
export const llamaSizes = { hidden: 576, heads: 9, groups: 3, inner: 1536, words: 8192, length: 1, past: 128 };

/**
 * Llama: RMSNorm, rotary positions, grouped heads by Expand, SwiGLU.
 * @param options.form - sdpa or eager
 */
export function llama(options = {}) {
  const { layers = 4, form = 'sdpa', ...rest } = options;
  const { hidden, heads, groups, inner, words, length, past } = { ...llamaSizes, ...options };
  const n = new Network({ opset: 14, ...rest });
  const size = hidden / heads;
  const ids = n.input('input_ids', 'int64', ['batch', 'sequence']);
  const mask = n.input('attention_mask', 'int64', ['batch', 'total']);
  const positions = n.input('position_ids', 'int64', ['batch', 'sequence']);
  const pasts = pastInputs(n, layers, groups, size);
  const tied = n.products === 'plain';
  const table = tied ? n.floats('embed_tokens', [words, hidden], 1) : undefined;
  let x = tied ? n.op('Gather', [table, ids]) : gatherRows(n, ids, words, hidden, 'embed_tokens');
  const tables = rotaryTables(n, positions, size);
  const added = causalMask(n, ids, mask, n.size(pasts[0][0], 2));
  for (let layer = 0; layer < layers; layer++) {
    const normal = blocks.rmsNorm(n, x, hidden);
    const query = rotate(
      n,
      blocks.splitHeads(n, project(n, normal, hidden, hidden, 'q_proj'), heads, size),
      tables,
      size,
    );
    const newKey = rotate(
      n,
      blocks.splitHeads(n, project(n, normal, hidden, groups * size, 'k_proj'), groups, size),
      tables,
      size,
    );
    const newValue = blocks.splitHeads(n, project(n, normal, hidden, groups * size, 'v_proj'), groups, size);
    const key = extend(n, layer, 'key', pasts[layer][0], newKey, [groups, size]);
    const value = extend(n, layer, 'value', pasts[layer][1], newValue, [groups, size]);
    const [keys, values] = [key, value].map((y) => repeatGroups(n, y, heads, groups, size));
    const context =
      form === 'sdpa'
        ? blocks.sdpa(n, query, keys, values, { mask: added })
        : blocks.eagerAttention(n, query, keys, values, { size, mask: added, scale: 'Mul' });
    x = n.op('Add', [x, project(n, blocks.joinHeads(n, context, hidden), hidden, hidden, 'o_proj')]);
    x = n.op('Add', [x, swiGlu(n, blocks.rmsNorm(n, x, hidden), hidden, inner)]);
  }
  const last = blocks.rmsNorm(n, x, hidden);
  const logits = tied ? n.op('MatMul', [last, n.transpose(table, 1, 0)]) : project(n, last, hidden, words, 'lm_head');
  const wide = n.type === 'float16' ? n.cast(logits, 'float32') : logits;
  n.result('logits', wide, ['batch', 'sequence', words], 'float32');
  return {
    file: n.file('llama'),
    feeds: decoderFeeds({ length, past, words, layers, heads: groups, size, type: n.type }),
  };
}
