// The files of a call in one.
import { zipSync } from 'fflate';
import type { Files } from '../runtime/protocol.js';

/** A .zip of a folder, such as the one of an official ONNX test: model.onnx, test_data_set_0/input_0.pb ... */
export function archive(folder: string, files: Files): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`${folder}/${path}`, bytes])), {
    level: 6,
  });
}
