// The Python that the playground writes for all calls that its pages show compiles, and makes the inputs of its call.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { load, type Tensor } from 'broadloom';
import type { CallDraft } from '../../../web-demo/src/drafts.js';
import { buildCall } from '../../../web-demo/src/runtime/build-tensor.js';
import { callNames } from '../../../web-demo/src/take/names.js';
import { pythonCode } from '../../../web-demo/src/take/python.js';
import { shownCalls } from '../helpers/shown-calls.js';

const ops = await load();
const calls = shownCalls.map(({ title, draft }) => ({ title, program: pythonCode(draft), inputs: inputsOf(draft) }));

/** The tensors of a call as JSON, by the names that programs have for them. */
function inputsOf(draft: CallDraft): { [name: string]: unknown } {
  return ops.scope(() => {
    const { inputs } = buildCall(ops, draft);
    const { inputs: names } = callNames(draft, 0);
    return Object.fromEntries(
      inputs.flatMap((input, i) => (input === null ? [] : [[names[i], (input as Tensor).toJSON()] as const])),
    );
  });
}

/** The first Python that runs `code` without an error. */
const pythonWith = (code: string): string | undefined =>
  ['python3', '/usr/bin/python3'].find((one) => spawnSync(one, ['-c', code]).status === 0);

function run(python: string, args: readonly string[], input: unknown): string {
  const { status, stdout, stderr } = spawnSync(python, args, { input: JSON.stringify(input), maxBuffer: 2 ** 26 });
  return status === 0 ? String(stdout).trim() : String(stderr);
}

const python = pythonWith('');
if (python === undefined) process.stderr.write('playground/take-python: SKIPPED compiling: there is no python3\n');
(python === undefined ? test.skip : test)('every program compiles', () => {
  const compile = 'import json, sys\nfor call in json.load(sys.stdin): compile(call["program"], call["title"], "exec")';
  expect(run(python as string, ['-c', compile], calls)).toBe('');
});

const withNumpy = pythonWith('import numpy');
if (withNumpy === undefined)
  process.stderr.write(
    'playground/take-python: SKIPPED running: NumPy is not installed (apt-get install python3-numpy)\n',
  );
(withNumpy === undefined ? test.skip : test)('every program of NumPy\u2019s types makes the inputs of its call', () => {
  const known = calls.filter(({ program }) => !program.includes('ml_dtypes'));
  const script = fileURLToPath(new URL('../helpers/python-inputs.py', import.meta.url));
  expect(run(withNumpy as string, [script], known)).toBe(`${known.length} programs have the inputs of their calls`);
});
