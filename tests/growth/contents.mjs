// Names, texts, attributes, initializers, and the other lists of a file.
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';
import * as onnx from '../../tools/models/writer.mjs';
import { chain, ofInput, ones, text, times } from './builders.mjs';

const { bytes, integer } = onnx;

/** A model whose graph is y = Abs(x) and these fields. The fields `last` of the model follow. */
function around(fields, { last = [], node = [], feeds = { x: ones() } } = {}) {
  const graph = [
    onnx.input('x', 'float32', [1]),
    onnx.output('y', 'float32', [1]),
    ...(node.length > 0 ? node : [onnx.node('Abs', 'abs', ['x'], ['y'])]),
    ...fields,
  ];
  return { file: new Uint8Array(Buffer.concat([onnx.model('g', graph), ...last])), feeds };
}

const entry = (key, value) => [bytes(1, key), bytes(2, value)];
const abs = (attributes) => [onnx.node('Abs', 'abs', ['x'], ['y'], attributes)];
const oddNode = (attributes) => [onnx.node('Odd', 'odd', ['x'], ['y'], attributes, 'odd.domain')];

/** An operator that Broadloom does not have: its model is described and simplified alone. */
const odd = (attributes) => ({
  ...around([], { node: oddNode([attributes].flat()), last: [bytes(8, [bytes(1, 'odd.domain'), integer(2, 1)])] }),
  allowUnsupported: true,
  feeds: undefined,
});

/** An operator that ONNX has and Broadloom does not run. */
const resting = (attributes) => ({
  ...around([], { node: [onnx.node('ImageDecoder', 'decoder', ['x'], ['y'], attributes)] }),
  allowUnsupported: true,
  feeds: undefined,
});

const listAttribute = (type, fields) => bytes(5, [bytes(1, 'list'), ...fields, integer(20, type)]);
const floatBytes = (field, value) => {
  const four = Buffer.alloc(4);
  four.writeFloatLE(value);
  return Buffer.concat([onnx.varint(field * 8 + 5), four]);
};

/** An initializer that a node adds to the input. */
const weighed = (n, make) =>
  around(
    times(n, (i) => make(i)),
    {
      node: [
        onnx.node('Sum', 'sum', ['x', ...times(n, (i) => `w${i}`)], ['s']),
        onnx.node('ReduceSum', 'all', ['s'], ['y']),
      ],
    },
  );

const valueInfo = (name, dims = [1]) => Buffer.concat([bytes(13, rest(onnx.input(name, 'float32', dims)))]);
/** The content of a field, without its key and length. */
function rest(field) {
  let at = 1;
  while (field[at] & 128) at++;
  return field.subarray(at + 1);
}

const sparse = (i, count) =>
  bytes(15, [
    bytes(1, [onnx.tensor([count], new Array(count).fill(i)), bytes(8, `w${i}`)]),
    bytes(
      2,
      onnx.tensor(
        [count],
        times(count, (k) => 2 * k),
        'int64',
      ),
    ),
    integer(3, 2 * count),
  ]);

function chainWithNames(n, name) {
  const nodes = times(n, (i) =>
    onnx.node('Neg', name(i), [i === 0 ? 'x' : `v${i}`], [i === n - 1 ? 'y' : `v${i + 1}`]),
  );
  return around([], { node: nodes });
}

/** Graphs of Ifs, which all use the same names of values and nodes within. */
function siblings(n, takes = 'constant') {
  return ofInput((graph, x) => {
    const condition =
      takes === 'constant'
        ? graph.constant('bool', [], [1])
        : graph.op('Cast', [graph.op('ReduceSum', [x], { keepdims: 0 })], { to: 9 });
    const branch = (operator) => {
      const inner = new GraphBuilder(21);
      inner.output(inner.op(operator, [inner.op('Neg', [x])]), 'float32', undefined);
      return inner;
    };
    return chain(n, (g, y) =>
      g.op('Add', [y, g.op('If', [condition], { then_branch: branch('Exp'), else_branch: branch('Sin') })]),
    )(graph, x);
  });
}

/** Functions whose calls make values that get names of their own, beside values that have these names already. */
function collisions(n) {
  const call = onnx.functionOf('own', 'Twice', {
    inputs: ['a'],
    outputs: ['b'],
    nodes: [
      ['Neg', 'n', ['a'], ['c']],
      ['Neg', 'm', ['c'], ['b']],
    ],
    opset: 21,
  });
  const nodes = times(n, (i) =>
    onnx.node('Twice', 'call', [i === 0 ? 'x' : `v${i}`], [i === n - 1 ? 'y' : `v${i + 1}`], [], 'own'),
  );
  const taken = times(n, (i) => onnx.node('Abs', i === 0 ? 'c' : `c_${i}`, ['x'], [i === 0 ? 'c' : `c_${i}`]));
  const made = [
    onnx.output('y', 'float32', [1]),
    onnx.input('x', 'float32', [1]),
    ...taken,
    ...nodes,
    onnx.output('c', 'float32', [1]),
  ];
  return { file: new Uint8Array(onnx.model('g', made, ['own'], { functions: [call] })), feeds: { x: ones() } };
}

function external(n, place) {
  const content = new Uint8Array(4 * n);
  return {
    ...weighed(n, (i) => onnx.externalInitializer(`w${i}`, [1], 'float32', place(i))),
    external: () => content,
  };
}

const externalEntries = (n) => ({
  ...around([
    bytes(5, [
      integer(1, 1),
      integer(2, 1),
      bytes(8, 'w'),
      bytes(13, entry('location', 'f')),
      ...times(n, (i) => bytes(13, entry(`k${i}`, 'v'))),
      integer(14, 1),
    ]),
  ]),
  external: () => new Uint8Array(4),
});

const texts = (n) => times(n, (i) => `text ${i}`);
const strings = (dims, values) => [
  ...dims.map((dim) => integer(1, dim)),
  integer(2, 8),
  ...values.map((value) => bytes(6, value)),
];
const textModel = (n, values) =>
  around([], {
    node: [
      onnx.node('Constant', 'k', [], ['k'], [onnx.tensorAttribute('value', strings([n], values))]),
      onnx.node('Size', 'size', ['k'], ['s']),
      onnx.node('Cast', 'cast', ['s'], ['f'], [onnx.integerAttribute('to', 1)]),
      onnx.node('Add', 'add', ['x', 'f'], ['y']),
    ],
  });

export default {
  'the length of a name': [2 ** 16, (n) => ofInput((g, x) => g.op('Neg', [g.op('Abs', [x], {}, [text(n)])]))],
  'the length of names of nodes': [100, (n) => chainWithNames(100, (i) => text(n * 10, i))],
  'long names that end alike': [200, (n) => chainWithNames(n, (i) => `${'n'.repeat(500)}${i}`)],
  'names of nodes that are equal': [1000, (n) => chainWithNames(n, () => 'equal')],
  'names of nodes that differ': [1000, (n) => chainWithNames(n, (i) => `name_${i}`)],
  'names in sibling graphs that are equal': [100, (n) => siblings(n)],
  'names in sibling graphs that stay': [100, (n) => siblings(n, 'open')],
  'names that collide when they are made unique': [300, collisions],
  'attributes of a node that has them not': [2000, (n) => odd(times(n, (i) => onnx.integerAttribute(`a${i}`, i)))],
  'attributes of an operator that does not run': [
    2000,
    (n) => resting(times(n, (i) => onnx.integerAttribute(`a${i}`, i))),
  ],
  'attributes of one name': [1000, (n) => odd(times(n, () => onnx.integerAttribute('a', 1)))],
  'integers of an attribute': [
    20_000,
    (n) =>
      odd(
        onnx.integersAttribute(
          'list',
          times(n, (i) => i),
        ),
      ),
  ],
  'integers of an attribute, packed': [
    20_000,
    (n) => odd(listAttribute(7, [bytes(8, Buffer.concat(times(n, (i) => onnx.varint(i))))])),
  ],
  'floats of an attribute': [
    10_000,
    (n) =>
      odd(
        onnx.floatsAttribute(
          'list',
          times(n, (i) => i / 3),
        ),
      ),
  ],
  'floats of an attribute, packed': [
    20_000,
    (n) => odd(listAttribute(6, [bytes(7, Buffer.from(new Float32Array(n).fill(0.1).buffer))])),
  ],
  'strings of an attribute': [
    5000,
    (n) =>
      odd(
        listAttribute(
          8,
          texts(n).map((one) => bytes(9, one)),
        ),
      ),
  ],
  'the length of a string of an attribute': [2 ** 18, (n) => odd(onnx.textAttribute('text', text(n)))],
  'tensors of an attribute': [
    1000,
    (n) =>
      odd(
        listAttribute(
          9,
          times(n, (i) => bytes(10, onnx.tensor([1], [i]))),
        ),
      ),
  ],
  'types of an attribute': [
    1000,
    (n) =>
      odd(
        listAttribute(
          14,
          times(n, () => bytes(15, [bytes(1, [integer(1, 1)])])),
        ),
      ),
  ],
  'elements of Constant: value_ints': [
    5000,
    (n) =>
      ofInput((g, x) => {
        const ints = g.op('Constant', [], { value_ints: times(n, (i) => i) });
        return g.op('Add', [x, g.op('Cast', [g.op('ReduceSum', [ints])], { to: 1 })]);
      }),
  ],
  'elements of Constant: value_strings': [2000, (n) => textModel(n, texts(n))],
  'the length of a text in a tensor': [2 ** 18, (n) => textModel(1, [text(n)])],
  'initializers that are read': [8000, (n) => weighed(n, (i) => onnx.initializer(`w${i}`, [1], [i]))],
  'initializers that are equal': [1000, (n) => weighed(n, (i) => onnx.initializer(`w${i}`, [4], [1, 2, 3, 4]))],
  'initializers that nobody reads': [1000, (n) => around(times(n, (i) => onnx.initializer(`w${i}`, [1], [i])))],
  'elements of one initializer': [
    2 ** 18,
    (n) => weighed(1, () => onnx.initializer('w0', [n], Buffer.alloc(4 * n, 1))),
  ],
  'elements of one initializer, one by one': [
    20_000,
    (n) =>
      weighed(1, () => bytes(5, [integer(1, n), integer(2, 1), bytes(8, 'w0'), ...times(n, (i) => floatBytes(4, i))])),
  ],
  'elements of one initializer in packed fields of one': [
    20_000,
    (n) =>
      weighed(1, () =>
        bytes(5, [
          integer(1, n),
          integer(2, 1),
          bytes(8, 'w0'),
          ...times(n, () => bytes(4, Buffer.from([0, 0, 128, 63]))),
        ]),
      ),
  ],
  'sparse initializers': [500, (n) => weighed(n, (i) => sparse(i, 1))],
  'elements of a sparse initializer': [5000, (n) => weighed(1, () => sparse(0, n))],
  'initializers in one file beside the model': [
    500,
    (n) => external(n, (i) => ({ location: 'f', offset: 4 * i, length: 4 })),
  ],
  'files beside the model': [500, (n) => external(n, (i) => ({ location: `f${i}`, offset: 0, length: 4 }))],
  'entries of external_data': [2000, externalEntries],
  'value_info that is read': [
    500,
    (n) => {
      const { file, feeds } = chainWithNames(n, () => '');
      const graph = times(n - 1, (i) => valueInfo(`v${i + 1}`));
      return { file: new Uint8Array(Buffer.concat([file, bytes(7, graph)])), feeds };
    },
  ],
  'value_info of values that are not there': [1000, (n) => around(times(n, (i) => valueInfo(`v${i}`)))],
  'value_info of one name': [1000, (n) => around(times(n, () => valueInfo('x')))],
  quantization_annotation: [
    1000,
    (n) =>
      around(times(n, (i) => bytes(14, [bytes(1, i % 2 ? 'x' : `v${i}`), bytes(2, entry('SCALE_TENSOR', `s${i}`))]))),
  ],
  'entries of one quantization_annotation': [
    2000,
    (n) => around([bytes(14, [bytes(1, 'x'), ...times(n, (i) => bytes(2, entry(`K${i}`, `s${i}`)))])]),
  ],
  'metadata_props of the model': [
    2000,
    (n) => around([], { last: times(n, (i) => bytes(14, entry(`k${i}`, `v${i}`))) }),
  ],
  'metadata_props of one key': [2000, (n) => around([], { last: times(n, () => bytes(14, entry('key', 'v'))) })],
  'metadata_props of a node': [
    2000,
    (n) => around([], { node: abs(times(n, (i) => bytes(9, entry(`k${i}`, `v${i}`)))) }),
  ],
  'metadata_props of the graph': [2000, (n) => around(times(n, (i) => bytes(16, entry(`k${i}`, `v${i}`))))],
  'the length of doc_string': [
    2 ** 18,
    (n) => around([bytes(10, text(n))], { last: [bytes(6, text(n))], node: abs([bytes(6, text(n))]) }),
  ],
  opset_imports: [
    1000,
    (n) => around([], { last: times(n, (i) => bytes(8, [bytes(1, `domain${i}`), integer(2, 1)])) }),
  ],
  'opset_imports of one domain': [
    2000,
    (n) => around([], { last: times(n, () => bytes(8, [bytes(1, 'domain'), integer(2, 1)])) }),
  ],
  training_info: [500, (n) => around([], { last: times(n, (i) => bytes(20, trainingStep(i))) })],
  'nodes of the algorithm of training_info': [1000, (n) => around([], { last: [bytes(20, [bytes(2, steps(n))])] })],
  'bindings of training_info': [
    2000,
    (n) =>
      around([], {
        last: [
          bytes(
            20,
            times(n, (i) => bytes(4, entry(`w${i}`, 'x'))),
          ),
        ],
      }),
  ],
  'device configurations': [
    1000,
    (n) => around([], { last: times(n, (i) => bytes(26, [bytes(1, `c${i}`), integer(2, 1)])) }),
  ],
};

const steps = (n) => times(n, (i) => onnx.node('Abs', '', ['x'], [`t${i}`], [onnx.integerAttribute('a', i)]));

function trainingStep(i) {
  return [
    bytes(1, [onnx.node('Abs', 'a', ['x'], [`t${i}`]), onnx.output(`t${i}`, 'float32', [1]), bytes(2, `init${i}`)]),
    bytes(2, [onnx.node('Neg', 'b', ['x'], [`u${i}`]), onnx.output(`u${i}`, 'float32', [1]), bytes(2, `step${i}`)]),
    bytes(4, entry(`w${i}`, `u${i}`)),
  ];
}
