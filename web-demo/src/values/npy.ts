// NumPy's .npy files, as the command line reads and writes them; what is wrong with one is told in the page's language.
import { type FileTensor, readNpy as read } from '../../../shared/npy.js';
import { NpyError } from '../../../shared/npy-error.js';
import { ListError } from './list-error.js';

export { type FileTensor, isNpy, writeNpy } from '../../../shared/npy.js';

/** @throws ListError */
export function readNpy(bytes: Uint8Array): FileTensor {
  try {
    return read(bytes);
  } catch (error) {
    throw error instanceof NpyError
      ? new ListError(error.what, ...(error.values as [never, never, never, never]))
      : error;
  }
}
