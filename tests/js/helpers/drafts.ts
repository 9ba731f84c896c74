// Calls in the playground's form: the documented examples, and others of every type and kind of attribute.
import { type DataType, dataTypes } from 'broadloom';
import { defaultDraft } from '../../../web-demo/src/default-draft.js';
import type { CallDraft, TensorDraft, Values } from '../../../web-demo/src/drafts.js';
import { exampleDraft } from '../../../web-demo/src/example-draft.js';
import { examplesOf, newestOpset, operatorIndex } from '../../../web-demo/src/facts.js';

export interface NamedDraft {
  title: string;
  draft: CallDraft;
}

const text = (text: string): Values => ({ kind: 'text', text });

export function tensor(type: DataType, dims: string, values: Values | string): TensorDraft {
  return { type, dims, values: typeof values === 'string' ? text(values) : values };
}

function call(
  operator: string,
  inputs: CallDraft['inputs'],
  attributes: CallDraft['attributes'] = {},
  opset = newestOpset,
): CallDraft {
  return { operator, opset, inputs, attributes };
}

/** Six values of each type, including ones that are hard to write. */
function sampleText(type: DataType, kind: string): string {
  if (kind === 'string') return '["a", "quote \\" and \\\\", "\u7ecf\u{1f9f6}", "", "\\u0007\\n", "last"]';
  if (kind === 'boolean') return 'True False 1 0 true false';
  if (kind === 'complex') return '1+2j, -0-0j, nan+infj, -inf+1e-3j, 5, 2.5j';
  if (type === 'int64') return '-9223372036854775808, 9223372036854775807, 0, 1, -1, 2';
  if (type === 'uint64') return '18446744073709551615, 0, 1, 2, 3, 4';
  if (/^u?int2$/.test(type)) return type === 'int2' ? '-2 -1 0 1 0 1' : '0 1 2 3 0 1';
  if (kind === 'signed_integer') return '-8 7 0 1 -1 2';
  if (kind === 'unsigned_integer') return '0 15 1 2 3 4';
  if (type === 'float8e8m0') return '1 2 0.5 4 nan 8';
  if (type === 'float4e2m1') return '0.5 -6 1.5 0 -0 3';
  return /fn|4$/.test(type) && type !== 'float64' ? '0.5 -1.5 2 nan 0 4' : '0.1 -0 inf -inf nan 1e-3';
}

function draftsOf(operator: string): NamedDraft[] {
  return examplesOf(operator).map((example) => ({
    title: `${operator} ${example.name}`,
    draft: exampleDraft(example),
  }));
}

const documented = ['Constant', 'ConstantOfShape', 'Shape', 'Expand'];

export const exampleDrafts: NamedDraft[] = documented.flatMap(draftsOf);

/** One of ONNX's tests for each operator: the initial call of its form. */
export const officialDrafts: NamedDraft[] = operatorIndex
  .map(({ name }) => name)
  .filter((name) => !documented.includes(name))
  .map((name) => ({ title: name, draft: defaultDraft(name, newestOpset) }));

/** Identity of every type, with values of every kind. */
export const typeDrafts: NamedDraft[] = dataTypes.flatMap(({ name, kind }) => {
  const holdsOne = { kind: 'range', start: 1, step: 0 } as const;
  const step = /int2|bool|float8e8m0/.test(name) ? 0 : 1;
  const values: [what: string, values: Values][] = [
    ['text', text(sampleText(name, kind))],
    ['random', { kind: 'random', seed: -7 }],
    ['a fill', holdsOne],
    ['a range', { kind: 'range', start: 1, step }],
  ];
  return values.map(([what, values]) => ({
    title: `Identity of ${name} from ${what}`,
    draft: call('Identity', [tensor(name, '2, 3', values)]),
  }));
});

const seven: TensorDraft = tensor('int16', '1', '7');

export const attributeDrafts: NamedDraft[] = [
  {
    title: 'TENSOR',
    draft: call('Constant', [], { value: { kind: 'tensor', tensor: tensor('int8', '2, 1', '1 2') } }),
  },
  {
    title: 'SPARSE_TENSOR',
    draft: call('Constant', [], {
      sparse_value: {
        kind: 'sparse',
        values: tensor('float64', '2', '1.5, -0'),
        indices: tensor('int64', '2', '0, 3'),
        dims: '2, 2',
      },
    }),
  },
  { title: 'FLOAT', draft: call('Constant', [], { value_float: { kind: 'text', text: 'nan' } }) },
  { title: 'FLOAT that is whole', draft: call('Constant', [], { value_float: { kind: 'text', text: '2' } }) },
  { title: 'FLOATS', draft: call('Constant', [], { value_floats: { kind: 'text', text: '1, -0, inf, 0.1' } }) },
  { title: 'empty FLOATS', draft: call('Constant', [], { value_floats: { kind: 'text', text: '' } }) },
  { title: 'INT', draft: call('Constant', [], { value_int: { kind: 'text', text: '9223372036854775807' } }) },
  { title: 'INTS', draft: call('Constant', [], { value_ints: { kind: 'text', text: '1, -9223372036854775808' } }) },
  { title: 'STRING', draft: call('Constant', [], { value_string: { kind: 'text', text: 'a "b"\n\\' } }) },
  { title: 'STRINGS', draft: call('Constant', [], { value_strings: { kind: 'text', text: 'a, "b, c"' } }) },
  { title: 'an older opset', draft: call('Constant', [], { value_int: { kind: 'text', text: '5' } }, 12) },
  { title: 'Shape of an older opset', draft: call('Shape', [seven], {}, 13) },
  { title: 'Expand of an older opset', draft: call('Expand', [seven, tensor('int64', '1', '3')], {}, 8) },
  { title: 'ConstantOfShape without attributes', draft: call('ConstantOfShape', [tensor('int64', '1', '3')], {}, 9) },
  {
    title: 'a shape that is made',
    draft: call('Expand', [seven, tensor('int64', '2', { kind: 'range', start: 2, step: 1 })]),
  },
  {
    title: 'many values on many lines',
    draft: call('Identity', [tensor('float32', '200', Array.from({ length: 200 }, (_, i) => i / 8).join(' '))]),
  },
  { title: 'a scalar', draft: call('Identity', [tensor('uint8', '', '3')]) },
  { title: 'no elements', draft: call('Identity', [tensor('uint8', '0, 3', '')]) },
];
