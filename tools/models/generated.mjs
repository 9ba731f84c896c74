// Models as exporters write them, with random weights: what issue 16's tests and benchmarks simplify besides real files.
// `node tools/models/generated.mjs <folder>` writes them all.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { float, GraphBuilder } from './graph-builder.mjs';
import {
  functionOf,
  integerAttribute,
  integersAttribute,
  referenceAttribute,
  tensor,
  tensorAttribute,
} from './writer.mjs';

/** Small weights that differ, the same in every run. */
function* uniform(seed) {
  for (let state = seed | 1; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    yield state / 2 ** 31;
  }
}
class Weights {
  #draw;
  constructor(seed) {
    this.#draw = uniform(seed);
  }
  floats(count, scale = 1 / Math.sqrt(count)) {
    const values = new Float32Array(count);
    for (let i = 0; i < count; i++) values[i] = this.#draw.next().value * scale;
    return Buffer.from(values.buffer);
  }
  matrix(g, hint, rows, columns) {
    return g.weight(hint, [rows, columns], this.floats(rows * columns, 1 / Math.sqrt(rows)));
  }
  vector(g, hint, length, scale = 0.1) {
    return g.weight(hint, [length], this.floats(length, scale));
  }
}

/** x minus its mean, over the root of its variance, scaled and shifted: LayerNorm before opset 17. */
function layerNorm(g, weights, x, hidden) {
  const centred = g.op('Sub', [x, g.reduce('ReduceMean', x, [-1])]);
  const variance = g.reduce('ReduceMean', g.op('Pow', [centred, g.number(2)]), [-1]);
  const normal = g.op('Div', [centred, g.op('Sqrt', [g.op('Add', [variance, g.number(1e-12)])])]);
  const scaled = g.op('Mul', [normal, weights.vector(g, 'LayerNorm.weight', hidden, 1)]);
  return g.op('Add', [scaled, weights.vector(g, 'LayerNorm.bias', hidden)]);
}

function gelu(g, x) {
  const erf = g.op('Erf', [g.op('Div', [x, g.number(Math.SQRT2)])]);
  return g.op('Mul', [g.op('Mul', [x, g.op('Add', [erf, g.number(1)])]), g.number(0.5)]);
}

/** x times the transposed matrix, as it is exported without the folding of constants. */
function linear(g, weights, x, from, to) {
  const matrix = g.op('Transpose', [weights.matrix(g, 'weight', to, from)], { perm: [1, 0] });
  return g.op('Add', [g.op('MatMul', [x, matrix]), weights.vector(g, 'bias', to)]);
}

/** x.expand(sizes), where -1 keeps a size: how PyTorch writes it. */
function expand(g, x, sizes) {
  const wanted = g.op('Reshape', [sizes, g.ints([-1])]);
  const ones = g.op('ConstantOfShape', [g.op('Shape', [wanted])], { value: { type: 'int64', dims: [1], data: [1] } });
  const keeps = g.op('Equal', [wanted, g.op('Mul', [ones, g.int(-1)])]);
  return g.op('Expand', [x, g.op('Where', [keeps, ones, wanted])]);
}

/** x.view(x.size(0), x.size(1), ...last). */
const view = (g, x, ...last) => g.op('Reshape', [x, g.sizes([g.size(x, 0), g.size(x, 1), ...last])]);

/**
 * An encoder like BERT, as PyTorch exports it at opsets 11 to 16: sizes by Shape, Gather, Unsqueeze and Concat, Constants as
 * nodes, LayerNorm and Gelu spelled out, dynamic batch and sequence. With its defaults 3,863 nodes.
 * @param options.bytes - The least bytes of weights, in the table of embeddings.
 */
export function bert({ opset = 13, layers = 29, hidden = 16, heads = 2, bytes = 0 } = {}) {
  const g = new GraphBuilder(opset);
  const weights = new Weights(1);
  const size = hidden / heads;
  const ids = g.input('input_ids', 'int64', ['batch', 'sequence']);
  const mask = g.input('attention_mask', 'int64', ['batch', 'sequence']);
  const kinds = g.input('token_type_ids', 'int64', ['batch', 'sequence']);

  const rows = Math.max(100, Math.ceil(bytes / (4 * hidden)));
  const batch = g.size(ids, 0);
  const length = g.size(ids, 1);
  const allPositions = g.constant(
    'int64',
    [1, 512],
    Array.from({ length: 512 }, (_, i) => i),
  );
  const positions = g.op('Slice', [allPositions, g.ints([0]), g.unsqueeze(length, 0), g.ints([1]), g.ints([1])]);
  const words = g.op('Gather', [weights.matrix(g, 'word_embeddings', rows, hidden), ids]);
  const types = g.op('Gather', [weights.matrix(g, 'token_type_embeddings', 2, hidden), kinds]);
  const places = g.op('Gather', [weights.matrix(g, 'position_embeddings', 512, hidden), positions]);
  let x = layerNorm(g, weights, g.op('Add', [g.op('Add', [words, types]), places]), hidden);

  // The mask, as wide as all scores: 0 where a token counts, the lowest float elsewhere.
  const wide = expand(g, g.unsqueeze(g.unsqueeze(mask, 1), 2), g.sizes([batch, 1, length, length]));
  const inverted = g.op('Sub', [g.number(1), g.op('Cast', [wide], { to: 1 })]);
  const lowest = g.op('ConstantOfShape', [g.op('Shape', [inverted])], {
    value: { type: 'float32', dims: [1], data: [-3.4028234663852886e38] },
  });
  const added = g.op('Where', [g.op('Cast', [inverted], { to: 9 }), lowest, inverted]);

  const split = (y) => g.op('Transpose', [view(g, y, heads, size)], { perm: [0, 2, 1, 3] });
  for (let layer = 0; layer < layers; layer++) {
    const [query, key, value] = [0, 1, 2].map(() => split(linear(g, weights, x, hidden, hidden)));
    const products = g.op('MatMul', [query, g.op('Transpose', [key], { perm: [0, 1, 3, 2] })]);
    const scores = g.op('Add', [g.op('Div', [products, g.number(Math.sqrt(size))]), added]);
    const shares = g.op('Identity', [g.op('Softmax', [scores], { axis: 3 })]); // Dropout, as some exports have it
    const joined = g.op('Transpose', [g.op('MatMul', [shares, value])], { perm: [0, 2, 1, 3] });
    const context = view(g, joined, hidden);
    const attended = g.op('Add', [linear(g, weights, context, hidden, hidden), x]);
    const normal = layerNorm(g, weights, attended, hidden);
    const grown = gelu(g, linear(g, weights, normal, hidden, 2 * hidden));
    x = layerNorm(g, weights, g.op('Add', [linear(g, weights, grown, 2 * hidden, hidden), normal]), hidden);
  }
  const first = g.op('Gather', [x, g.int(0)], { axis: 1 });
  const pooled = g.op('Gemm', [
    first,
    weights.matrix(g, 'pooler', hidden, hidden),
    weights.vector(g, 'pooler', hidden),
  ]);
  g.output(g.op('Identity', [x], {}, ['last_hidden_state']), 'float32', ['batch', 'sequence', hidden]);
  g.output(g.op('Tanh', [pooled], {}, ['pooler_output']), 'float32', ['batch', hidden]);
  return g.model('bert');
}

/** A decoder with caches of keys and values, rotary positions, grouped heads and a causal mask that is computed. */
export function decoder({ opset = 14, layers = 4, hidden = 16, heads = 4, groups = 2, words = 60 } = {}) {
  const g = new GraphBuilder(opset);
  const weights = new Weights(2);
  const size = hidden / heads;
  const ids = g.input('input_ids', 'int64', ['batch', 'sequence']);
  const mask = g.input('attention_mask', 'int64', ['batch', 'total']);
  const pasts = Array.from({ length: layers }, (_, layer) =>
    ['key', 'value'].map((kind) => g.input(`past.${layer}.${kind}`, 'float32', ['batch', groups, 'past', size])),
  );
  const batch = g.size(ids, 0);
  const length = g.size(ids, 1);
  const past = g.size(pasts[0][0], 2);
  const total = g.op('Add', [past, length]);
  const positions = g.op('Range', [past, total, g.int(1)]);

  // cos and sin of each position, by an outer product.
  const frequencies = g.constant('float32', [1, size / 2], [1, 0.01]);
  const column = g.unsqueeze(g.op('Cast', [positions], { to: 1 }), 1);
  const angles = g.op('MatMul', [column, frequencies]);
  const both = g.op('Concat', [angles, angles], { axis: -1 });
  const [cosine, sine] = ['Cos', 'Sin'].map((operator) => g.unsqueeze(g.op(operator, [both]), 0, 1));
  const rotate = (y) => {
    const half = g.op('Div', [g.size(y, 3), g.int(2)]);
    const at = g.unsqueeze(half, 0);
    const low = g.op('Slice', [y, g.ints([0]), at, g.ints([3]), g.ints([1])]);
    const high = g.op('Slice', [y, at, g.ints([2 ** 53 - 1]), g.ints([3]), g.ints([1])]);
    const turned = g.op('Concat', [g.op('Neg', [high]), low], { axis: -1 });
    return g.op('Add', [g.op('Mul', [y, cosine]), g.op('Mul', [turned, sine])]);
  };

  // A query sees the keys up to its own place that the mask allows.
  const queries = g.unsqueeze(positions, 1);
  const keys = g.unsqueeze(g.op('Range', [g.int(0), total, g.int(1)]), 0);
  const later = g.op('Greater', [keys, queries]);
  const allowed = expand(
    g,
    g.unsqueeze(g.op('Equal', [mask, g.op('Sub', [g.int(0), g.int(0)])]), 1, 2),
    g.sizes([batch, 1, length, total]),
  );
  const hidesAny = g.op('Or', [allowed, g.unsqueeze(later, 0, 1)]);
  const zeros = g.op('ConstantOfShape', [g.sizes([batch, 1, length, total])], {
    value: { type: 'float32', dims: [1], data: [0] },
  });
  const added = g.op('Where', [hidesAny, g.number(-1e9), zeros]);

  const norm = (y) => {
    const square = g.reduce('ReduceMean', g.op('Pow', [y, g.number(2)]), [-1]);
    const root = g.op('Sqrt', [g.op('Add', [square, g.number(1e-6)])]);
    const unit = g.op('Mul', [y, g.op('Div', [g.number(1), root])]);
    return g.op('Mul', [weights.vector(g, 'norm', hidden, 1), unit]);
  };
  const project = (y, to) => g.op('MatMul', [y, weights.matrix(g, 'proj', hidden, to)]);
  const headsOf = (y, count) => g.op('Transpose', [view(g, y, count, size)], { perm: [0, 2, 1, 3] });
  /** Each group's keys for all of its heads: unsqueeze, expand, reshape. */
  const repeat = (y) => {
    const [rows, places] = [g.size(y, 0), g.size(y, 2)];
    const wide = expand(g, g.unsqueeze(y, 2), g.sizes([rows, groups, heads / groups, places, size]));
    return g.op('Reshape', [wide, g.sizes([rows, heads, places, size])]);
  };

  let x = g.op('Gather', [weights.matrix(g, 'embed_tokens', words, hidden), ids]);
  for (let layer = 0; layer < layers; layer++) {
    const normal = norm(x);
    const query = rotate(headsOf(project(normal, hidden), heads));
    const key = g.op(
      'Concat',
      [pasts[layer][0], rotate(headsOf(project(normal, groups * size), groups))],
      { axis: 2 },
      [`present.${layer}.key`],
    );
    const value = g.op('Concat', [pasts[layer][1], headsOf(project(normal, groups * size), groups)], { axis: 2 }, [
      `present.${layer}.value`,
    ]);
    for (const present of [key, value]) g.output(present, 'float32', ['batch', groups, 'total', size]);
    const products = g.op('MatMul', [query, g.op('Transpose', [repeat(key)], { perm: [0, 1, 3, 2] })]);
    const scores = g.op('Add', [g.op('Div', [products, g.op('Sqrt', [g.number(size)])]), added]);
    const context = g.op('MatMul', [g.op('Softmax', [scores], { axis: -1 }), repeat(value)]);
    const joined = g.op('Reshape', [
      g.op('Transpose', [context], { perm: [0, 2, 1, 3] }),
      g.sizes([g.size(x, 0), g.size(x, 1), hidden]),
    ]);
    x = g.op('Add', [x, project(joined, hidden)]);
    const gate = project(norm(x), hidden);
    x = g.op('Add', [x, project(g.op('Mul', [gate, g.op('Sigmoid', [gate])]), hidden)]);
  }
  g.output(g.op('MatMul', [norm(x), weights.matrix(g, 'lm_head', hidden, words)], {}, ['logits']), 'float32', [
    'batch',
    'sequence',
    words,
  ]);
  return g.model('decoder');
}

/** A detector: convolutions with normalisation, anchors by sizes, TopK, NonMaxSuppression, NonZero. */
export function detector({ opset = 13 } = {}) {
  const g = new GraphBuilder(opset);
  const weights = new Weights(3);
  const image = g.input('image', 'float32', ['batch', 3, 'height', 'width']);
  const convolve = (x, from, to, stride) => {
    const kernel = g.weight('kernel', [to, from, 3, 3], weights.floats(to * from * 9));
    const y = g.op('Conv', [x, kernel], { kernel_shape: [3, 3], pads: [1, 1, 1, 1], strides: [stride, stride] });
    const [scale, shift, mean] = [1, 0.1, 0.1].map((size) => weights.vector(g, 'bn', to, size));
    const variance = g.weight('bn.var', [to], Array(to).fill(0.75));
    return g.op('Relu', [g.op('BatchNormalization', [y, scale, shift, mean, variance], { epsilon: float(1e-5) })]);
  };
  const small = convolve(convolve(image, 3, 4, 2), 4, 8, 2);
  const smaller = convolve(small, 8, 8, 2);
  // Nearest-neighbour upsampling to the size of the other branch.
  const target = g.slice(g.op('Shape', [small]), [2], [4], [0]);
  const front = g.slice(g.op('Shape', [smaller]), [0], [2], [0]);
  const sizes = g.op('Concat', [front, g.op('Cast', [target], { to: 7 })], { axis: 0 });
  const grown = g.op('Resize', [smaller, '', '', sizes], {
    mode: 'nearest',
    coordinate_transformation_mode: 'asymmetric',
    nearest_mode: 'floor',
  });
  const merged = g.op('Concat', [small, grown], { axis: 1 });
  const head = g.op('Conv', [
    merged,
    g.weight('head', [6, 16, 1, 1], weights.floats(96, 1)),
    weights.vector(g, 'head', 6),
  ]);
  const flat = g.op(
    'Transpose',
    [g.op('Reshape', [head, g.sizes([g.size(head, 0), 6, g.op('Mul', [g.size(head, 2), g.size(head, 3)])])])],
    { perm: [0, 2, 1] },
  );
  // The grid of places, two columns.
  const row = (axis) => g.op('Range', [g.int(0), g.size(head, axis), g.int(1)]);
  const grid = g.sizes([g.size(head, 2), g.size(head, 3)]);
  const ys = expand(g, g.unsqueeze(row(2), 1), grid);
  const xs = expand(g, g.unsqueeze(row(3), 0), grid);
  const places = g.op('Reshape', [
    g.op('Cast', [g.op('Concat', [g.unsqueeze(xs, 2), g.unsqueeze(ys, 2)], { axis: 2 })], { to: 1 }),
    g.ints([1, -1, 2]),
  ]);
  const centres = g.op('Mul', [g.op('Add', [g.slice(flat, [0], [2], [2]), places]), g.number(4)]);
  const extents = g.op('Exp', [g.slice(flat, [2], [4], [2])]);
  const halves = g.op('Mul', [extents, g.number(2)]);
  const corners = [g.op('Sub', [centres, halves]), g.op('Add', [centres, halves])];
  const boxes = g.op('Concat', corners, { axis: 2 }, ['candidates']);
  g.output(boxes, 'float32', ['batch', 'places', 4]);
  // Around the mean, so that some places pass and some do not.
  const raw = g.slice(flat, [4], [6], [2]);
  const spread = g.op('Mul', [g.op('Sub', [raw, g.reduce('ReduceMean', raw, [1])]), g.number(50)]);
  const scores = g.op('Transpose', [g.op('Sigmoid', [spread])], { perm: [0, 2, 1] }, ['scores']);
  g.output(scores, 'float32', ['batch', 2, 'places']);
  const chosen = g.op('NonMaxSuppression', [
    boxes,
    scores,
    g.ints([200]),
    g.constant('float32', [1], [0.3]),
    g.constant('float32', [1], [0.5]),
  ]);
  g.output(g.op('Identity', [chosen], {}, ['selected']), 'int64', ['selected_count', 3]);
  const picked = g.squeeze(g.slice(chosen, [2], [3], [1]), 1);
  const kept = g.op('Gather', [g.squeeze(g.slice(boxes, [0], [1], [0]), 0), picked]);
  const count = g.op('Shape', [kept]);
  const ranks = g.op('ConstantOfShape', [g.slice(count, [0], [1], [0])], {
    value: { type: 'int64', dims: [1], data: [1] },
  });
  const numbered = g.op('Transpose', [g.op('NonZero', [ranks])], { perm: [1, 0] });
  g.output(g.op('Identity', [kept], {}, ['boxes']), 'float32', ['selected_count', 4]);
  g.output(g.op('Identity', [numbered], {}, ['numbers']), 'int64', ['selected_count', 1]);
  const best = g.op('Min', [g.ints([5]), g.op('Reshape', [g.size(flat, 1), g.ints([-1])])]);
  const widest = g.op('ReduceMax', [scores], { axes: [1], keepdims: 0 });
  const [values, indices] = g.op('TopK', [widest, best], { axis: 1 }, 2);
  g.output(g.op('Identity', [values], {}, ['top']), 'float32', ['batch', 'k']);
  g.output(g.op('Identity', [indices], {}, ['top_at']), 'int64', ['batch', 'k']);
  return g.model('detector');
}

/** Branches as torch.jit.script exports them: an If that asks a size, one that asks a rank, one that asks an input. */
export function branches({ opset = 14 } = {}) {
  const g = new GraphBuilder(opset);
  const weights = new Weights(4);
  const x = g.input('x', 'float32', ['batch', 1, 'length']);
  const rate = g.input('rate', 'int64', []);
  const choose = (condition, yes, no) => {
    const graphs = [yes, no].map((make) => {
      const inner = g.inner();
      inner.output(make(inner), 'float32', undefined);
      return inner;
    });
    return g.op('If', [condition], { then_branch: graphs[0], else_branch: graphs[1] });
  };
  const isOne = g.op('Equal', [g.size(x, 1), g.int(1)]);
  const flat = choose(
    isOne,
    (h) => h.squeeze(x, 1),
    (h) => h.op('Identity', [x]),
  );
  const rank = g.squeeze(g.op('Shape', [g.op('Shape', [flat])]), 0);
  const three = choose(
    g.op('Equal', [rank, g.int(2)]),
    (h) => h.unsqueeze(flat, 1),
    (h) => h.op('Identity', [flat]),
  );
  const kernels = [3, 5].map((length) => g.weight('kernel', [2, 1, length], weights.floats(2 * length)));
  const voice = choose(
    g.op('Equal', [rate, g.int(16000)]),
    (h) => h.op('Conv', [three, kernels[0]], { pads: [1, 1], kernel_shape: [3] }),
    (h) => {
      const inner = [0, 1].map(() => h.inner());
      const y = h.op('Conv', [three, kernels[1]], { pads: [2, 2], kernel_shape: [5] });
      inner[0].output(inner[0].op('Relu', [y]), 'float32', undefined);
      inner[1].output(inner[1].op('Neg', [y]), 'float32', undefined);
      const slow = h.op('Less', [rate, h.int(8000)]);
      return h.op('If', [slow], { then_branch: inner[0], else_branch: inner[1] });
    },
  );
  g.output(g.op('Relu', [voice], {}, ['y']), 'float32', ['batch', 2, 'length']);
  return g.model('branches');
}

/** Three rounds of a Loop with a known trip count, one that ends early, and one whose count is an input. */
export function loops({ opset = 13 } = {}) {
  const g = new GraphBuilder(opset);
  const weights = new Weights(5);
  const x = g.input('x', 'float32', ['batch', 4]);
  const rounds = g.input('rounds', 'int64', []);
  const matrix = weights.matrix(g, 'w', 4, 4);
  const yes = g.constant('bool', [], [1]);
  const body = (step, goesOn) => {
    const h = g.inner();
    const [i, condition, state] = ['i', 'cond', 'state'].map((name) => h.name(name));
    h.input(i, 'int64', []);
    h.input(condition, 'bool', []);
    h.input(state, 'float32', undefined);
    const next = step(h, state, i);
    h.output(goesOn(h, condition, i), 'bool', []);
    h.output(next, 'float32', undefined);
    h.output(h.reduce('ReduceSum', next, [1], 0), 'float32', undefined);
    return h;
  };
  const always = (h, condition) => h.op('Identity', [condition]);
  const step = (h, state, i) =>
    h.op('Tanh', [h.op('Add', [h.op('MatMul', [state, matrix]), h.op('Cast', [i], { to: 1 })])]);
  const [a, sums] = g.op('Loop', [g.int(3), yes, x], { body: body(step, always) }, 2);
  const untilTwo = (h, _, i) => h.op('Less', [i, h.int(1)]);
  const [b, early] = g.op('Loop', [g.int(5), yes, a], { body: body(step, untilTwo) }, 2);
  const [c, open] = g.op('Loop', [rounds, yes, b], { body: body(step, always) }, 2);
  for (const [name, value, dims] of [
    ['sums', sums, [3, 'batch']],
    ['early', early, [2, 'batch']],
    ['open', open, ['rounds', 'batch']],
    ['y', c, ['batch', 4]],
  ])
    g.output(g.op('Identity', [value], {}, [name]), 'float32', dims);
  return g.model('loops');
}

/** Functions that call functions, with attributes that are passed on, and names that clash with names of the graph. */
export function functions({ opset = 18 } = {}) {
  const g = new GraphBuilder(opset);
  const weights = new Weights(6);
  const x = g.input('x', 'float32', ['batch', 'length', 4]);
  const domain = 'pkg.torch';
  const value = (name, dims, data, type) => tensorAttribute(name, tensor(dims, data, type));
  const functionList = [
    functionOf(domain, 'flatten_to', {
      inputs: ['x', 'last'],
      outputs: ['y'],
      opset,
      nodes: [
        ['Shape', '', ['x'], ['tmp'], [integerAttribute('start', 0), integerAttribute('end', 2)]],
        ['Concat', '', ['tmp', 'last'], ['target'], [integerAttribute('axis', 0)]],
        ['Reshape', '', ['x', 'target'], ['y']],
      ],
    }),
    functionOf(domain, 'norm', {
      inputs: ['x'],
      outputs: ['y'],
      attributes: ['axis'],
      opset,
      nodes: [
        ['Constant', '', [], ['axes'], [referenceAttribute('value_int', 'axis', 2)]],
        ['Constant', '', [], ['one'], [value('value', [1], [-1], 'int64')]],
        ['Reshape', '', ['axes', 'one'], ['tmp']],
        ['ReduceMean', '', ['x', 'tmp'], ['mean']],
        ['Sub', '', ['x', 'mean'], ['y']],
      ],
    }),
    functionOf(domain, 'block', {
      inputs: ['x', 'w'],
      outputs: ['y'],
      attributes: ['axis'],
      opset,
      imports: [domain],
      nodes: [
        ['norm', '', ['x'], ['tmp'], [referenceAttribute('axis', 'axis', 2)], domain],
        ['MatMul', '', ['tmp', 'w'], ['mean']],
        ['Constant', '', [], ['last'], [value('value', [2], [2, 2], 'int64')]],
        ['flatten_to', '', ['mean', 'last'], ['split'], [], domain],
        ['Transpose', '', ['split'], ['turned'], [integersAttribute('perm', [0, 1, 3, 2])]],
        ['Constant', '', [], ['four'], [value('value', [1], [4], 'int64')]],
        ['flatten_to', '', ['turned', 'four'], ['y'], [], domain],
      ],
    }),
  ];
  let tmp = g.op('block', [x, weights.matrix(g, 'w', 4, 4)], { axis: -1 }, ['tmp'], domain);
  tmp = g.op('block', [tmp, weights.matrix(g, 'w', 4, 4)], { axis: 1 }, ['mean'], domain);
  g.output(g.op('Relu', [tmp], {}, ['y']), 'float32', ['batch', 'length', 4]);
  return g.model('functions', { domains: [domain], functions: functionList });
}

/** All of them, by name. */
export const generatedModels = { bert, decoder, detector, branches, loops, functions };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? '.';
  mkdirSync(folder, { recursive: true });
  for (const [name, make] of Object.entries(generatedModels)) writeFileSync(join(folder, `${name}.onnx`), make());
}
