// Random calls of attention and of rotations.
import { floats, integersOf, tensorOf } from './values.mjs';

export const attentionGenerators = {
  Attention(draw) {
    const { random, since } = draw;
    const type = draw.type(floats);
    const [batch, queries, keys, size, width] = [
      random.integer(1, 2),
      ...[5, 6, 4, 4].map((n) => random.integer(1, n)),
    ];
    const kv = random.integer(1, 2);
    const heads = kv * random.integer(1, 2);
    const isFlat = random.chance(0.4);
    const tensor = (count, length, each) =>
      tensorOf(random, type, isFlat ? [batch, length, count * each] : [batch, count, length, each]);
    const inputs = [tensor(heads, queries, size), tensor(kv, keys, size), tensor(kv, keys, width)];
    const past = random.chance(0.3) ? random.integer(1, 4) : 0;
    const total = past + keys;
    // The oracle wants the queries' length as it is.
    const dims = [...[batch, heads].map((n) => (random.chance(0.3) ? 1 : n)), queries].slice(random.integer(0, 2));
    inputs.push(random.chance(0.5) ? tensorOf(random, random.pick(['bool', type]), [...dims, total]) : null);
    if (past > 0) {
      inputs.push(tensorOf(random, type, [batch, kv, past, size]), tensorOf(random, type, [batch, kv, past, width]));
    } else if (since >= 24 && random.chance(0.3)) {
      inputs.push(
        null,
        null,
        integersOf('int64', [batch], () => random.integer(1, keys)),
      );
    }
    const attributes = {
      ...(isFlat && { q_num_heads: heads, kv_num_heads: kv }),
      ...(random.chance(0.3) && { is_causal: 1 }),
      ...(random.chance(0.3) && { scale: 0.5 }),
      ...(random.chance(0.2) && { softcap: 2 }),
      qk_matmul_output_mode: random.integer(0, 3),
    };
    while (inputs.at(-1) === null) inputs.pop();
    return { inputs, attributes };
  },
  RotaryEmbedding(draw) {
    const { random } = draw;
    const type = draw.type(['float32', 'float16']);
    const [batch, heads, length] = [random.integer(1, 2), random.integer(1, 3), random.integer(1, 4)];
    const half = random.integer(1, 4);
    const rest = random.integer(0, 2);
    const size = 2 * (half + rest);
    const isFlat = random.chance(0.5);
    const x = tensorOf(random, type, isFlat ? [batch, length, heads * size] : [batch, heads, length, size]);
    const attributes = {
      ...(isFlat && { num_heads: heads }),
      ...(rest > 0 && { rotary_embedding_dim: 2 * half }),
      interleaved: random.integer(0, 1),
    };
    if (rest > 0 && !isFlat) attributes.num_heads = heads;
    const table = (dims) => tensorOf(random, type, [...dims, half]);
    if (random.chance(0.4)) return { inputs: [x, table([batch, length]), table([batch, length])], attributes };
    const positions = integersOf('int64', [batch, length], () => random.integer(0, 5));
    return { inputs: [x, table([6]), table([6]), positions], attributes };
  },
};
