// The sources of elements, which the playground derives from the layouts of real results.
import { expect, test } from '@jest/globals';
import { load, type Tensor } from 'broadloom';
import { reportTensor } from '../../../web-demo/src/runtime/inspect.js';
import type { TensorReport } from '../../../web-demo/src/runtime/protocol.js';
import { axesOf, indexOf, isAligned, isRepeat, offsetOf, sourceOf } from '../../../web-demo/src/views/mapping.js';

const ops = await load();
const report = (tensor: Tensor): TensorReport => reportTensor(ops, tensor, 'call#0', 'tensor');
const int64 = (values: number[]): Tensor => ops.tensor('int64', values, [values.length]);

function ran(name: string, inputs: Tensor[], attributes = {}): { inputs: TensorReport[]; output: TensorReport } {
  const [output] = ops.run(name, inputs, attributes) as [Tensor];
  return { inputs: inputs.map(report), output: report(output) };
}

test('every element of a result of Expand is found in its input', () => {
  const { inputs, output } = ran('Expand', [ops.tensor('int32', [7, 8, 9], [3, 1]), int64([2, 3, 4])]);
  expect(sourceOf(output, inputs)).toEqual({ kind: 'input', input: 0 });
  const texts = output.elements?.text.map((_, position) => inputs[0]?.elements?.text[offsetOf(position, output)]);
  expect(texts).toEqual(output.elements?.text);
});

test('the axes of a result of Expand are added, kept or stretched', () => {
  const { inputs, output } = ran('Expand', [ops.tensor('int32', [7, 8, 9], [3, 1]), int64([2, 3, 4])]);
  expect(axesOf(output, inputs[0]?.dims)).toEqual([
    { axis: 0, dim: 2, stride: 0, from: undefined, how: 'added' },
    { axis: 1, dim: 3, stride: 1, from: 3, how: 'kept' },
    { axis: 2, dim: 4, stride: 0, from: 1, how: 'stretched' },
  ]);
});

test('the expanded input is distinguished from a shape of the same type and size', () => {
  const { inputs, output } = ran('Expand', [ops.tensor('int64', [5, 6], [2, 1]), int64([2, 3])]);
  expect(sourceOf(output, inputs)).toEqual({ kind: 'input', input: 0 });
  expect(sourceOf(output, [...inputs].reverse())).toEqual({ kind: 'input', input: 1 });
});

test('ConstantOfShape reads one element, and all of its axes are stretched', () => {
  const { inputs, output } = ran('ConstantOfShape', [int64([2, 3])]);
  expect(sourceOf(output, inputs)).toEqual({ kind: 'element' });
  expect(axesOf(output).map(({ how }) => how)).toEqual(['stretched', 'stretched']);
});

test('Identity keeps every axis of its input', () => {
  const { inputs, output } = ran('Identity', [ops.tensor('float16', [1, 2, 3, 4], [2, 1, 2])]);
  expect(sourceOf(output, inputs)).toEqual({ kind: 'input', input: 0 });
  expect(axesOf(output, inputs[0]?.dims).map(({ how }) => how)).toEqual(['kept', 'kept', 'kept']);
});

test('Shape and Constant produce new elements', () => {
  const shape = ran('Shape', [ops.tensor('float32', [1, 2, 3], [3, 1])]);
  expect(sourceOf(shape.output, shape.inputs)).toEqual({ kind: 'own' });
  const constant = ran('Constant', [], { value_floats: [1, 2] });
  expect(sourceOf(constant.output, [])).toEqual({ kind: 'own' });
});

test('an axis of no elements is stretched like any other', () => {
  const { inputs, output } = ran('Expand', [ops.tensor('float32', [], [1, 0]), int64([3, 1])]);
  expect(sourceOf(output, inputs)).toEqual({ kind: 'input', input: 0 });
  expect(axesOf(output, inputs[0]?.dims).map(({ how }) => how)).toEqual(['stretched', 'kept']);
});

test('an axis that is stretched to size 0 still comes from the input', () => {
  const { inputs, output } = ran('Expand', [ops.tensor('float32', [1, 2, 3], [3, 1]), int64([0, 3, 0])]);
  expect(sourceOf(output, inputs)).toEqual({ kind: 'input', input: 0 });
  expect(axesOf(output, inputs[0]?.dims).map(({ how }) => how)).toEqual(['added', 'kept', 'stretched']);
});

test('a result that does not fit in memory is described by its layout', () => {
  const { inputs, output } = ran('Expand', [
    ops.tensor('float32', new Float32Array(1000), [1000, 1]),
    int64([1000, 1000, 1000]),
  ]);
  expect(output).toMatchObject({ written: false, elements: undefined, bytesRead: 4000, bytesWritten: 4e9 });
  expect(sourceOf(output, inputs)).toEqual({ kind: 'input', input: 0 });
});

test('different elements are not a view, whatever the layouts are', () => {
  const [one, other] = [report(ops.tensor('int8', [1, 2], [2])), report(ops.tensor('int8', [1, 3], [2]))];
  expect(sourceOf(one, [other])).toEqual({ kind: 'own' });
});

test('a layout with permuted axes is not aligned', () => {
  expect(isAligned({ dims: [2, 3], strides: [1, 2] }, [3, 2])).toBe(false);
  expect(isAligned({ dims: [2, 3], strides: [1, 2] }, [2, 3])).toBe(false);
  expect(isAligned({ dims: [2, 3], strides: [3, 1] }, [2, 3])).toBe(true);
});

test('an element is a repeat if its index along a broadcast axis is above 0', () => {
  const layout = { dims: [2, 3], strides: [0, 1] };
  const repeats = Array.from({ length: 6 }, (_, position) => isRepeat(position, layout));
  expect(repeats).toEqual([false, false, false, true, true, true]);
});

test('positions become indices in row-major order', () => {
  expect(indexOf(17, [2, 3, 4])).toEqual([1, 1, 1]);
  expect(indexOf(0, [])).toEqual([]);
});
