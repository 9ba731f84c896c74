// The tables of C++ (X-macros in .inc files), for tools and tests.
import { readFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);

/**
 * The rows of a table, in their order: of all macros, or of one. Quotes and brackets around fields are gone. Other lines than rows,
 * comments and directives are errors.
 *
 * @param path - from the project's folder
 * @returns `{ macro, fields }` for each row
 */
export function tableRows(path, wanted) {
  const lines = readFileSync(new URL(path, root), 'utf8').split('\n');
  const rows = lines
    .map((line) => line.replace(/ *\/\/.*/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, macro, fields] = /^([A-Z_]+)\(((?:[^()"]|"[^"]*"|\([^()]*\))*)\)$/.exec(line) ?? [];
      if (macro === undefined) throw new Error(`${path}: a row cannot be read: ${line}`);
      const texts = fields.match(/(?:[^,()]|\([^()]*\))+/g) ?? [];
      return { macro, fields: texts.map((text) => text.trim().replace(/^["(](.*)[")]$/, '$1')) };
    })
    .filter(({ macro }) => wanted === undefined || macro === wanted);
  if (rows.length === 0) throw new Error(`${path} has no row ${wanted ?? ''}`);
  return rows;
}

/** One field of each row. */
export const tableFields = (path, macro, field) => tableRows(path, macro).map(({ fields }) => fields[field]);

/** The passes that callers can name: those that are for runs alone change no file. */
export const passNames = tableRows('src/graph/rewrite/passes/passes.inc')
  .filter(({ macro, fields }) => macro !== 'ALSO' && fields[3] !== 'runs')
  .map(({ fields: [name] }) => name);

/** A row for each element type, with the fields that src/core/dtype.inc names. */
export const dtypeRows = tableRows('src/core/dtype.inc', 'DTYPE').map(
  ({ fields: [constant, name, id, bits, kind, array, onnxName] }) => ({
    constant, // of C++
    name,
    id: Number(id),
    bits: Number(bits),
    kind,
    array,
    onnxName,
  }),
);
