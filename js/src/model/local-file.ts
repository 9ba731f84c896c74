import { liesIn } from '../../../shared/lies-in.js';
import { invalidArgument } from '../basics/error.js';
import { show, tagOf } from '../basics/show.js';
import type { ExternalFiles } from './external.js';
import type { FileParts } from './file-parts.js';

/** A module of Node, Bun or Deno; undefined in other hosts. */
function moduleOfHost<M>(name: string): M | undefined {
  // Not by an import, which bundlers would follow. Node before 20.16 has nothing else, and is told to pass bytes.
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): M } };
  return process?.getBuiltinModule?.(name);
}

/** A path or an address as it is, wherever the program goes from here. */
export function absolute(url: string): string {
  if (/^[a-z][a-z\d+.-]+:/i.test(url)) return url; // a single letter is a drive
  const path = moduleOfHost<typeof import('node:path')>('node:path');
  if (path !== undefined) return path.resolve(url);
  try {
    return new Request(url).url;
  } catch {
    return url; // the host has no place of its own
  }
}

const isRemote = (url: string) => /^(https?|data|blob):/.test(url);
const placeOf = (url: string) => (url.startsWith('file:') ? new URL(url) : url);

type Files = typeof import('node:fs');
const filesOfHost = () => moduleOfHost<Files>('node:fs');

/** The bytes of a local file where the host has files: Node's fetch does not read them. */
export async function readLocalFile(url: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (isRemote(url)) return undefined;
  return moduleOfHost<typeof import('node:fs/promises')>('node:fs/promises')?.readFile(placeOf(url));
}

/** Makes the error of a file that is refused. Entries other than the core take the core's class of errors. */
type Refusal = (message: string) => Error;

/** A local file of any size, where the host has files: opened for each part. Pipes and devices are read at once. */
function openPlace(files: Files, place: string | URL, refusal: Refusal): Uint8Array | FileParts {
  const stat = files.statSync(place);
  if (stat.isDirectory()) throw refusal(`external: ${show(String(place))} is a folder`);
  if (!stat.isFile()) return files.readFileSync(place);
  const read = (offset: number, length: number) => {
    const bytes = new Uint8Array(length);
    const file = files.openSync(place, 'r');
    try {
      const most = 2 ** 30; // hosts refuse more than 2 GiB at once
      for (let at = 0; at < length; ) {
        const count = files.readSync(file, bytes, at, Math.min(length - at, most), offset + at);
        if (count === 0) return bytes.subarray(0, at); // it has become shorter
        at += count;
      }
      return bytes;
    } finally {
      files.closeSync(file);
    }
  };
  return { size: stat.size, read };
}

/** A local file that is read in parts; undefined for an address, and where the host has no files. */
export function openLocalFile(url: string, refusal: Refusal): Uint8Array | FileParts | undefined {
  const files = isRemote(url) ? undefined : filesOfHost();
  return files && openPlace(files, placeOf(url), refusal);
}

/** Refuses a file to which symbolic links lead out of the folder: a model may come from anybody. */
function checkInside(
  files: Files,
  folder: string | URL,
  place: string | URL,
  location: string,
  refusal: Refusal,
): void {
  const real = files.realpathSync(place);
  if (!liesIn(real, files.realpathSync(folder)))
    throw refusal(`external: '${location}' is not in the model's folder: a symbolic link leads to ${show(real)}`);
}

/**
 * Gives the files beside a local file, by their paths relative to it; undefined where the host has no files. The core has checked
 * that such a path has no parts that lead out of the folder.
 */
export function localFilesBeside(url: string, refusal: Refusal): ExternalFiles | undefined {
  const files = isRemote(url) ? undefined : filesOfHost();
  if (files === undefined) return undefined;
  const separator = url.startsWith('file:') ? '/' : /[/\\](?=[^/\\]*$)/.exec(url)?.[0];
  const folder = separator === undefined ? '' : url.slice(0, url.lastIndexOf(separator) + 1);
  return (location) => {
    const place = placeOf(
      folder + (url.startsWith('file:') ? location.split('/').map(encodeURIComponent).join('/') : location),
    );
    if (!files.existsSync(place)) return undefined;
    checkInside(files, placeOf(folder || '.'), place, location, refusal);
    return openPlace(files, place, refusal);
  };
}

/**
 * The option `external` of a model in a local file: the files beside it, of any size. Only the parts that hold weights are read.
 *
 * @param model - the path of the .onnx file, or its `file:` address
 * @throws {@link OnnxError} `INVALID_ARGUMENT` in hosts without files, such as browsers, and for other addresses
 *
 * @example
 * ```ts
 * const external = filesBeside('models/large.onnx');
 * external('large.onnx.data'); // undefined (there is no such file)
 * ```
 */
export function filesBeside(model: string | URL): ExternalFiles {
  if (typeof model !== 'string' && tagOf(model) !== 'URL')
    throw invalidArgument(`filesBeside: the model is ${show(model)}, wanted its path or its address`);
  const external = localFilesBeside(String(model), invalidArgument);
  if (external !== undefined) return external;
  throw invalidArgument(
    `filesBeside: no files are found beside ${show(String(model))} here: the host has none, or this is an address`,
  );
}
