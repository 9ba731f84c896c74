// Lists of types as text.
import { type DataType, dataTypes } from 'broadloom';

const allTypes = dataTypes.map(({ name }) => name);
const float8 = allTypes.filter((name) => name.startsWith('float8'));

/** The five float8 types by one word, where all of them are meant. */
function listed(types: readonly DataType[]): string {
  if (!float8.every((name) => types.includes(name))) return types.join(', ');
  return [...types.filter((name) => !float8.includes(name)), 'float8'].join(', ');
}

/** The shorter of two lists: of the types that there are, or of those that are missing. */
export function typesText(types: readonly DataType[]): string {
  const missing = allTypes.filter((name) => !types.includes(name));
  if (missing.length === 0) return `all ${allTypes.length}`;
  return missing.length < types.length ? `all but ${listed(missing)}` : listed(types);
}
