import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { bytesOf } from '../element-types.mjs';

/** What a peer throws for a case it cannot do. The reason is shown below the table. */
export class Unsupported extends Error {}

/** By which results are compared, those of another process too. */
export const digestOf = (data) => createHash('sha1').update(bytesOf(data)).digest('hex');

/** Some of the elements as numbers, by which results are compared that may differ by their rounding. */
export function sampleOf(data) {
  const count = Math.min(data.length, 1000);
  return Array.from({ length: count }, (_, i) => Number(data[Math.floor((i * data.length) / count)]));
}

/** The name of the output of a case that is a graph. */
export const outputOf = ({ nodes }) => nodes.at(-1).output;

/** The version of an installed package, from its own description: not all export it. */
export function packageVersion(name) {
  return JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;
}
