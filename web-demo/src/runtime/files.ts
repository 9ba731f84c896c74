// Files to tensors and back, in the worker, which loads this when the first file is read or written.
import type { Runtime, Tensor } from 'broadloom';
import { type FileDraft, readTensorFile as read } from '../values/file.js';
import { type FileTensor, writeNpy } from '../values/npy.js';

export { archive } from '../take/archive.js';

/** The bytes of a tensor in ONNX's layout, copied; of strings, their JSON. */
function bytesIn(tensor: Tensor): Uint8Array {
  if (tensor.type === 'string') return new TextEncoder().encode(JSON.stringify(tensor.data));
  const { buffer, byteOffset, byteLength } = tensor.data as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength).slice();
}

export function npyFile(tensor: Tensor): Uint8Array {
  return writeNpy(tensor.type, tensor.dims, bytesIn(tensor));
}

/** @throws ListError, or what the library says of a TensorProto */
export function readTensorFile(ops: Runtime, file: File, wanted: string): Promise<FileDraft> {
  const readProto = async (bytes: Uint8Array): Promise<FileTensor> =>
    ops.scope(() => {
      const tensor = ops.readTensor(bytes);
      return { type: tensor.type, dims: [...tensor.dims], bytes: bytesIn(tensor) };
    });
  const isModel = (bytes: Uint8Array): boolean => {
    try {
      ops.loadModel(bytes, { allowUnsupported: true }).dispose();
      return true;
    } catch {
      return false;
    }
  };
  return read(file, readProto, isModel, wanted);
}
