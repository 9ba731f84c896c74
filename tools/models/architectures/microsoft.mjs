// A decoder of onnxruntime's own operators.
import * as blocks from './blocks.mjs';
import { llamaSizes } from './decoders.mjs';
import { Network } from './network.mjs';

/**
 * Llama as onnxruntime-genai's builder and transformers.js's newer files have it: SimplifiedLayerNormalization, weights of 4 bits,
 * GroupQueryAttention with rotary positions and caches inside.
 */
export function llamaGroupQuery(options = {}) {
  const { layers = 6, ...rest } = options;
  const { hidden, heads, groups, inner, words, length, past } = { ...llamaSizes, ...options };
  const n = new Network({ opset: 14, products: 'q4', ...rest });
  const size = hidden / heads;
  const ids = n.input('input_ids', 'int64', ['batch', 'sequence']);
  const mask = n.input('attention_mask', 'int64', ['batch', 'total']);
  const names = (prefix, layer) => ['key', 'value'].map((kind) => `${prefix}.${layer}.${kind}`);
  const feeds = new blocks.Feeds(n.weights)
    .ids('input_ids', [1, length], words)
    .same('attention_mask', 'int64', [1, past + length], 1);
  const microsoft = (...parts) => n.op(...parts, 'com.microsoft');
  let x = n.op('Gather', [n.floats('embed_tokens', [words, hidden], 1), ids]);
  // The last key's place in each row, and the length of all.
  const sums = n.reduce('ReduceSum', mask, [1], 0);
  const lengths = n.cast(n.op('Sub', [sums, n.ints([1])]), 'int32');
  const total = n.cast(n.size(mask, 1), 'int32');
  const [cosine, sine] = ['cos', 'sin'].map((kind) =>
    n.list(`${kind}_cache`, 'float32', tableOf(kind, size, 512), [512, size / 2]),
  );
  const norm = { axis: -1, epsilon: { float: 1e-5 }, stash_type: 1 };
  let normal = n.op('SimplifiedLayerNormalization', [x, n.vector('norm', hidden, 0.2, 1)], norm);
  const skip = (y) => {
    const outputs = microsoft(
      'SkipSimplifiedLayerNormalization',
      [x, y, n.vector('norm', hidden, 0.2, 1)],
      { epsilon: { float: 1e-5 } },
      4,
    );
    [normal, , , x] = outputs;
  };
  for (let layer = 0; layer < layers; layer++) {
    const pasts = names('past_key_values', layer);
    const presents = names('present', layer);
    for (const name of pasts) {
      n.input(name, 'float32', ['batch', groups, 'past', size]);
      feeds.floats(name, 'float32', [1, groups, past, size]);
    }
    const [query, key, value] = [hidden, groups * size, groups * size].map((columns) =>
      n.product(normal, hidden, columns),
    );
    const attributes = {
      num_heads: heads,
      kv_num_heads: groups,
      do_rotary: 1,
      rotary_interleaved: 0,
      scale: { float: size ** -0.5 },
    };
    const outputs = [n.name('context'), ...presents];
    microsoft('GroupQueryAttention', [query, key, value, ...pasts, lengths, total, cosine, sine], attributes, outputs);
    for (const name of presents) n.output(name, 'float32', ['batch', groups, 'total', size]);
    skip(n.product(outputs[0], hidden, hidden));
    const gate = blocks.silu(n, n.product(normal, hidden, inner));
    skip(n.product(n.op('Mul', [gate, n.product(normal, hidden, inner)]), inner, hidden));
  }
  n.result('logits', n.product(normal, hidden, words, 'lm_head'), ['batch', 'sequence', words]);
  return { file: n.file('llama group query'), feeds: feeds.list };
}
function tableOf(kind, size, rows) {
  const half = size / 2;
  return Float32Array.from({ length: rows * half }, (_, i) =>
    Math[kind](Math.floor(i / half) * 10000 ** (-(i % half) / half)),
  );
}
