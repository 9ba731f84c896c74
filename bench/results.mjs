// Result files: JSON with one row a line, so that a diff shows which cases changed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const rounded = (_, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);
const whole = (_, value) => value;

/** Formats an object with one line per array element. Integers are exact; other numbers have four digits. */
function format(value) {
  const inline = (part) =>
    JSON.stringify(part, (key, number) => (Number.isInteger(number) ? whole : rounded)(key, number));
  const members = Object.entries(value).map(([name, member]) => {
    const isList = Array.isArray(member) && typeof member[0] === 'object';
    const text = isList ? `[\n${member.map((row) => `    ${inline(row)}`).join(',\n')}\n  ]` : inline(member);
    return `  ${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${members.join(',\n')}\n}\n`;
}

export function resultsFolder(folder) {
  mkdirSync(folder, { recursive: true });
  return {
    write: (name, value) => writeFileSync(join(folder, `${name}.json`), format(value)),
    writeText: (name, text) => writeFileSync(join(folder, name), text),
  };
}
