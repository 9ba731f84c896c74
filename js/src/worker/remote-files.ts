import { isPlainObject } from '../basics/plain.js';
import { show, tagOf } from '../basics/show.js';
import { checkedPart, type FileParts, isParts, type PendingPart, partsOf } from '../model/file-parts.js';
import type { GiveFile } from './remote-connection.js';
import { fileOf } from './remote-copies.js';
import type { Entry } from './remote-entry.js';
import type { RemoteFiles } from './remote-types.js';

/** The function that gives files beside a model, of the option `external`. */
export function remoteFiles(entry: Entry, method: string, external: RemoteFiles | undefined): GiveFile | undefined {
  if (external === undefined) return undefined;
  const find = finder(external);
  if (find === undefined) {
    const wanted = 'files by location, or a function that gives them';
    throw new entry.OnnxError('INVALID_ARGUMENT', `${method}: external is ${show(external)}, wanted ${wanted}`);
  }
  const open = async (location: string): Promise<FileParts<PendingPart> | undefined> => {
    const file = await find(location);
    if (file === undefined || isParts(file)) return file;
    return partsOf(fileOf(entry, file, `external: for '${location}' it gave `));
  };
  const files = new Map<string, ReturnType<typeof open>>();
  return async ({ location, offset, length }) => {
    if (!files.has(location)) files.set(location, open(location));
    const file = await files.get(location);
    if (file === undefined || offset === undefined || length === undefined) return { value: file?.size, buffers: [] };
    const wrong = (text: string) => new entry.OnnxError('INVALID_ARGUMENT', `external: '${location}': ${text}`);
    const bytes = new Uint8Array(checkedPart(await file.read(offset, length), offset, length, wrong));
    return { value: bytes, buffers: [bytes.buffer] };
  };
}

function finder(external: RemoteFiles): ((location: string) => unknown) | undefined {
  if (typeof external === 'function') return external;
  if (tagOf(external) === 'Map') return (location) => (external as ReadonlyMap<string, unknown>).get(location);
  if (!isPlainObject(external)) return undefined;
  return (location) => (Object.hasOwn(external, location) ? external[location] : undefined);
}
