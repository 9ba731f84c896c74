// NumPy's .npz files: archives of .npy files.
import { unzipSync } from 'fflate';
import { ListError, quote } from './list-error.js';
import { type FileTensor, readNpy } from './npy.js';

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

const ending = /\.npy$/;

function namesIn(bytes: Uint8Array): string[] {
  const names: string[] = [];
  const note = ({ name }: { readonly name: string }): boolean => {
    names.push(name);
    return false;
  };
  try {
    unzipSync(bytes, { filter: note });
  } catch {
    throw new ListError('zipBroken');
  }
  return names;
}

export interface NpzTensor extends FileTensor {
  /** The name of the array, if there were others to choose from. */
  readonly chosen: string | undefined;
}

/** The array of an archive; of several the one that is called `wanted`. */
export function readNpz(bytes: Uint8Array, wanted: string): NpzTensor {
  const names = namesIn(bytes).filter((name) => ending.test(name));
  if (names.length === 0) throw new ListError('zipWithoutNpy');
  const [only] = names.length === 1 ? names : names.filter((name) => name === `${wanted}.npy`);
  if (only === undefined) {
    const listed = names.slice(0, 5).map((name) => quote(name.replace(ending, '')));
    throw new ListError('npzMany', names.length, listed.join(', '), quote(wanted));
  }
  let file: Uint8Array | undefined;
  try {
    file = unzipSync(bytes, { filter: ({ name }) => name === only })[only];
  } catch {}
  if (file === undefined) throw new ListError('zipBroken');
  return { ...readNpy(file), chosen: names.length > 1 ? wanted : undefined };
}
