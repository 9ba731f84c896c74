// Operators as a few files for clang-tidy. It looks at the standard library again in each file, for seconds, and an operator's file is
// short. Two operators name things alike, so each is copied into a namespace of its own; lines stay where they are.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../run.mjs';

/** Units of about this many files keep all processors busy to the end. */
const most = 16;

/**
 * Writes the files, and a compile_commands.json that has them in the place of those that they are made of.
 *
 * @param build - the folder of a build, with its compile_commands.json
 * @returns the folder with the new one
 */
export function putTogether(build) {
  const commands = JSON.parse(readFileSync(join(build, 'compile_commands.json'), 'utf8'));
  const folder = join(build, 'together');
  rmSync(folder, { recursive: true, force: true });
  const prefix = join(root, 'src/ops/');
  const alone = [];
  const copies = [];
  for (const command of commands) {
    const copy = command.file.startsWith(prefix) && inNamespace(readFileSync(command.file, 'utf8'), copies.length);
    if (!copy) {
      alone.push(command);
      continue;
    }
    const path = join(folder, 'src', command.file.slice(join(root, 'src/').length));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, copy);
    copies.push({ command, path });
  }
  const units = [];
  for (let first = 0; first < copies.length; first += most) {
    const some = copies.slice(first, first + most);
    const { command, file, ...rest } = some[0].command;
    const unit = join(folder, 'src', `unit_${units.length}.cpp`);
    const headers = ['core/text.h', 'ops/call/arguments.h', 'ops/call/dense.h', 'ops/call/operator.h'];
    writeFileSync(unit, [...headers, ...some.map(({ path }) => path)].map((path) => `#include "${path}"\n`).join(''));
    units.push({ ...rest, command: command.replaceAll(file, unit), file: unit });
  }
  writeFileSync(join(folder, 'compile_commands.json'), JSON.stringify([...units, ...alone], null, 1));
  return folder;
}

/** The text with all that it defines in a namespace of its own; nothing if it defines more than operators for others. */
function inNamespace(text, number) {
  const outside = text.split(/^namespace \{$[\s\S]*?^\} {2}\/\/ namespace$/m).join('');
  const definition = /^BROADLOOM_OPERATOR\(op([\w:]*),\s*(\w+)\)/gm;
  const definesFunctions = /^\w.*\) (const )?\{$/m.test(outside);
  if (outside.search(definition) < 0 || definesFunctions || /broadloom::|^namespace op/m.test(text)) return;
  return text
    .replace(/^namespace broadloom \{$/m, `namespace broadloom { namespace file_${number} {`)
    .replaceAll(
      definition,
      (_, space, name) => `constinit inline const Operator operator${space.replaceAll('::', '_')}_${name}`,
    )
    .replace(/^\} {2}\/\/ namespace broadloom$/m, '}}');
}
