// Types and sizes as text.
import type { TypeInfo } from 'broadloom';
import { visible } from './visible.js';

/** `float32 [batch, 3, ?]` */
export function typeAndDims({ type, dims }: Pick<TypeInfo, 'type' | 'dims'>): string {
  const sizes = dims?.map((size) => (size === null ? '?' : visible(String(size)))).join(', ');
  return `${type ?? '?'} ${sizes === undefined ? 'of unknown rank' : `[${sizes}]`}`;
}
