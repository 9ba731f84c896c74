// Writes js/src/tensor/dtypes.generated.ts from src/core/dtype.inc, the one table of element types.
import { writeFileSync } from 'node:fs';
import { dtypeRows as rows } from '../tables.mjs';

const root = new URL('../..', import.meta.url);

const layouts = {
  boolean: '0 and 1.',
  complex: 'Real and imaginary parts in turn.',
  mini_float: 'Bits.',
  string: 'Strings.',
};
const layoutOf = ({ bits, kind }) =>
  bits < 8 ? `Packed, ${8 / bits} elements a byte, the first in the lowest bits.` : (layouts[kind] ?? 'Values.');
const dataOf = ({ array }) => (array === 'Array' ? 'string[]' : `${array}<B>`);
const text = `// Generated from src/core/dtype.inc by tools/build/generate-dtypes.mjs. Do not edit.

/**
 * The ONNX element types: name, ONNX's number (TensorProto.DataType), bits of an element, kind, and the array that holds
 * elements.
 */
export const dtypes = [
${rows.map((r) => `  { name: '${r.name}', id: ${r.id}, bits: ${r.bits}, kind: '${r.kind}', array: '${r.array}' },`).join('\n')}
] as const;
for (const row of dtypes) Object.freeze(row);
Object.freeze(dtypes);

/** What \`data\` of a tensor is, for each element type. */
export interface DataTypeMap<B extends ArrayBufferLike = ArrayBufferLike> {
${rows.map((r) => `  /** ${layoutOf(r)} Number ${r.id} in ONNX. */\n  ${r.name}: ${dataOf(r)};`).join('\n')}
}
`;
writeFileSync(new URL('js/src/tensor/dtypes.generated.ts', root), text);
