// Attributes of nodes that loadModel refuses (semantics.md, sections 1 to 4).
import { test } from '@jest/globals';
import { load } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { type Case, node0, refuseModel } from './helpers/refused-models.js';

const ops = await load({});
const { attribute } = proto;
const x = proto.value('x', 'float32');

const shapeWith = (...attributes: Uint8Array[]): proto.ModelSpec => ({
  nodes: [{ op: 'Shape', inputs: ['x'], outputs: ['y'], attributes }],
  inputs: [x],
});
const constantWith = (...attributes: Uint8Array[]): proto.ModelSpec => ({
  nodes: [{ op: 'Constant', outputs: ['y'], attributes }],
});
const fillWith = (...attributes: Uint8Array[]): proto.ModelSpec => ({
  nodes: [{ op: 'ConstantOfShape', inputs: ['s'], outputs: ['y'], attributes }],
  initializers: [proto.tensor('int64', [1], [2], 's')],
});

const attributes: Case[] = [
  [
    'an attribute of another type',
    shapeWith(attribute.float('start', 1)),
    node0('Shape'),
    "attribute 'start' is FLOAT, wanted INT",
  ],
  [
    'an attribute without a type',
    shapeWith(proto.concat(proto.bytes(1, 'start'), proto.integer(3, 1))),
    node0('Shape'),
    "attribute 'start' has type 0",
  ],
  [
    'an attribute of an unknown type',
    shapeWith(attribute.raw('start', 16)),
    node0('Shape'),
    "attribute 'start' has type 16",
  ],
  ['an attribute without a name', shapeWith(attribute.int('', 1)), node0('Shape'), 'an attribute without a name'],
  [
    'an attribute twice',
    shapeWith(attribute.int('start', 1), attribute.int('start', 1)),
    node0('Shape'),
    "attribute 'start' is given twice",
  ],
  [
    'an attribute with two values',
    shapeWith(proto.concat(attribute.int('start', 1), proto.float(2, 1))),
    node0('Shape'),
    "attribute 'start'",
    'more than one value',
  ],
  [
    'an attribute whose value is of another type',
    shapeWith(attribute.raw('start', 2, proto.float(2, 1))),
    node0('Shape'),
    "attribute 'start' is declared as INT but holds FLOAT",
  ],
  [
    'a reference to an attribute of a function',
    shapeWith(attribute.raw('start', 2, proto.bytes(21, 'outer'))),
    node0('Shape'),
    'ref_attr_name outside a function',
  ],
  ['a TENSOR attribute without a tensor', fillWith(attribute.raw('value', 4)), node0('ConstantOfShape'), 'no tensor'],
  [
    'a TENSOR attribute with an invalid tensor',
    fillWith(attribute.tensor('value', proto.tensorHead('int8', [1]))),
    node0('ConstantOfShape'),
    'no data for the 1 element',
  ],
  [
    'a SPARSE_TENSOR attribute without a tensor',
    constantWith(attribute.raw('sparse_value', 11)),
    node0('Constant'),
    'no tensor',
  ],
  [
    'a sparse tensor without values',
    constantWith(attribute.sparse('sparse_value', proto.integers(3, [2]))),
    node0('Constant'),
    'values are missing',
  ],
  [
    'two values for a Constant',
    constantWith(attribute.int('value_int', 1), attribute.float('value_float', 1)),
    node0('Constant'),
    "got 'value_int' and 'value_float'",
  ],
  ['no value for a Constant', constantWith(), node0('Constant'), 'takes exactly one value attribute, got none'],
  [
    'a value_int without a value',
    constantWith(attribute.raw('value_int', 2)),
    node0('Constant'),
    "attribute 'value_int' has no value",
  ],
  [
    'a value_float without a value',
    constantWith(attribute.raw('value_float', 1)),
    node0('Constant'),
    "attribute 'value_float' has no value",
  ],
  [
    'a value_string without a value',
    constantWith(attribute.raw('value_string', 3)),
    node0('Constant'),
    "attribute 'value_string' has no value",
  ],
  [
    'a string that is not UTF-8',
    constantWith(attribute.string('value_string', Uint8Array.of(0xff))),
    node0('Constant'),
    'not UTF-8',
  ],
  [
    'a ConstantOfShape value of two elements',
    fillWith(attribute.tensor('value', proto.tensor('int8', [2], [1, 2]))),
    node0('ConstantOfShape'),
    "attribute 'value' has dims [2] and 2 elements, wanted one",
  ],
];

test.each(attributes)('a node with %s is refused', (_what, spec, place, ...says) =>
  refuseModel(ops, 'INVALID_MODEL', spec, place, says),
);
