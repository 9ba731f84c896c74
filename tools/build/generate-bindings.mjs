// Writes js/src/calls/bindings.generated.ts: the functions of bindings/functions.inc and the enums of src/core/crossing.inc.
import { writeFileSync } from 'node:fs';
import { tableRows } from '../tables.mjs';

const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

const functions = tableRows('bindings/functions.inc', 'FUNCTION').map(({ fields: [, result, name, parameters] }) => {
  const typed = parameters.split(',').filter(Boolean);
  const names = typed.map((parameter) => `${camelCase(parameter.split(' ').at(-1))}: number`);
  return `  ${name}(${names.join(', ')}): ${result === 'void' ? result : 'number'};`;
});

const enums = [];
for (const { macro, fields } of tableRows('src/core/crossing.inc')) {
  if (macro === 'ENUM') enums.push({ name: fields[1], words: [], numbers: [] });
  else if (macro === 'WORD') enums.at(-1).words.push(fields[1] === 'null' ? 'null' : `'${fields[1]}'`);
  else if (macro === 'NUMBER') enums.at(-1).numbers.push(`${camelCase(fields[0])}: ${fields[1]}`);
}
const constants = enums.map(({ name, words, numbers }) => {
  const value = words.length > 0 ? `[${words.join(', ')}]` : `{ ${numbers.join(', ')} }`;
  return `export const ${name} = ${value} as const;\n`;
});

const text = `// Generated from bindings/functions.inc and src/core/crossing.inc by tools/build/generate-bindings.mjs. Do not edit.

/**
 * The functions of the wasm module: the comments of their definitions tell what each reads and writes. Those that can fail return the
 * address of the page with the result, or its negative when the page holds an error.
 *
 * @internal
 */
export interface Glue {
${functions.join('\n')}
}

${constants.join('')}`;
writeFileSync(new URL('../../js/src/calls/bindings.generated.ts', import.meta.url), text);
