// Files that somebody drops or chooses, as tensors: .npy, .pb, pictures, and texts.
import type { DataType } from 'broadloom';
import type { TensorDraft } from '../drafts.js';
import { typeRow } from '../facts.js';
import { readImage } from './image.js';
import { type FileTensor, isNpy, readNpy } from './npy.js';
import { parseValues, readPasted } from './parse.js';

/** Control characters, which no text has and every TensorProto begins with or soon has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return binary.test(text.slice(0, 4096)) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The type that NumPy would choose for a text that names none, but float32 and complex64, which are ONNX's usual ones. */
function guessType(text: string): DataType {
  if (/["']/.test(text)) return 'string';
  if (/\b(?:true|false)\b/i.test(text)) return 'bool';
  if (/[\d.fn]j\b/i.test(text)) return 'complex64';
  return /\.|\de[-+\d]|nan|inf/i.test(text) ? 'float32' : 'int64';
}

function textDraft(text: string): TensorDraft {
  const pasted = readPasted(text);
  const type = pasted?.type ?? guessType(text);
  const row = typeRow(type);
  const count = (): number => parseValues(text, row).length / (row.kind === 'complex' ? 2 : 1);
  return {
    type,
    dims: (pasted?.dims ?? [count()]).join(', '),
    values: { kind: 'text', text: pasted?.text ?? text },
  };
}

/**
 * What a file holds, told by its content. Texts stay texts, so that they can be edited; all else becomes bytes under the
 * file's name.
 *
 * @param readTensor - reads a TensorProto; what it throws comes through
 */
export async function readTensorFile(
  file: File,
  readTensor: (bytes: Uint8Array) => Promise<FileTensor>,
): Promise<TensorDraft> {
  const draft = ({ type, dims, bytes }: FileTensor): TensorDraft => ({
    type,
    dims: dims.join(', '),
    values: { kind: 'file', name: file.name, bytes },
  });
  if (file.type.startsWith('image/')) return draft(await readImage(file));
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isNpy(bytes)) return draft(readNpy(bytes));
  const text = textOf(bytes);
  return text === undefined ? draft(await readTensor(bytes)) : textDraft(text);
}
