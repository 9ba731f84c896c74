// The playground's sample models: the committed files equal the output of their script, and run with their inputs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { sampleModels, simplifyModels } from '../../tools/models/samples.mjs';
import { feedsOf, isTensorInput } from '../../web-demo/src/models/feeds.js';
import { samples } from '../../web-demo/src/models/samples.js';

const site = join(import.meta.dirname, '../../web-demo/public');
const folder = join(site, 'samples');
const files = Object.entries(sampleModels());
const ops = await load();

test('the folder of sample models has exactly the files that the page offers', () => {
  const names = readdirSync(folder).sort();
  expect(names).toEqual(files.map(([name]) => name).sort());
  expect(names).toEqual(
    Object.values(samples)
      .map(({ file }) => file)
      .sort(),
  );
});

const made = [
  ...files.map(([name, bytes]) => [`samples/${name}`, bytes] as const),
  ...Object.entries(simplifyModels()).map(([name, bytes]) => [`simplify/${name}`, bytes] as const),
];

test.each(made)('%s is what tools/models/samples.mjs writes', (name, bytes) => {
  expect(readFileSync(join(site, name)).equals(bytes)).toBe(true);
});

const numbers = (text: string): number[] => (text === '' ? [] : text.split(',').map(Number));

/** The printed outputs of a sample for the page's initial inputs. */
function run(name: keyof typeof samples): { [output: string]: string } {
  const { file, feeds } = samples[name];
  return ops.scope(() => {
    const model = ops.loadModel(readFileSync(join(folder, file)), { allowUnsupported: true });
    try {
      const tensors = Object.entries(feeds).map(([input, { type, dims, values }]) => {
        const list = values.kind === 'text' ? numbers(values.text) : [];
        return [input, ops.tensor(type, list, numbers(dims))] as const;
      });
      const outputs = model.run(Object.fromEntries(tensors));
      return Object.fromEntries(Object.entries(outputs).map(([output, tensor]) => [output, String(tensor)]));
    } finally {
      model.dispose();
    }
  });
}

test('zeros-like returns zeros of the shape of its input', () => {
  expect(run('zerosLike')).toEqual({ zeros: 'float32 [2, 3]\n[[0. 0. 0.]\n [0. 0. 0.]]' });
});

test('expand-like broadcasts its first input to the shape of its second', () => {
  const item = '[[10. 10. 10.]\n  [20. 20. 20.]]';
  expect(run('expandLike')).toEqual({ y: `float32 [2, 2, 3]\n[${item}\n\n ${item}]` });
});

test('batch-bias repeats its constant for every item of the batch', () => {
  const row = '[ 0.5  -1.    0.25  2.  ]';
  expect(run('batchBias')).toEqual({ biases: `float32 [3, 4]\n[${row}\n ${row}\n ${row}]` });
});

test('keep-or-clear runs the graph that its input selects; the initial one makes zeros', () => {
  expect(run('keepOrClear')).toEqual({ y: 'float32 [2, 3]\n[[0. 0. 0.]\n [0. 0. 0.]]' });
  using model = ops.loadModel(readFileSync(join(folder, samples.keepOrClear.file)));
  expect(Object.keys(model.nodes[0]?.graphs ?? {})).toEqual(['then_branch', 'else_branch']);
});

test('edges and loudness run with the dims that the page suggests', () => {
  for (const { file } of [samples.edges, samples.loudness]) {
    using model = ops.loadModel(readFileSync(join(folder, file)));
    const drafts = feedsOf({}, model.inputs.filter(isTensorInput));
    const feeds = Object.entries(drafts).map(
      ([name, { dims }]) => [name, ops.empty('float32', numbers(dims))] as const,
    );
    expect(Object.keys(model.run(Object.fromEntries(feeds)))).toEqual([file.replace('.onnx', '')]);
  }
});

test('unsupported-gelu has one node that cannot run, and does not run', () => {
  const model = ops.loadModel(readFileSync(join(folder, samples.unsupported.file)), { allowUnsupported: true });
  const reasons = model.nodes.filter(({ unsupported }) => unsupported !== null);
  expect(reasons.map(({ domain, operator }) => [domain, operator])).toEqual([['com.microsoft', 'BiasSplitGelu']]);
  model.dispose();
  expect(() => run('unsupported')).toThrow(/BiasSplitGelu/);
});
