// Tensors that a file names outside of nodes keep their names and values when the file is simplified.
import { expect, test } from '@jest/globals';
import { load, type SimplifyOptions } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { f32 } from './helpers/models.js';

const ops = await load({});
const { attribute, bytes, concat, value } = proto;
const dims = [1, 1, 2, 2];
const float32 = (name: string, of: number[], ...data: number[]) => proto.tensor('float32', of, data, name);
const int64 = (name: string, ...data: number[]) => proto.tensor('int64', [data.length], data, name);
const entry = (key: string, name: string) => concat(bytes(1, key), bytes(2, name));
const node = (op: string, inputs: string[], outputs: string[], ...attributes: proto.Bytes[]): proto.NodeSpec => ({
  op,
  inputs,
  outputs,
  attributes,
});

/** A TensorAnnotation, whose scale is the tensor `scale`. */
const annotation = (name: string, scale = 'scale') =>
  bytes(14, concat(bytes(1, name), bytes(2, entry('SCALE_TENSOR', scale))));

/** Ways to name a tensor: fields of the graph, and of the model. */
const ways: { readonly [way: string]: (name: string) => { graph?: proto.Bytes; model?: proto.Bytes } } = {
  quantization_annotation: (name) => ({ graph: annotation(name) }),
  'a parameter of an annotation': (name) => ({ graph: annotation('y', name) }),
  'metadata_props of the graph': (name) => ({ graph: bytes(16, entry('features', name)) }),
  'metadata_props of the model': (name) => ({ model: bytes(14, entry('features', name)) }),
  'a reader in training_info': (name) => ({
    model: bytes(
      20,
      concat(
        bytes(2, concat(bytes(1, proto.node(node('Identity', [name], ['new']))), bytes(2, 'algorithm'))),
        bytes(4, entry('W', 'new')),
      ),
    ),
  }),
};

function fileOf(spec: proto.ModelSpec, way: { graph?: proto.Bytes; model?: proto.Bytes }): Uint8Array {
  const graph = concat(proto.graph(spec), way.graph ?? concat());
  return concat(proto.integer(1, 8), proto.opsetImport('', 17), bytes(7, graph), way.model ?? concat());
}

const inexact: SimplifyOptions = { fuseInexact: true };
const from = (...nodes: proto.NodeSpec[]): readonly proto.NodeSpec[] => nodes;
const lists = [
  float32('W', [1, 1, 1, 1], 2),
  float32('k', [1], 3),
  float32('one', [1], 1),
  float32('zero', [1], 0),
  ...['B', 'M', 'V'].map((name) => float32(name, [1], 0.5)),
  float32('scale', [1], 0.25),
  int64('same', ...dims),
  int64('flat', 4),
  int64('pads', 0, 0, 1, 1, 0, 0, 1, 1),
  int64('axes', 0),
];
const conv = node('Conv', ['x', 'W'], ['m']);

/** Nodes that make m and y of x, and would lose m. */
const cases: { readonly [what: string]: readonly [readonly proto.NodeSpec[], SimplifyOptions?] } = {
  'an Identity makes it': [from(node('Identity', ['x'], ['m']), node('Relu', ['m'], ['y']))],
  'a Mul by 1 makes it': [from(node('Mul', ['x', 'one'], ['m']), node('Relu', ['m'], ['y']))],
  'a Cast to the same type makes it': [
    from(node('Cast', ['x'], ['m'], attribute.int('to', 1)), node('Relu', ['m'], ['y'])),
  ],
  'a Reshape to the same dims makes it': [from(node('Reshape', ['x', 'same'], ['m']), node('Relu', ['m'], ['y']))],
  'a Dropout makes it': [from(node('Dropout', ['x'], ['m']), node('Relu', ['m'], ['y']))],
  'it is there twice': [from(node('Neg', ['x'], ['n']), node('Neg', ['x'], ['m']), node('Sub', ['n', 'm'], ['y']))],
  'an Identity makes an output of it': [from(node('Neg', ['x'], ['m']), node('Identity', ['m'], ['y']))],
  'a Mul by 1 makes an output of it': [from(node('Neg', ['x'], ['m']), node('Mul', ['m', 'one'], ['y']))],
  'two Transposes make an output of it': [
    from(node('Neg', ['x'], ['m']), node('Transpose', ['m'], ['t']), node('Transpose', ['t'], ['y'])),
  ],
  'it lies between two Reshapes': [from(node('Reshape', ['x', 'flat'], ['m']), node('Reshape', ['m', 'same'], ['y']))],
  'it is computed of constants': [from(node('Mul', ['k', 'k'], ['m']), node('Add', ['x', 'm'], ['y']))],
  'it is a branch of an If': [
    from(
      node(
        'If',
        ['yes'],
        ['m'],
        attribute.graph('then_branch', proto.graph({ nodes: [node('Neg', ['x'], ['t'])], outputs: [value('t', 1)] })),
        attribute.graph('else_branch', proto.graph({ nodes: [node('Abs', ['x'], ['e'])], outputs: [value('e', 1)] })),
      ),
      node('Identity', ['m'], ['y']),
    ),
  ],
  'a Mul follows a Conv': [from(conv, node('Mul', ['m', 'k'], ['q']), node('Relu', ['q'], ['y'])), inexact],
  'a Mul makes an output of a Conv': [from(conv, node('Mul', ['m', 'k'], ['y'])), inexact],
  'an Add follows a ConvTranspose': [
    from(node('ConvTranspose', ['x', 'W'], ['m']), node('Add', ['m', 'k'], ['q']), node('Relu', ['q'], ['y'])),
    inexact,
  ],
  'a BatchNormalization follows a Conv': [
    from(conv, node('BatchNormalization', ['m', 'k', 'B', 'M', 'V'], ['y'])),
    inexact,
  ],
  'a Mul goes into the Conv behind it': [
    from(node('Mul', ['x', 'k'], ['m']), node('Conv', ['m', 'W'], ['y'])),
    inexact,
  ],
  'a Pad goes into the Conv behind it': [
    from(node('Pad', ['x', 'pads'], ['m']), node('Conv', ['m', 'W'], ['y'])),
    inexact,
  ],
  'a Softmax goes into a LogSoftmax': [from(node('Softmax', ['x'], ['m']), node('Log', ['m'], ['y'])), inexact],
  'an Add of 0 makes an output of it': [from(node('Neg', ['x'], ['m']), node('Add', ['m', 'zero'], ['y'])), inexact],
};
const yes = proto.tensor('bool', [], [1], 'yes');
const feeds = { x: f32(dims, 1, -2, 3, 4) };

const holds = (file: Uint8Array, part: proto.Bytes | string) => Buffer.from(file).includes(Buffer.from(part as string));

/** The dims and elements of a tensor: the model runs for it alone. */
function tensorIn(file: Uint8Array, name: string) {
  const { [name]: tensor } = ops.loadModel(file).run(feeds, { outputs: [name] });
  return [tensor?.dims, tensor?.toArray()];
}

for (const [way, named] of Object.entries(ways))
  test.each(Object.entries(cases))(`%s, and ${way} names it: it keeps its name and value`, (_, [nodes, options]) => {
    const spec = { nodes, inputs: [value('x', 'float32', dims)], outputs: [value('y', 'float32')] };
    const file = fileOf({ ...spec, initializers: [...lists, yes] }, named('m'));
    const simple = ops.simplify(file, options).bytes;
    expect(tensorIn(simple, 'm')).toEqual(tensorIn(file, 'm'));
    expect(ops.loadModel(simple).outputs.map(({ name }) => name)).toEqual(['y']);
    if (way === 'quantization_annotation') {
      expect(holds(simple, annotation('m'))).toBe(true);
      expect(tensorIn(simple, 'scale')).toEqual(tensorIn(file, 'scale'));
    }
    // A second time changes nothing, unless no output needs what is annotated any more.
    else expect(ops.simplify(simple, options).bytes).toEqual(simple);
  });

test('weights that an annotation names stay beside those that they were fused into', () => {
  const file = fileOf(
    {
      nodes: [conv, node('Mul', ['m', 'k'], ['y'])],
      inputs: [value('x', 'float32', dims)],
      outputs: [value('y', 'float32')],
      initializers: lists,
    },
    { graph: annotation('W') },
  );
  const { bytes: simple, report } = ops.simplify(file, inexact);
  expect(report.after.operators).toEqual({ Conv: 1 });
  expect(tensorIn(simple, 'W')).toEqual([[1, 1, 1, 1], Float32Array.of(2)]);
  expect(holds(simple, annotation('W'))).toBe(true);
});

test('an annotation goes with what the chosen outputs do not need', () => {
  const file = fileOf(
    {
      nodes: [
        node('Neg', ['x'], ['m']),
        node('Exp', ['m'], ['n']),
        node('Abs', ['n'], ['z']),
        node('Relu', ['x'], ['y']),
      ],
      inputs: [value('x', 'float32', dims)],
      outputs: [value('y', 'float32'), value('z', 'float32')],
      initializers: lists,
    },
    { graph: annotation('m') },
  );
  const all = ops.simplify(file);
  expect(all.report.after.nodes).toBe(4);
  expect(holds(all.bytes, 'SCALE_TENSOR')).toBe(true);
  const chosen = ops.simplify(file, { outputs: ['y'] });
  expect(chosen.report.after.operators).toEqual({ Relu: 1 });
  expect(holds(chosen.bytes, 'SCALE_TENSOR')).toBe(false);
  expect(holds(chosen.bytes, 'scale')).toBe(false);
});

test('annotations of branches follow tensors that get new names', () => {
  const branch = (op: string) =>
    attribute.graph(
      'then_branch',
      concat(
        proto.graph({
          nodes: [node(op, ['x'], ['m']), node('Add', ['m', 's'], ['t'])],
          outputs: [value('t', 1)],
          initializers: [float32('s', [1], op === 'Neg' ? 5 : 6)],
        }),
        annotation('m', 's'),
      ),
    );
  const otherwise = attribute.graph(
    'else_branch',
    proto.graph({ nodes: [node('Exp', ['x'], ['e'])], outputs: [value('e', 1)] }),
  );
  const file = fileOf(
    {
      nodes: [
        node('If', ['yes'], ['a'], branch('Neg'), otherwise),
        node('If', ['yes'], ['b'], branch('Abs'), otherwise),
        node('Mul', ['a', 'b'], ['y']),
      ],
      inputs: [value('x', 'float32', dims)],
      outputs: [value('y', 'float32')],
      initializers: [yes],
    },
    {},
  );
  const simple = ops.simplify(file).bytes;
  expect(ops.loadModel(simple).nodes.map(({ operator }) => operator)).toEqual(['Neg', 'Add', 'Abs', 'Add', 'Mul']);
  const made = (op: string) =>
    ops.loadModel(simple).nodes.find(({ operator }) => operator === op)?.outputs[0]?.name ?? '';
  const scales = ops.loadModel(simple).initializers.map(({ name }) => name);
  expect(scales).toHaveLength(2);
  for (const op of ['Neg', 'Abs']) {
    const scale = scales.find((name) => tensorIn(simple, name)[1]?.[0 as never] === (op === 'Neg' ? 5 : 6)) as string;
    expect(holds(simple, annotation(made(op), scale))).toBe(true);
  }
});

test('a Loop whose body has annotations is not unrolled', () => {
  const body = (more: proto.Bytes) =>
    attribute.graph(
      'body',
      concat(
        proto.graph({
          nodes: [node('Identity', ['go'], ['on']), node('Neg', ['state'], ['m'])],
          inputs: [value('i', 'int64', []), value('go', 'bool', []), value('state', 'float32')],
          outputs: [value('on', 'bool'), value('m', 'float32')],
        }),
        more,
      ),
    );
  const loop = (more: proto.Bytes) =>
    fileOf(
      {
        nodes: [node('Loop', ['times', 'yes', 'x'], ['y'], body(more))],
        inputs: [value('x', 'float32', dims)],
        outputs: [value('y', 'float32')],
        initializers: [proto.tensor('int64', [], [2], 'times'), yes, float32('scale', [1], 0.25)],
      },
      {},
    );
  expect(ops.simplify(loop(concat()), { unroll: 4 }).report.after.operators).not.toHaveProperty('Loop');
  const kept = ops.simplify(loop(annotation('m')), { unroll: 4 });
  expect(kept.report.after.operators).toHaveProperty('Loop');
  expect(holds(kept.bytes, annotation('m'))).toBe(true);
});
