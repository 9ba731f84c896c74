// Runs the files that nodeModel writes.
import { expect } from '@jest/globals';
import type { NodeModelFiles, Runtime } from 'broadloom';
import { type Words, wordsOf } from './reference.js';

/** The .pb files of one kind in order, as tensors of `ops`. */
export function tensorsOf(ops: Runtime, files: NodeModelFiles, kind: 'input' | 'output') {
  const count = Object.keys(files).filter((path) => path.startsWith(`test_data_set_0/${kind}_`)).length;
  return Array.from({ length: count }, (_, i) => ops.readTensor(files[`test_data_set_0/${kind}_${i}.pb`]));
}

/**
 * Loads the model, feeds the inputs, and expects the same outputs bit for bit. Returns the outputs. The model must declare all
 * of them with type and dims.
 */
export function expectRuns(ops: Runtime, files: NodeModelFiles): Words[] {
  return ops.scope(() => {
    using model = ops.loadModel(files['model.onnx']);
    const inputs = tensorsOf(ops, files, 'input');
    const wanted = tensorsOf(ops, files, 'output');
    const declared = (tensor: { type: string; dims: readonly number[] }) => ({ type: tensor.type, dims: tensor.dims });
    expect(model.inputs.map(({ type, dims }) => ({ type, dims }))).toEqual(inputs.map(declared));
    expect(model.outputs.map(({ type, dims }) => ({ type, dims }))).toEqual(wanted.map(declared));
    const results = model.run(Object.fromEntries(model.inputs.map(({ name }, i) => [name, inputs[i]])));
    const words = wanted.map(wordsOf);
    expect(model.outputs.map(({ name }) => wordsOf(results[name]))).toEqual(words);
    return words;
  });
}
