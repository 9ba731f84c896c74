/** A module of Node, Bun or Deno; undefined in other hosts. */
function moduleOfHost<M>(name: string): M | undefined {
  // Not by an import, which bundlers would follow. Node before 20.16 has nothing else, and is told to pass bytes.
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): M } };
  return process?.getBuiltinModule?.(name);
}

const isRemote = (url: string) => /^(https?|data|blob):/.test(url);
const placeOf = (url: string) => (url.startsWith('file:') ? new URL(url) : url);

/** The bytes of a local file where the host has files: Node's fetch does not read them. */
export async function readLocalFile(url: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (isRemote(url)) return undefined;
  return moduleOfHost<typeof import('node:fs/promises')>('node:fs/promises')?.readFile(placeOf(url));
}

/**
 * Gives the files beside a local file, by their paths relative to it; undefined where the host has no files. Such a path is one
 * that the core has checked: it does not lead out of the folder.
 */
export function filesBeside(url: string): ((location: string) => Uint8Array | undefined) | undefined {
  const files = isRemote(url) ? undefined : moduleOfHost<typeof import('node:fs')>('node:fs');
  if (files === undefined) return undefined;
  const separator = url.startsWith('file:') ? '/' : /[/\\](?=[^/\\]*$)/.exec(url)?.[0];
  const folder = separator === undefined ? '' : url.slice(0, url.lastIndexOf(separator) + 1);
  return (location) => {
    const place = placeOf(
      folder + (url.startsWith('file:') ? location.split('/').map(encodeURIComponent).join('/') : location),
    );
    return files.existsSync(place) ? files.readFileSync(place) : undefined;
  };
}
