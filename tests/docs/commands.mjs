// Runs the commands in a document's sh blocks that begin with `broadloom` or `npx broadloom`, with the built command, in one
// folder for each document. Lines below a command that begin with # are its output, on either stream. `...` matches any text. A
// command that fails has its exit code in the last line: (exit code 1).
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from '../../tools/run.mjs';
import { withoutProgress } from '../cli/helpers.mjs';
import { fillFolder } from './folder.mjs';

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

/** Fills the folder of a document, adds the command to it, and returns the path of programs. */
async function prepare(folder) {
  await fillFolder(folder);
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
