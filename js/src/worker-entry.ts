import { wasmForWorkers } from './default-wasm.js';
import { startWorker } from './default-worker.js';
import { noTensor } from './elements.js';
import { OnnxError } from './error.js';
import { noBytes } from './file-bytes.js';
import { loadOptions } from './load.js';
import { modelOptions, runOptions } from './model.js';
import { checkedOptions } from './names.js';
import { simplifyOptions } from './simplify.js';
import { takesAtMost } from './superfluous.js';
import { isTensor } from './tensor.js';
import { bytesOf } from './typed-arrays.js';

/** Given to remote.js by the entry, so that errors are of the class that the caller knows. */
export const entry = {
  OnnxError,
  bytesOf,
  checkedOptions,
  isTensor,
  loadOptions,
  modelOptions,
  noBytes,
  noTensor,
  runOptions,
  simplifyOptions,
  startWorker,
  takesAtMost,
  wasmForWorkers,
};

/** @internal */
export type Entry = typeof entry;
