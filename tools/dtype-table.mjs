// The table of element types, src/core/dtype.inc, for tools.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const table = readFileSync(join(root, 'src/core/dtype.inc'), 'utf8');
const row = /^DTYPE\((\w+), "(\w+)", (\d+), (\d+), (\w+), (\w+), (\w+)\)$/gm;

/** A row for each type, with the fields that the file names. */
export const dtypeRows = [...table.matchAll(row)].map(([, constant, name, id, bits, kind, array, onnxName]) => ({
  constant, // of C++
  name,
  id: Number(id),
  bits: Number(bits),
  kind,
  array,
  onnxName,
}));
if (dtypeRows.length !== table.match(/^DTYPE\(/gm)?.length) throw new Error('dtype.inc: a row cannot be read');
