import type { Entry } from './load-in-worker.js';
import { isPlainObject } from './plain.js';
import type { GiveFile } from './remote-connection.js';
import { copied, fileOf } from './remote-copies.js';
import type { RemoteFiles } from './remote-types.js';
import { show, tagOf } from './show.js';
import { arrayName } from './typed-arrays.js';

/** The function that gives files beside a model, of the option `external`. */
export function remoteFiles(entry: Entry, method: string, external: RemoteFiles | undefined): GiveFile | undefined {
  if (external === undefined) return undefined;
  const find = finder(external);
  if (find === undefined) {
    const wanted = 'files by location, or a function that gives them';
    throw new entry.OnnxError('INVALID_ARGUMENT', `${method}: external is ${show(external)}, wanted ${wanted}`);
  }
  return async (location) => {
    const file = await find(location);
    if (file === undefined) return copied(entry, file, 'external');
    const source = fileOf(entry, file, `external: for '${location}' it gave `);
    return arrayName(source) === undefined ? { value: source, buffers: [] } : copied(entry, source, 'external');
  };
}

function finder(external: RemoteFiles): ((location: string) => unknown) | undefined {
  if (typeof external === 'function') return external;
  if (tagOf(external) === 'Map') return (location) => (external as ReadonlyMap<string, unknown>).get(location);
  if (!isPlainObject(external)) return undefined;
  return (location) => (Object.hasOwn(external, location) ? external[location] : undefined);
}
