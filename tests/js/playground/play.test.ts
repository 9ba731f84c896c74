// The interactive parts of the pages of operators: the calls that they open with, curves, traces, and lines of code.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { type DataType, load, type Operator, type Tensor } from 'broadloom';
import { defaultDraft } from '../../../web-demo/src/default-draft.js';
import type { CallDraft } from '../../../web-demo/src/drafts.js';
import { newestOpset, operatorIndex, operatorOf, playOf } from '../../../web-demo/src/facts.js';
import { type BuiltCall, buildCall } from '../../../web-demo/src/runtime/build-tensor.js';
import { makeCall } from '../../../web-demo/src/runtime/call.js';
import type { CallReport } from '../../../web-demo/src/runtime/protocol.js';
import { fieldText, firstCall, withField } from '../../../web-demo/src/stage/calls.js';
import { rangeOf, withRange } from '../../../web-demo/src/stage/curve-call.js';
import { heightOf, pathOf, ticksOf } from '../../../web-demo/src/stage/curve-scale.js';
import { ownFields } from '../../../web-demo/src/stage/own-fields.js';
import { presetCalls } from '../../../web-demo/src/stage/presets.js';
import { axisRelations } from '../../../web-demo/src/views/axis-relations.js';

const ops = await load();
const names = operatorIndex.map(({ name }) => name);

const report = (call: CallDraft): CallReport => makeCall(ops, call, () => {});
const numbers = (texts: readonly string[] | undefined): number[] => (texts ?? []).map(Number);

/** The tensors of a call by the names that lines have for them: those of a variadic input are a, b, c. */
function variablesOf(operator: string, { inputs, attributes }: BuiltCall): { [name: string]: Tensor | null } {
  const rows = (operatorOf(operator) as Operator).versions.at(-1)?.inputs ?? [];
  const isVariadic = rows.at(-1)?.option === 'Variadic';
  const named = inputs.map((input, i) => [isVariadic ? 'abc'[i] : rows[i]?.name, input] as const);
  const tensors = Object.entries(attributes).filter(([, value]) => value instanceof Object && 'dims' in value);
  return Object.fromEntries([...named, ...tensors]) as { [name: string]: Tensor | null };
}

/** The first call of an operator: its variables, and its outputs. */
function firstOf(operator: string) {
  const call = buildCall(ops, defaultDraft(operator, newestOpset));
  return { variables: variablesOf(operator, call), outputs: ops.run(operator, call.inputs, call.attributes) };
}

describe('lines', () => {
  test.each(names)('the line of JavaScript of %s gives what its first call gives', (name) => {
    const { variables, outputs } = firstOf(name);
    const line = playOf(name).lines?.javascript;
    const result = new Function('ops', ...Object.keys(variables), `return ${line}`)(ops, ...Object.values(variables));
    const results: Tensor[] = Array.isArray(result) ? result : [result];
    expect(results.map(String)).toEqual(outputs.slice(0, results.length).map(String));
  });

  const python = ['python3', '/usr/bin/python3'].find(
    (one) => spawnSync(one, ['-c', 'import numpy, scipy.special']).status === 0,
  );
  (python ? test : test.skip)('the lines of NumPy give what the first calls give', () => {
    const calls = names.flatMap((name) => {
      const { variables, outputs } = firstOf(name);
      const line = playOf(name).lines?.numpy;
      return line === undefined ? [] : [{ name, line, variables, outputs }];
    });
    const tool = fileURLToPath(new URL('../../../tools/check/numpy-lines.py', import.meta.url));
    const { stdout, stderr } = spawnSync(python as string, [tool], { input: JSON.stringify(calls), encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toBe(`${calls.length} lines give the same\n`);
  });
});

describe('opening calls', () => {
  test.each(names)('%s opens with a call that runs, is small, and is read back from its fields', (name) => {
    const call = firstCall(name);
    const { outputs } = report(call);
    expect(outputs[0]?.size).toBeGreaterThan(0);
    expect(outputs[0]?.size).toBeLessThanOrEqual(1024);
    const fields = ownFields(call);
    const again = fields.reduce((now, field) => withField(now, field, fieldText(now, field) ?? ''), call);
    if (fields.every((field) => fieldText(call, field) !== undefined))
      expect(report(again).outputs.map(({ elements }) => elements?.text)).toEqual(
        outputs.map(({ elements }) => elements?.text),
      );
  });

  test('a list in a field has values and dims; without brackets it has one axis, or none', () => {
    const call = firstCall('ReduceSum');
    const [data, axes] = ownFields(call);
    if (data === undefined || axes === undefined) throw new Error('no fields');
    expect(fieldText(call, data)).toBe('[[1, 2, 3], [4, 5, 6]]');
    const dimsFor = (text: string): string | undefined => withField(call, data, text).inputs[0]?.dims;
    expect(['[[1, 2], [3, 4]]', '1, 2, 3', '5', '[]'].map(dimsFor)).toEqual(['2, 2', '3', '', '0']);
    expect(dimsFor('[[1, 2], [3')).toBe('2, 3'); // as it was, until the list can be read
    for (const text of ['', '3, 2, 1', '[[1, 2], [3', 'a, b, c, d, e, f', '7', `${'1, '.repeat(900)}1`])
      expect(fieldText(withField(call, data, text), data)).toBe(text);
    expect(withField(call, axes, '').inputs).toHaveLength(1); // an optional one is left out
  });
});

describe('curves', () => {
  const isCurve = (name: string): boolean => rangeOf(firstCall(name)) !== undefined;

  test('functions of one variable open with a curve, and nothing else does', () => {
    const curves = ['Sin', 'Relu', 'Clip', 'Cast', 'QuantizeLinear', 'DequantizeLinear', 'Pow', 'Mod', 'Floor'];
    expect(curves.filter((name) => !isCurve(name))).toEqual([]);
    const others = ['Softmax', 'Transpose', 'Flatten', 'Add', 'CumSum', 'MeanVarianceNormalization', 'Not', 'Shape'];
    expect(others.filter(isCurve)).toEqual([]);
  });

  test('a curve starts where its function is finite', () => {
    expect(playOf('Sin').curve).toEqual({ from: -4, to: 4 });
    expect(playOf('QuantizeLinear').curve).toEqual({ from: -1000, to: 1000 });
    const { from, to } = playOf('Acos').curve ?? { from: 0, to: 0 };
    expect(from).toBeLessThanOrEqual(-1);
    expect(from).toBeGreaterThan(-1.2);
    expect(to).toBeCloseTo(-from);
  });

  test('the range of a curve is read back, in each type', () => {
    const call = firstCall('Relu');
    expect(rangeOf(withRange(call, 'float16', { from: 0.5, to: 1.5 }))).toEqual({
      type: 'float16',
      from: 0.5,
      to: 1.5,
    });
    expect(rangeOf(withRange(call, 'int8', { from: -1000.5, to: 3.5 }))).toEqual({ type: 'int8', from: -128, to: 3 });
    expect(rangeOf(defaultDraft('Relu', newestOpset))).toBeUndefined(); // a list of values
  });

  test('the rounding of a type shows as steps', () => {
    const close = withRange(firstCall('Exp'), 'float16', { from: 1, to: 1.01 });
    const { inputs, outputs } = report(close);
    expect(inputs[0]?.size).toBe(257);
    expect(new Set(inputs[0]?.elements?.text).size).toBe(11); // 2^-10 apart
    expect(new Set(outputs[0]?.elements?.text).size).toBeLessThan(20);
    const cast = { ...firstCall('Cast'), attributes: { to: { kind: 'text', text: 'float8e4m3fn' } } } as CallDraft;
    expect(new Set(report(cast).outputs[0]?.elements?.text).size).toBeLessThan(200);
  });

  test('numbers along a curve are round', () => {
    expect(ticksOf({ from: -4, to: 4 }, 6)).toEqual([-4, -2, 0, 2, 4]);
    expect(ticksOf({ from: 0.99, to: 1.01 }, 4)).toEqual([0.99, 0.995, 1, 1.005, 1.01]);
    expect(ticksOf({ from: 3, to: 3 }, 4)).toEqual([]);
  });

  test('a curve has gaps at poles and where there is no number, and poles do not flatten the rest', () => {
    const tan = numbers(report(firstCall('Tan')).outputs[0]?.elements?.text);
    const height = heightOf(tan);
    expect(height.to).toBeLessThan(Math.max(...tan));
    expect(pathOf(tan, height).match(/M/g)?.length).toBe(3);
    expect(pathOf([1, Number.NaN, 1, 1], { from: 0, to: 2 })).toBe('M0.00 50.00M66.67 50.00L100.00 50.00');
    expect(heightOf([2, 2])).toEqual({ from: 1, to: 3 });
    expect(heightOf([Number.NaN])).toEqual({ from: -1, to: 1 });
  });
});

describe('fields', () => {
  const fieldOf = (call: CallDraft, name: string) => {
    const field = ownFields(call).find((one) => 'name' in one && one.name === name);
    if (field === undefined) throw new Error(`no field ${name}`);
    return field;
  };

  test('a field of Constant takes the place of the others: a call has exactly one of its attributes', () => {
    const call = firstCall('Constant');
    const float = withField(call, fieldOf(call, 'value_float'), '1.5');
    expect(report(float).outputs[0]?.elements?.text).toEqual(['1.5']);
    const value = withField(float, fieldOf(float, 'value'), '[[1, 2], [3, 4]]');
    expect(Object.keys(value.attributes)).toEqual(['value']);
    expect(report(value).outputs[0]?.dims).toEqual([2, 2]);
    expect(withField(value, fieldOf(value, 'value_ints'), '').attributes).toEqual(value.attributes);
  });

  test('an attribute that has an effect for some types alone has a field for these, and where it is given', () => {
    const namesFor = (output: DataType, attributes: CallDraft['attributes'] = {}) => {
      const fields = ownFields({ ...firstCall('Cast'), attributes }, output);
      return fields.flatMap((field) => ('name' in field ? [field.name] : []));
    };
    expect(namesFor('int64')).toEqual(['to']);
    expect(namesFor('float8e5m2')).toEqual(['saturate', 'to']);
    expect(namesFor('float8e8m0')).toEqual(['round_mode', 'saturate', 'to']);
    expect(namesFor('int64', { round_mode: { kind: 'text', text: 'down' } })).toEqual(['round_mode', 'to']);
  });

  test('an error of elements speaks of the input by its name', () => {
    const [input] = firstCall('Gather').inputs;
    const call = {
      ...firstCall('Gather'),
      inputs: [input ?? null, { type: 'int64', dims: '2', values: { kind: 'text', text: '1' } }],
    };
    expect(() => report(call as CallDraft)).toThrow('indices has 1 entry, but int64 of dims [2] has 2');
  });
});

describe('traces', () => {
  const traced = (name: string) => report(firstCall(name)).trace?.[0] ?? [];
  const relations = (name: string, input: number) => {
    const call = report(firstCall(name));
    const [from, to] = [call.inputs[input], call.outputs[0]];
    return from && to ? axisRelations(call.trace?.[0] ?? [], input, from, to) : undefined;
  };

  test('a reduction is computed from all elements along its axis, and from no axes', () => {
    expect(traced('ReduceSum')).toEqual([
      [[0, 1, 2], []],
      [[3, 4, 5], []],
    ]);
    expect(traced('ReduceMax')[0]?.[0]).toEqual([0, 1, 2]); // also those that are not the greatest
    expect(relations('ReduceSum', 0)).toEqual([
      { axis: 0, dim: 2, to: [0], together: 1, read: 2 },
      { axis: 1, dim: 3, to: [], together: 3, read: 3 },
    ]);
    expect(relations('ReduceSum', 1)).toBeUndefined();
  });

  test('each element that moves has one source', () => {
    expect(traced('Transpose').map(([data]) => data)).toEqual([[0], [3], [1], [4], [2], [5]]);
    expect(relations('Transpose', 0)?.map(({ to }) => to)).toEqual([[1], [0]]);
    expect(traced('Gather')[0]).toEqual([[4], [0]]); // the element, and the index that points to it
    expect(traced('Trilu').map(([data]) => data?.length)).toEqual([1, 0, 0, 1, 1, 0, 1, 1, 1]);
  });

  test('a product is computed from factors that are multiplied by zero, too', () => {
    expect(traced('MatMul')[3]).toEqual([
      [3, 4, 5],
      [1, 3, 5],
    ]);
  });

  test('axes that others replace in parts are still followed', () => {
    expect(relations('ScatterElements', 0)?.[1]).toEqual({ axis: 1, dim: 5, to: [1], together: 1, read: 3 });
  });

  test('a row of NonMaxSuppression names its box and the score of the box', () => {
    const last = [[8, 9, 10, 11], [2], [], []]; // box 2 of class 0
    expect(report(firstCall('NonMaxSuppression')).outputs[0]?.elements?.text.slice(3)).toEqual(['0', '0', '2']);
    expect(traced('NonMaxSuppression').slice(3)).toEqual([last, last, last]);
  });

  test('an element of Unique stands for those that are equal, and a column of NonZero for the one that it names', () => {
    const [values, first, own, counts] = report(firstCall('Unique')).trace ?? []; // 2, 1, 1, 3, 4, 3
    const equal = [[[1, 2]], [[0]], [[3, 5]], [[4]]];
    expect([values, first, counts]).toEqual([equal, equal, equal]);
    expect(own).toEqual([[[0]], [[1]], [[2]], [[3]], [[4]], [[5]]]);
    const rows = presetCalls('Unique')[2] as CallDraft;
    expect(report(rows).outputs[0]?.elements?.text).toEqual(['1', '0', '1', '2']);
    expect(report(rows).trace?.[0]).toEqual([[[0, 4]], [[1, 5]], [[2]], [[3]]]);
    const texts = report(firstCall('NonZero')).inputs[0]?.elements?.text ?? [];
    const read = traced('NonZero').flatMap(([places = []]) => places.map((place) => texts[place]));
    expect(read).not.toEqual([]);
    expect(read).not.toContain('0');
  });

  test('samples are of the elements around them, wherever zeros are among their places', () => {
    expect(traced('RoiAlign')[0]?.[0]).toEqual([0, 1, 3, 4]);
    expect(traced('DeformConv')[0]?.[0]).toEqual([0]);
    expect(traced('GridSample')[1]?.[0]).toEqual([0, 1, 2, 3]);
  });

  test('a large call has none', () => {
    expect(report(firstCall('Sin')).trace).toBeUndefined();
  });
});
