// Tensors in files: .npy, .pb and .json, told apart by their endings.
import { dataTypes, type Runtime, type Tensor, type TensorLike } from 'broadloom';
import { type FileTensor, npyParts, readNpy } from '../../shared/npy.js';
import { hasNumpyType } from '../../shared/npy-header.js';
import { quote, visible } from '../../shared/visible.js';
import { during, Failure, UsageError } from './errors.js';
import { readBytes, readText, writeParts } from './files.js';
import { LiteralError, readLiteral } from './literal.js';

export const formats = ['npy', 'pb', 'json'] as const;
export type Format = (typeof formats)[number];

export function formatOf(path: string): Format | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase();
  return formats.find((format) => format === ending);
}

/** The format that --format names. */
export function checkedFormat(text = 'npy'): Format {
  const format = formats.find((one) => one === text);
  if (format) return format;
  throw new UsageError(`--format is ${quote(text)}: write npy, pb or json`);
}

function fromNpy(ops: Runtime, { type, dims, bytes }: FileTensor): Tensor {
  const array = dataTypes.find(({ name }) => name === type)?.array as 'Float32Array';
  const data =
    type === 'string'
      ? JSON.parse(new TextDecoder().decode(bytes))
      : new globalThis[array](
          bytes.buffer as ArrayBuffer,
          bytes.byteOffset,
          bytes.length / globalThis[array].BYTES_PER_ELEMENT,
        );
  return ops.tensor(type, data, dims);
}

/** Reads a file whose ending is one of those above. */
export function readTensorFile(ops: Runtime, path: string, typeOfList: () => TensorLike['type']): Tensor {
  try {
    if (formatOf(path) === 'npy') return fromNpy(ops, readNpy(readBytes(path)));
    if (formatOf(path) === 'pb') return ops.readTensor(readBytes(path)) as Tensor;
    return ops.fromMessage(readLiteral(readText(path), typeOfList));
  } catch (error) {
    if (error instanceof LiteralError) throw new Failure(`${visible(path)}: ${error.message}`);
    throw during(visible(path), error);
  }
}

/** Refuses a tensor that a format cannot hold, before anything is written. */
export function checkWritable(what: string, tensor: Tensor, format: Format): void {
  if (format !== 'npy') return;
  if (!hasNumpyType(tensor.type))
    throw new Failure(`${what} is ${tensor.type}, which NumPy does not have: write it with --format pb or json`);
  if (tensor.type === 'string' && (tensor.data as string[]).some((text) => text.endsWith('\0')))
    throw new Failure(`${what} has a string that ends in NUL, which NumPy drops: write it with --format pb or json`);
}

/** A view of the elements' bytes; of strings, their JSON. */
function bytesOf(tensor: Tensor): Uint8Array {
  if (tensor.type === 'string') return new TextEncoder().encode(JSON.stringify(tensor.data));
  const { buffer, byteOffset, byteLength } = tensor.data as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function writeTensorFile(ops: Runtime, path: string, tensor: Tensor, format: Format): void {
  if (format === 'npy') writeParts(path, npyParts(tensor.type, tensor.dims, bytesOf(tensor)));
  else if (format === 'pb') writeParts(path, [ops.writeTensor(tensor)]);
  else writeParts(path, [`${jsonText(tensor)}\n`]);
}

/** @throws Failure for what is too large for a text */
export function jsonOf(what: string, tensor: Tensor): object {
  try {
    return tensor.toJSON();
  } catch (error) {
    throw during(`${what} is too large for JSON: write it with --output-dir and --format npy or pb`, error);
  }
}

const jsonText = (tensor: Tensor): string => JSON.stringify(jsonOf('the output', tensor));
