// Runs programs that the playground writes, in a separate Node process.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Runs programs one after another. Reports the arguments of each console.log, or the error that ended the program. */
const runner = `
// Newer engines have a Float16Array: reports its bits, as older ones do.
const bitsOf = (view) =>
  view[Symbol.toStringTag] === 'Float16Array' ? new Uint16Array(view.buffer, view.byteOffset, view.length) : view;
const jsonOf = (value) =>
  typeof value === 'bigint' ? value + 'n' : ArrayBuffer.isView(value) ? Array.from(bitsOf(value), jsonOf) : value;
globalThis.fetch = async (file) => new Response(await (await import('node:fs/promises')).readFile(file));
const results = [];
for (const file of process.argv.slice(2)) {
  const logged = [];
  console.log = (...values) => logged.push(values.map(jsonOf));
  try {
    await import(file);
    results.push({ logged });
  } catch (error) {
    results.push({ error: String(error) });
  }
}
// A pipe takes long texts in parts, which an exit cuts off. A file does not.
(await import('node:fs')).writeFileSync('results.json', JSON.stringify(results));
process.exit(0);
`;

export interface ProgramResult {
  /** The arguments of every console.log. */
  logged?: unknown[][];
  error?: string;
}

/** @param files - by name, in the folder that the programs run in */
export function runPrograms(
  programs: readonly string[],
  packages: { readonly [name: string]: string },
  files: { readonly [name: string]: Uint8Array } = {},
): ProgramResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-programs-'));
  try {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
    writeFileSync(join(folder, 'run.mjs'), runner);
    const names = programs.map((program, i) => {
      const code = Object.entries(packages).reduce(
        (text, [name, path]) => text.replace(`from '${name}'`, `from '${pathToFileURL(path)}'`),
        program,
      );
      writeFileSync(join(folder, `${i}.mjs`), code);
      return `./${i}.mjs`;
    });
    execFileSync(process.execPath, ['run.mjs', ...names], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    return JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as ProgramResult[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
