// Models that are refused when they are loaded (semantics.md, sections 1 to 3).
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { type Case, node0, refuseModel } from './helpers/refused-models.js';
import { expectRefusal } from './helpers/runtime.js';

const ops = await load({});
const { attribute, value } = proto;
const x = value('x', 'float32');
const y = value('y', 'float32');
const identity = { op: 'Identity', inputs: ['x'], outputs: ['y'] };

const structure: Case[] = [
  ['an empty file', new Uint8Array(0), {}, 'the file is empty'],
  [
    'no graph',
    proto.concat(proto.integer(1, 8), proto.opsetImport('', 25)),
    {},
    'there is no graph: the file is cut off, or not a model',
  ],
  ['no ir_version', proto.concat(proto.opsetImport('', 25), proto.bytes(7, proto.graph({}))), {}, 'ir_version is 0'],
  ['ir_version 0', { ir: 0 }, {}, 'ir_version is 0'],
  [
    'the default domain imported with two opsets',
    {
      opset: [
        ['', 13],
        ['ai.onnx', 14],
      ],
    },
    {},
    'imported twice',
    '13',
    '14',
  ],
  ['opset 0', { opset: [['', 0]] }, {}, 'the opset of the default domain is 0'],
  ['a negative opset', { opset: [['', -3]] }, {}, 'the opset of the default domain is -3'],
  [
    'no opset import',
    { opset: [], nodes: [identity], inputs: [x], outputs: [y] },
    { operator: 'Identity', node: '#0' },
    'opset_import',
  ],
  [
    'only another domain imported',
    { opset: [['com.example', 1]], nodes: [identity], inputs: [x], outputs: [y] },
    { operator: 'Identity', node: '#0' },
    'opset_import',
  ],
  ['an input without a name', { inputs: [value('', 'float32')] }, {}, 'graph.input[0]', 'an input without a name'],
  ['an input without a type', { inputs: [proto.bytes(1, 'x')] }, {}, "'x' has no element type"],
  ['an input of element type UNDEFINED', { inputs: [value('x', 0)] }, {}, "'x' has no element type"],
  ['an input of an unknown element type', { inputs: [value('x', 99)] }, {}, 'elem_type is 99'],
  [
    'an input that is a sequence',
    { inputs: [proto.concat(proto.bytes(1, 'x'), proto.bytes(2, proto.bytes(4, '')))] },
    {},
    'not a tensor',
  ],
  ['two inputs of one name', { inputs: [x, x] }, {}, 'graph.input[1]', "the name 'x' is used twice"],
  [
    'two initializers of one name',
    { initializers: [proto.tensor('int8', [1], [1], 'w'), proto.tensor('int8', [1], [1], 'w')] },
    {},
    'graph.initializer[1]',
    "the name 'w' is used twice",
  ],
  [
    'an initializer without a name',
    { initializers: [proto.tensor('int8', [1], [1])] },
    {},
    'an initializer without a name',
  ],
  [
    'an initializer of another type than its input',
    { inputs: [x], initializers: [proto.tensor('int8', [1], [1], 'x')] },
    {},
    "'x' is declared as float32, but it is int8",
  ],
  [
    'a node that produces an input',
    { nodes: [{ ...identity, outputs: ['x'] }], inputs: [x] },
    {},
    "the name 'x' is used twice",
  ],
  [
    'a node that produces an initializer',
    {
      nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['w'] }],
      inputs: [x],
      initializers: [proto.tensor('int8', [1], [1], 'w')],
    },
    {},
    "the name 'w' is used twice",
  ],
  [
    'two nodes that produce one name',
    { nodes: [identity, identity], inputs: [x], outputs: [y] },
    {},
    "the name 'y' is used twice",
  ],
  [
    'an output that nothing produces',
    { inputs: [x], outputs: [y] },
    {},
    'graph.output[0]',
    "nothing produces the output 'y'",
  ],
  ['an output without a name', { inputs: [x], outputs: [value('', 'float32')] }, {}, "nothing produces the output ''"],
  [
    'an output listed twice with two types',
    { inputs: [x], outputs: [x, value('x', 'int8')] },
    {},
    "'x' is declared as int8, but it is float32",
  ],
  [
    'an output declared as another type',
    { nodes: [identity], inputs: [x], outputs: [value('y', 'int8')] },
    {},
    "'y' is declared as int8, but it is float32",
  ],
  [
    'a Shape output declared as float',
    { nodes: [{ op: 'Shape', inputs: ['x'], outputs: ['y'] }], inputs: [x], outputs: [y] },
    {},
    "'y' is declared as float32, but it is int64",
  ],
  [
    'a value_info of another type',
    { nodes: [identity], inputs: [x], outputs: [y], values: [value('y', 'int8')] },
    node0('Identity'),
    "'y' is declared as int8, but it is float32",
  ],
];

test.each(structure)('a model with %s is refused', (_what, spec, place, ...says) =>
  refuseModel(ops, 'INVALID_MODEL', spec, place, says),
);

const unnamed = { op: 'Expand', inputs: ['x', ''], outputs: ['y'] };
const nodes: Case[] = [
  [
    'an input that nothing produces',
    { nodes: [identity], outputs: [y] },
    node0('Identity'),
    "nothing produces its input 'x'",
  ],
  [
    'itself as its input',
    { nodes: [{ op: 'Identity', inputs: ['y'], outputs: ['y'] }], outputs: [y] },
    node0('Identity'),
    'reads what follows from its own outputs: the nodes are in a cycle',
  ],
  [
    'a cycle of two',
    {
      nodes: [
        { op: 'Identity', inputs: ['b'], outputs: ['a'] },
        { op: 'Identity', inputs: ['a'], outputs: ['b'] },
      ],
    },
    node0('Identity'),
    'in a cycle',
  ],
  ['no op_type', { nodes: [{ op: '', inputs: ['x'], outputs: ['y'] }], inputs: [x] }, {}, 'a node without op_type'],
  [
    'an empty name for a required input',
    { nodes: [unnamed], inputs: [x] },
    node0('Expand'),
    "Expand-13: input 1 ('shape') is missing",
  ],
  [
    'an empty name for its output',
    { nodes: [{ ...identity, outputs: [''] }], inputs: [x] },
    node0('Identity'),
    'Identity-25: output 0 has no name',
  ],
  [
    'too few inputs',
    { nodes: [{ op: 'Expand', inputs: ['x'], outputs: ['y'] }], inputs: [x] },
    node0('Expand'),
    'Expand-13: takes 2 inputs, got 1',
  ],
  [
    'too many inputs',
    { nodes: [{ ...identity, inputs: ['x', 'x'] }], inputs: [x] },
    node0('Identity'),
    'takes 1 input, got 2',
  ],
  ['no output', { nodes: [{ ...identity, outputs: [] }], inputs: [x] }, node0('Identity'), 'takes 1 output, got 0'],
  [
    'too many outputs',
    { nodes: [{ ...identity, outputs: ['y', 'z'] }], inputs: [x] },
    node0('Identity'),
    'takes 1 output, got 2',
  ],
  [
    'a Constant with an input',
    {
      nodes: [{ op: 'Constant', inputs: ['x'], outputs: ['y'], attributes: [attribute.int('value_int', 1)] }],
      inputs: [x],
    },
    node0('Constant'),
    'takes 0 inputs, got 1',
  ],
];

test.each(nodes)('a node with %s is refused', (_what, spec, place, ...says) =>
  refuseModel(ops, 'INVALID_MODEL', spec, place, says),
);

const unknown: Case[] = [
  [
    'an unknown operator',
    { nodes: [{ ...identity, op: 'Weave' }], inputs: [x] },
    { ...node0('Weave') },
    "no operator 'Weave'",
  ],
  [
    'an operator of an unknown domain',
    {
      nodes: [{ ...identity, domain: 'com.example' }],
      inputs: [x],
      opset: [
        ['', 25],
        ['com.example', 1],
      ],
    },
    node0('Identity'),
    "no operator 'Identity' in domain 'com.example'",
  ],
  [
    'an operator of the domain that onnxruntime writes for one machine',
    {
      nodes: [{ op: 'Conv', domain: 'com.ms.internal.nhwc', inputs: ['x', 'x'], outputs: ['y'] }],
      inputs: [x],
      opset: [
        ['', 25],
        ['com.ms.internal.nhwc', 25],
      ],
    },
    node0('Conv'),
    "no operator 'Conv' in domain 'com.ms.internal.nhwc': onnxruntime optimised this file for one machine, use the original file",
  ],
  [
    'an operator before its first opset',
    { opset: 7, nodes: [{ op: 'Expand', inputs: ['x', 'x'], outputs: ['y'] }], inputs: [x] },
    { operator: 'Expand', opset: 7, node: '#0' },
    'not in opset 7',
    'Expand-8',
  ],
];

test.each(unknown)('a model with %s is refused with UNKNOWN_OPERATOR', (_what, spec, place, ...says) =>
  refuseModel(ops, 'UNKNOWN_OPERATOR', spec, place, says),
);

test('errors name a node by its name, or by its number if it has none', () => {
  const named = { nodes: [identity, { op: 'Weave', inputs: ['x'], outputs: ['z'], name: 'the loom' }], inputs: [x] };
  refuseModel(ops, 'UNKNOWN_OPERATOR', named, { node: 'the loom' }, ["'the loom'", 'graph.node[1]']);
  refuseModel(
    ops,
    'UNKNOWN_OPERATOR',
    { ...named, nodes: [identity, { op: 'Weave', inputs: ['x'], outputs: ['z'] }] },
    { node: '#1' },
    ["'#1'"],
  );
});

test('a long name is cut in errors, between two characters', () => {
  const name = '\u{1f9f6}'.repeat(1000);
  const error = expectRefusal(ops, () => ops.loadModel(proto.model({ nodes: [{ op: 'Weave', name }] })), {
    code: 'UNKNOWN_OPERATOR',
    says: ['\u{1f9f6}\u{1f9f6}'],
  });
  expect(error.message.length).toBeLessThan(700);
  expect(error.message).not.toContain('\ufffd');
  expect(name.startsWith(error.node ?? 'no node')).toBe(true);
});

test('the first error in a file is the one that is reported', () => {
  refuseModel(ops, 'INVALID_MODEL', { inputs: [x, x], outputs: [y] }, {}, ["the name 'x' is used twice"]);
});

test('the place in the file is a path and a byte offset', () => {
  const file = proto.model({
    initializers: [proto.tensor('int8', [1], [1], 'ok'), proto.tensorHead('int8', [2], 'w')],
  });
  refuseModel(ops, 'INVALID_MODEL', file, {}, ['graph.initializer[1]', 'byte ']);
});
