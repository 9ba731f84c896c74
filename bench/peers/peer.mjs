import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { bytesOf } from '../element-types.mjs';

/** The error that a peer throws for an unsupported case. The table's legend shows the reason. */
export class Unsupported extends Error {}

/** A digest, by which results are compared across processes. */
export const digestOf = (data) => createHash('sha1').update(bytesOf(data)).digest('hex');

/** A sample of the elements as numbers, to compare results that may differ by rounding. */
export function sampleOf(data) {
  const count = Math.min(data.length, 1000);
  return Array.from({ length: count }, (_, i) => Number(data[Math.floor((i * data.length) / count)]));
}

/** The name of the output of a case that is a graph. */
export const outputOf = ({ nodes }) => nodes.at(-1).output;

/** The version of an installed package, from its package.json: not all packages export it. */
export function packageVersion(name) {
  return JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;
}
