// The test vectors that ONNX publishes (Debian: libonnx-testdata). A missing folder is a failure, not a skip.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { wordsOf } from './helpers/reference.js';
import { counters, expectWords } from './helpers/runtime.js';

const folder = '/usr/share/libonnx-testdata/data';
const cases = [
  'node/test_constant',
  'node/test_constantofshape_float_ones',
  'node/test_constantofshape_int_shape_zero',
  'node/test_constantofshape_int_zeros',
  'node/test_shape',
  'node/test_shape_clip_end',
  'node/test_shape_clip_start',
  'node/test_shape_end_1',
  'node/test_shape_end_negative_1',
  'node/test_shape_example',
  'node/test_shape_start_1',
  'node/test_shape_start_1_end_2',
  'node/test_shape_start_1_end_negative_1',
  'node/test_shape_start_negative_1',
  'node/test_expand_dim_changed',
  'node/test_expand_dim_unchanged',
  'node/test_identity',
  'simple/test_expand_shape_model1',
  'simple/test_expand_shape_model2',
  'simple/test_expand_shape_model3',
  'simple/test_expand_shape_model4',
];

const ops = await load({});

/** The .pb files of a data set in their order: input_0.pb, input_1.pb ... */
function tensorFiles(set: string, kind: string): Uint8Array[] {
  const count = readdirSync(set).filter((name) => name.startsWith(`${kind}_`)).length;
  return Array.from({ length: count }, (_, i) => readFile(join(set, `${kind}_${i}.pb`)));
}

function readFile(path: string): Uint8Array {
  return new Uint8Array(readFileSync(path));
}

function dataSets(name: string): string[] {
  const sets = readdirSync(join(folder, name)).filter((entry) => entry.startsWith('test_data_set_'));
  expect(sets.length).toBeGreaterThan(0);
  return sets.map((set) => join(folder, name, set));
}

test('the folder of the official vectors is installed', () => {
  expect(`${folder} ${existsSync(folder) ? 'exists' : 'is missing: apt-get install libonnx-testdata'}`).toBe(
    `${folder} exists`,
  );
});

test('the list of official vectors has every case of Constant, ConstantOfShape, Shape and Expand', () => {
  const present = readdirSync(join(folder, 'node')).filter((name) =>
    /^test_(constant|constantofshape|shape|expand)(_|$)/.test(name),
  );
  // Constant-pad is an operator Pad.
  expect(
    present.filter((name) => !name.startsWith('test_constant_pad')).filter((name) => !cases.includes(`node/${name}`)),
  ).toEqual([]);
});

test.each(cases)('the official model %s gives the official outputs, bit for bit', (name) => {
  const before = counters(ops);
  const model = ops.loadModel(readFile(join(folder, name, 'model.onnx')));
  for (const set of dataSets(name)) {
    ops.scope(() => {
      const inputs = tensorFiles(set, 'input').map((file) => ops.readTensor(file));
      const wanted = tensorFiles(set, 'output').map((file) => ops.readTensor(file));
      expect(wanted).toHaveLength(model.outputs.length);
      const results = model.run(Object.fromEntries(model.inputs.map((input, i) => [input.name, inputs[i]])));
      for (const [i, output] of model.outputs.entries()) expectWords(results[output.name], wordsOf(wanted[i]));
    });
  }
  model.dispose();
  expect(counters(ops)).toEqual(before);
});

test.each(cases)('the official tensors of %s survive readTensor, writeTensor, readTensor', (name) => {
  for (const set of dataSets(name)) {
    for (const file of [...tensorFiles(set, 'input'), ...tensorFiles(set, 'output')]) {
      ops.scope(() => {
        const tensor = ops.readTensor(file);
        const written = ops.writeTensor(tensor);
        expectWords(ops.readTensor(written), wordsOf(tensor));
        expect(ops.writeTensor(ops.readTensor(written))).toEqual(written);
      });
    }
  }
});
