// Runs the commands in a document's sh blocks that begin with `broadloom` or `npx broadloom`, with the built command, in one
// folder for each document. Lines below a command that begin with # are its output, on either stream. `...` matches any text. A
// command that fails has its exit code in the last line: (exit code 1).
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { load } from '../../dist/inline.js';
import { root } from '../../tools/run.mjs';
import { withoutProgress } from '../cli/helpers.mjs';

export const isCommand = (line) => /^(npx )?broadloom /.test(line);

/** The commands of a block: { line, command, expected }. */
export function commandsOf({ code, line }) {
  const commands = [];
  let open;
  for (const [i, text] of code.trimEnd().split('\n').entries()) {
    if (open?.isCut) {
      open.command += `\n${text}`;
      open.isCut = text.endsWith('\\');
    } else if (isCommand(text)) {
      open = { line: line + i, command: text, expected: [], isCut: text.endsWith('\\') };
      commands.push(open);
    } else if (open !== undefined && /^#( |$)/.test(text)) {
      open.expected.push(text.slice(2));
    } else {
      open = undefined;
    }
  }
  return commands;
}

/** Fills the folder of a document: the playground's sample models, and a test in ONNX's layout. */
async function prepare(folder) {
  const samples = join(root, 'web-demo/public/samples');
  const write = (path, content) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  cpSync(samples, folder, { recursive: true });
  const ops = await load();
  const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  for (const [test, wanted] of Object.entries({ expand: [3, 4], expand_other: [3, 2] })) {
    const files = ops.nodeModel('Expand', [x, [3, 4]]);
    for (const [path, content] of Object.entries(files)) write(`tests/${test}/${path}`, content);
    write(`tests/${test}/test_data_set_0/output_0.pb`, ops.writeTensor(ops.expand(x, wanted)));
  }
  mkdirSync(join(folder, 'tests/gelu'));
  cpSync(join(samples, 'unsupported-gelu.onnx'), join(folder, 'tests/gelu/model.onnx'));
  const bin = join(folder, '.bin');
  const program = join(root, 'dist/cli/broadloom.js');
  mkdirSync(bin);
  writeFileSync(join(bin, 'broadloom'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
  writeFileSync(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 }); // first-examples.test.mjs has npm's own
  return bin;
}

const withoutEnds = (text) => text.replace(/[ \t]+$/gm, '').trimEnd();

function fits(expected, actual) {
  const parts = expected.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(actual);
}

/** The problems of the commands in `blocks`, one sentence each, when they run in `folder` with programs of the path `PATH`. */
export function problemsIn(folder, PATH, blocks) {
  return blocks.flatMap(commandsOf).flatMap(({ line, command, expected }) => {
    const options = { cwd: folder, encoding: 'utf8', timeout: 60_000, env: { ...process.env, PATH } };
    const { status, stdout } = spawnSync('sh', ['-c', `{ ${command}\n} 2>&1`], options);
    const printed = withoutEnds(`${withoutProgress(stdout)}${status === 0 ? '' : `(exit code ${status})`}`);
    const wanted = withoutEnds(expected.join('\n'));
    return fits(wanted, printed) ? [] : [`line ${line}: ${command} prints\n${printed}\nthe document says\n${wanted}`];
  });
}

/** The problems of the commands in a document's blocks, which run in a folder of their own. */
export async function problemsOfCommands(blocks) {
  if (blocks.flatMap(commandsOf).length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-docs-'));
  try {
    return problemsIn(folder, `${await prepare(folder)}${delimiter}${process.env.PATH}`, blocks);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
