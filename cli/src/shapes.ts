// Types and sizes as text.
import { type DataType, dataTypes, type TypeInfo } from 'broadloom';
import { visible } from './visible.js';

/** `float32 [batch, 3, ?]` */
export function typeAndDims({ type, dims }: Pick<TypeInfo, 'type' | 'dims'>): string {
  const sizes = dims?.map((size) => (size === null ? '?' : visible(String(size)))).join(', ');
  return `${type ?? '?'} ${sizes === undefined ? 'of unknown rank' : `[${sizes}]`}`;
}

/** The shorter of two lists: of the types that there are, or of those that are missing. */
export function typesText(types: readonly DataType[]): string {
  const missing = dataTypes.map(({ name }) => name).filter((name) => !types.includes(name));
  if (missing.length === 0) return `all ${dataTypes.length}`;
  if (missing.length < types.length) return `all but ${missing.join(', ')}`;
  return types.join(', ');
}
