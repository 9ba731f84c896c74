// The TypeScript that the playground writes compiles, strictly, against the package's types; it runs with the result of its call.
// A short run compiles all programs, and runs a quarter of them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { transformSync } from '@swc/core';
import { load } from 'broadloom';
import type { CallDraft } from '../../../web-demo/src/drafts.js';
import { buildCall } from '../../../web-demo/src/runtime/build-tensor.js';
import { typescriptCode } from '../../../web-demo/src/take/typescript.js';
import { type ProgramResult, runPrograms } from '../helpers/programs.js';
import { announceSeed, someOf } from '../helpers/random.js';
import { shownCalls as all, examples } from '../helpers/shown-calls.js';

announceSeed('take-types.test.ts');

const ops = await load();
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The prints of a call as programs have them; its message where it is refused. */
function wanted(draft: CallDraft): ProgramResult {
  return ops.scope(() => {
    try {
      const { inputs, attributes } = buildCall(ops, draft);
      const outputs = ops.run(draft.operator, inputs, attributes, { opset: draft.opset });
      return { logged: outputs.map((output) => [String(output)]) };
    } catch (error) {
      return { error: String(error) };
    }
  });
}

/** The errors of the compiler, by the number of the program. */
function compile(programs: readonly string[]): string[] {
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build/programs-')); // within the package, whose name the programs import
  try {
    for (const [i, program] of programs.entries()) writeFileSync(join(folder, `${i}.mts`), program);
    const compilerOptions = {
      ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noUnusedLocals: true },
      ...{ target: 'es2022', module: 'nodenext', noEmit: true, skipLibCheck: true, types: ['node'] },
      typeRoots: [join(root, 'node_modules/@types')],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { cwd: folder, stdio: 'pipe' });
    return [];
  } catch (error) {
    return String((error as { stdout?: Buffer }).stdout ?? error)
      .trim()
      .split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('TypeScript of all that the pages show', () => {
  const answers = all.map(({ draft }) => wanted(draft));
  const programs = all.map(({ draft }) => typescriptCode(draft));
  const tried = someOf([...all.keys()], 4);
  let found: ProgramResult[] = [];

  beforeAll(() => {
    const compiled = tried.map((i) =>
      transformSync(programs[i] as string, {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      }).code.replace(/from "([^"]+)"/g, "from '$1'"),
    );
    found = runPrograms(compiled, { broadloom: join(root, 'dist/index.js') });
  });

  test('there are examples of every operator, and calls that are refused', () => {
    expect(examples.length).toBeGreaterThan(300);
    expect(answers.some(({ error }) => error !== undefined)).toBe(true);
  });

  test('every program of a call that runs compiles', () => {
    const run = all.flatMap((_, i) => (answers[i]?.error === undefined ? [i] : []));
    const problems = compile(run.map((i) => programs[i] as string));
    expect(
      problems.map((problem) =>
        problem.replace(/^(\d+)\.mts/, (_, i: string) => all[run[Number(i)] as number]?.title ?? ''),
      ),
    ).toEqual([]);
  });

  test('every program prints the result of its call, or ends with its error', () => {
    const wrong = tried.flatMap((i, k) =>
      JSON.stringify(found[k]) === JSON.stringify(answers[i])
        ? []
        : [{ title: all[i]?.title, found: found[k], wanted: answers[i] }],
    );
    expect(wrong).toEqual([]);
  });
});
