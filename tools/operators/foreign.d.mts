import type { ForeignRow } from '../../web-demo/src/facts.js';

export const ruled: { readonly [domain: string]: readonly string[] };
export const foreignOperators: readonly ForeignRow[];
