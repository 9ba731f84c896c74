// Files and texts that are too large for the page, and the list of operators when it is long.
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { mostOnPage, type TensorDraft, type Values } from '../../../web-demo/src/drafts.js';
import { buildTensor } from '../../../web-demo/src/runtime/build-tensor.js';
import { withoutLarge } from '../../../web-demo/src/runtime/store.js';
import { onnxruntimeCode } from '../../../web-demo/src/take/onnxruntime.js';
import { pythonCode } from '../../../web-demo/src/take/python.js';
import { typescriptCode } from '../../../web-demo/src/take/typescript.js';

const ops = await load();
const size = mostOnPage / 2 + 1;
const draft = (type: TensorDraft['type'], values: Values): TensorDraft => ({ type, dims: String(size), values });
const bytes = Uint8Array.from({ length: 2 * size }, (_, i) => i % 251);

test('small values stay where they are', () => {
  const small = draft('int8', { kind: 'text', text: '1 '.repeat(mostOnPage / 2) });
  expect(withoutLarge(small)).toBe(small);
});

test('a large file is kept, and read as any type', () => {
  const kept = withoutLarge(draft('uint16', { kind: 'file', name: 'a.npy', bytes }));
  expect(kept.values).toEqual({ kind: 'stored', id: expect.any(Number), size: bytes.length, name: 'a.npy' });
  for (const type of ['uint16', 'int16', 'uint16'] as const) {
    const tensor = buildTensor(ops, { ...kept, type }, 'input:0', 'x');
    const expected = new (type === 'int16' ? Int16Array : Uint16Array)(bytes.buffer);
    expect(Buffer.compare(Buffer.from((tensor.data as Uint8Array).slice().buffer), Buffer.from(expected.buffer))).toBe(
      0,
    );
  }
});

test('a long text is kept and its beginning shown, and its errors are reported for every type', () => {
  const kept = withoutLarge(draft('float32', { kind: 'text', text: '7 '.repeat(size) }));
  expect(kept.values).toMatchObject({ kind: 'stored', size: 2 * size, beginning: '7 '.repeat(200) });
  expect(buildTensor(ops, kept, 'input:0', 'x').data).toEqual(new Float32Array(size).fill(7));
  expect(() => buildTensor(ops, { ...kept, type: 'bool' }, 'input:0', 'x')).toThrow();
  expect(buildTensor(ops, { ...kept, type: 'uint8' }, 'input:0', 'x').data).toEqual(new Uint8Array(size).fill(7));
});

test('programs read large elements from files', () => {
  const call = (type: TensorDraft['type'], values: Values) => ({
    ...{ operator: 'Identity', opset: 25, attributes: {} },
    inputs: [draft(type, values)],
  });
  const text = call('float32', { kind: 'stored', id: 1, size: 70_000, beginning: '7' });
  expect(typescriptCode(text)).toContain(`readFile("input_0.pb")`);
  expect(pythonCode(text)).toContain(`onnx.load_tensor("input_0.pb")`);
  const strings = call('string', { kind: 'stored', id: 1, size: 70_000, beginning: 'a' });
  expect(onnxruntimeCode(strings, new Uint8Array())).toContain('in test_data_set_0');
  const code = onnxruntimeCode(text, new Uint8Array(10 ** 6));
  expect(code.length).toBeLessThan(2000);
  expect(code).toContain(`'model.onnx'`);
});
