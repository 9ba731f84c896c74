// Programs that the playground writes for a call: they run unchanged, with the result of the call.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { transformSync } from '@swc/core';
import { type DataType, load } from 'broadloom';
import { difference, officialTolerance } from '../../../shared/agreement.js';
import type { CallDraft } from '../../../web-demo/src/drafts.js';
import { oldestOpset } from '../../../web-demo/src/facts.js';
import { buildCall } from '../../../web-demo/src/runtime/build-tensor.js';
import { writeCall } from '../../../web-demo/src/runtime/call.js';
import { archive } from '../../../web-demo/src/take/archive.js';
import { callNames } from '../../../web-demo/src/take/names.js';
import { onnxruntimeCode } from '../../../web-demo/src/take/onnxruntime.js';
import { pythonCode } from '../../../web-demo/src/take/python.js';
import { typescriptCode } from '../../../web-demo/src/take/typescript.js';
import { oracleOpset, oracleVersions } from '../../oracle.mjs';
import {
  attributeDrafts,
  exampleDrafts,
  type NamedDraft,
  officialDrafts,
  tensor,
  typeDrafts,
} from '../helpers/drafts.js';
import { type ProgramResult, runPrograms } from '../helpers/programs.js';
import { announceSeed, someOf } from '../helpers/random.js';

announceSeed('take.test.ts');

const ops = await load();
const pathOf = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const drafts = [...exampleDrafts, ...officialDrafts, ...typeDrafts, ...attributeDrafts];

function printed(draft: CallDraft): string[] {
  return ops.scope(() => {
    const { inputs, attributes } = buildCall(ops, draft);
    return ops.run(draft.operator, inputs, attributes, { opset: draft.opset }).map(String);
  });
}

/** A call whose input 0 has too many elements for a program's text. */
function large(type: 'float32' | 'bool' | 'float16' | 'int4' | 'string' | 'int64'): NamedDraft {
  const words = Array.from({ length: 1001 }, (_, i) => (type === 'string' ? `"w${i}\u7ecf"` : String(i % 2)));
  const draft = {
    operator: 'Identity',
    opset: 16,
    inputs: [tensor(type, '7, 11, 13', words.join(' '))],
    attributes: {},
  };
  return { title: `large ${type}`, draft };
}

/** The files that the page's worker makes from a call. */
function filesOf(draft: CallDraft): { readonly [path: string]: Uint8Array } {
  return Object.fromEntries(
    Object.entries(writeCall(ops, draft)).map(([path, bytes]) => [path.replace('test_data_set_0/', ''), bytes]),
  );
}

const modelOf = (draft: CallDraft): Uint8Array => filesOf(draft)['model.onnx'];

describe('TypeScript', () => {
  const results = new Map<CallDraft, ProgramResult>();
  const stored = large('float32');
  const tried = [...someOf(drafts, 4), stored];

  function javascript(draft: CallDraft): string {
    return transformSync(typescriptCode(draft), { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }).code;
  }

  beforeAll(() => {
    const all = tried.map(({ draft }) => draft);
    // The compiler changed the quotes.
    const programs = all.map((draft) => javascript(draft).replace(/from "([^"]+)"/g, "from '$1'"));
    const found = runPrograms(programs, { broadloom: pathOf('dist/index.js') }, filesOf(stored.draft));
    for (const [i, draft] of all.entries()) results.set(draft, found[i]);
  });

  test.each(tried)('the program prints the result of the call: $title', ({ draft }) => {
    expect(results.get(draft)).toEqual({ logged: printed(draft).map((text) => [text]) });
  });

  test('a call through a typed method reads as one would write it', () => {
    const draft = exampleDrafts.find(({ title }) => title === 'Expand dim_changed')?.draft as CallDraft;
    expect(typescriptCode(draft)).toBe(`import { load } from 'broadloom';

const ops = await load();
const input = ops.tensor("float32", [1, 2, 3], [3, 1]);
const output = ops.expand(input, [2, 1, 6]);
console.log(String(output));
`);
  });

  test.each([
    ['Concat', 'const output = ops.concat([inputs_0, inputs_1], { axis: 0 });'],
    ['GatherND', 'const output = ops.gatherND(data, indices);'],
    ['Split', 'for (const output of ops.split(input, '],
    ['TopK', 'for (const output of ops.topK(X, [2])'],
    ['Range', 'const output = ops.range(start, limit, delta);'],
    ['Where', 'const output = ops.where(condition, X, Y);'],
  ])('a call of %s goes through its method', (operator, call) => {
    const draft = officialDrafts.find(({ title }) => title === operator)?.draft as CallDraft;
    expect(typescriptCode(draft)).toContain(call);
  });

  test('the opset is passed unless it is the newest, and inputs that are left out are null', () => {
    const draft = { operator: 'Expand', opset: 8, inputs: [tensor('int8', '1', '1'), null], attributes: {} };
    expect(typescriptCode(draft)).toContain('ops.run("Expand", [input, null], {}, { opset: 8 })');
  });

  test('names that are not identifiers are quoted', () => {
    const draft: CallDraft = {
      operator: '"',
      opset: 8,
      inputs: [tensor('int8', '1', '1')],
      attributes: { 'a b': { kind: 'text', text: '1' } },
    };
    expect(typescriptCode(draft)).toContain('ops.run("\\"", [input_0], { "a b": [1] }, { opset: 8 })');
    expect(pythonCode(draft)).toContain('**{"a b": [1]},');
  });
});

const onnxruntimeNode = pathOf('web-demo/node_modules/onnxruntime-web/dist/ort.node.min.mjs');
const hasOnnxruntime = existsSync(onnxruntimeNode);
if (!hasOnnxruntime)
  process.stderr.write('playground/take: SKIPPED running onnxruntime-web: npm ci in web-demo first\n');

(hasOnnxruntime ? describe : describe.skip)('onnxruntime-web', () => {
  const results = new Map<CallDraft, ProgramResult>();
  const types = /\b(?:float(?:32|64|16)|u?int(?:8|16|32|64)|bool|string)\b/;
  const dense = attributeDrafts.filter(({ title }) => title !== 'SPARSE_TENSOR');
  const runnable = new Set(
    ops.operators().flatMap(({ name, versions }) => (oracleVersions(versions).length > 0 ? [name] : [])),
  );
  // onnxruntime refuses Scatter and Upsample, which are deprecated, and has old versions of some.
  const ofOperators = officialDrafts
    .filter(({ title, draft }) => title !== 'Scatter' && title !== 'Upsample' && runnable.has(draft.operator))
    .map(({ title, draft }) => {
      const newest = /^(GlobalLpPool|MaxRoiPool|RoiAlign)$/.test(title) ? 21 : oracleOpset;
      return { title, draft: oldestOpset(draft) > newest ? { ...draft, opset: newest } : draft };
    });
  const all = [...exampleDrafts, ...ofOperators, ...dense, ...typeDrafts.filter(({ title }) => types.test(title))];
  const known = someOf(all, 4);
  const stored = (['float32', 'bool', 'float16', 'string', 'int64'] as const).map(large);

  beforeAll(() => {
    const run = (list: readonly NamedDraft[], files?: { readonly [name: string]: Uint8Array }): void => {
      const programs = list.map(({ draft }) => onnxruntimeCode(draft, modelOf(draft)));
      const found = runPrograms(programs, { 'onnxruntime-web': onnxruntimeNode }, files);
      for (const [i, { draft }] of list.entries()) results.set(draft, found[i]);
    };
    run(known);
    for (const one of stored) run([one], filesOf(one.draft));
  });

  test.each([...known, ...stored])('the program has the result of Broadloom: $title', ({ draft }) => {
    ops.scope(() => {
      const { inputs, attributes } = buildCall(ops, draft);
      const outputs = ops.run(draft.operator, inputs, attributes, { opset: draft.opset });
      const { outputs: names } = callNames(draft, outputs.length);
      const { logged, error } = results.get(draft) as ProgramResult;
      expect([error, logged?.length]).toEqual([undefined, outputs.length]);
      for (const [i, { type, dims, data }] of outputs.entries()) {
        const [name, theirType, theirDims, theirData] = (logged as unknown[][])[i];
        const list = Array.from(data as ArrayLike<unknown>, (value) =>
          typeof value === 'bigint' ? `${value}n` : value,
        );
        const ours = { type, dims, data: JSON.parse(JSON.stringify(list)) as unknown[] };
        const theirs = { type: theirType as DataType, dims: theirDims as number[], data: theirData as unknown[] };
        expect([name, difference(ours, theirs, officialTolerance(theirs))]).toEqual([names[i], undefined]);
      }
    });
  });
});

describe('onnxruntime-web\u2019s program', () => {
  const model = modelOf(typeDrafts[0].draft);

  test.each(['bfloat16', 'complex64', 'float8e5m2', 'int2'] as const)('says first that %s cannot be had', (type) => {
    const draft = { operator: 'Identity', opset: 25, inputs: [tensor(type, '1', '1')], attributes: {} };
    const program = onnxruntimeCode(draft, model);
    expect(program.split('\n')[0]).toBe(
      `// onnxruntime-web has no tensors of ${type}: it refuses to make or run this.`,
    );
    expect(() => transformSync(program, { jsc: { target: 'es2022' } })).not.toThrow();
  });

  test('says first that sparse tensors cannot be had', () => {
    const draft = attributeDrafts.find(({ title }) => title === 'SPARSE_TENSOR')?.draft as CallDraft;
    expect(onnxruntimeCode(draft, model)).toMatch(/^\/\/ onnxruntime-web has no sparse tensors/);
  });

  test('has elements of four bits in bytes', () => {
    const draft = { operator: 'Identity', opset: 25, inputs: [tensor('int4', '3', '-8, 7, -1')], attributes: {} };
    expect(onnxruntimeCode(draft, model)).toContain('input: new ort.Tensor("int4", Uint8Array.of(0x78, 0x0f), [3])');
    expect(onnxruntimeCode(large('int4').draft, model)).toContain(
      'new ort.Tensor("int4", new Uint8Array(await elements("input_0.pb", 501)), [7, 11, 13])',
    );
  });
});

function pythonProblem(programs: readonly string[]): string {
  const check = 'import json, sys\nfor program in json.load(sys.stdin): compile(program, "<program>", "exec")';
  try {
    execFileSync('python3', ['-c', check], { input: JSON.stringify(programs), stdio: ['pipe', 'pipe', 'pipe'] });
    return '';
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: Buffer };
    return code === 'ENOENT' ? 'missing' : String(stderr ?? error);
  }
}

describe('Python', () => {
  test('all programs compile', () => {
    const programs = [...drafts, large('float32')].flatMap(({ draft }) => [
      pythonCode(draft),
      pythonCode(draft, [{ type: 'int4', dims: [2] }]),
    ]);
    const problem = pythonProblem(programs);
    if (problem === 'missing') process.stderr.write('playground/take: SKIPPED compiling Python: there is no python3\n');
    else expect(problem).toBe('');
  });

  test('a program reads as one would write it', () => {
    const draft = exampleDrafts.find(({ title }) => title === 'Expand dim_changed')?.draft as CallDraft;
    expect(pythonCode({ ...draft, opset: 13 }, [{ type: 'float32', dims: [2, 3, 6] }])).toBe(`import numpy as np
import onnx
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

inputs = {
    "input": np.array([1, 2, 3], dtype=np.float32).reshape([3, 1]),
    "shape": np.array([2, 1, 6], dtype=np.int64),
}
node = helper.make_node("Expand", ["input", "shape"], ["output"])
graph = helper.make_graph(
    [node],
    "Expand",
    [
        helper.make_tensor_value_info("input", TensorProto.FLOAT, [3, 1]),
        helper.make_tensor_value_info("shape", TensorProto.INT64, [3]),
    ],
    [
        helper.make_tensor_value_info("output", TensorProto.FLOAT, [2, 3, 6]),
    ],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
onnx.checker.check_model(model)
for output in ReferenceEvaluator(model).run(None, inputs):
    print(output)
`);
  });

  test('the output has the type of the input or attribute that it takes after', () => {
    const outputs = (draft: CallDraft) => /"(?:output|shape)", TensorProto\.(\w+)/.exec(pythonCode(draft))?.[1];
    expect(exampleDrafts.map(({ draft }) => outputs(draft)).slice(0, 5)).toEqual([
      'FLOAT',
      'FLOAT',
      'INT32',
      'INT32',
      'INT64',
    ]);
    expect(attributeDrafts.slice(0, 10).map(({ draft }) => outputs(draft))).toEqual([
      ...['INT8', 'DOUBLE', 'FLOAT', 'FLOAT', 'FLOAT', 'FLOAT', 'INT64', 'INT64', 'STRING', 'STRING'],
    ]);
  });
});

test('an archive holds the files in a folder', () => {
  const files = { 'model.onnx': Uint8Array.of(1, 2), 'test_data_set_0/input_0.pb': new Uint8Array(1000) };
  const zip = Buffer.from(archive('expand', files));
  const held: { [path: string]: number[] } = {};
  for (let start = 0; zip.readUInt32LE(start) === 0x04034b50; ) {
    const [size, nameLength, extra] = [
      zip.readUInt32LE(start + 18),
      zip.readUInt16LE(start + 26),
      zip.readUInt16LE(start + 28),
    ];
    const content = start + 30 + nameLength + extra;
    const path = zip.toString('utf8', start + 30, start + 30 + nameLength);
    held[path] = [...inflateRawSync(zip.subarray(content, content + size))];
    start = content + size;
  }
  expect(held).toEqual({ 'expand/model.onnx': [1, 2], 'expand/test_data_set_0/input_0.pb': Array(1000).fill(0) });
});
