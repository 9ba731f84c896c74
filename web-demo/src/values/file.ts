// Files that somebody drops or chooses, as tensors: .npy, .npz, .pb, pictures, tables and other texts.
import type { DataType } from 'broadloom';
import type { TensorDraft } from '../drafts.js';
import { typeRow } from '../facts.js';
import { readTable } from './csv.js';
import { readImage } from './image.js';
import { type Finding, ListError, quote } from './list-error.js';
import { type FileTensor, isNpy, readNpy } from './npy.js';
import { isZip, readNpz } from './npz.js';
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

/** The content of a file, and a note about it. */
export interface FileDraft {
  readonly draft: TensorDraft;
  readonly note?: Finding | undefined;
}

/** A table below a heading, or one that is called a table. */
function tableDraft(text: string, name: string): FileDraft | undefined {
  const table = readTable(text);
  if (table === undefined || (table.heading === undefined && !/\.[ct]sv$/i.test(name))) return undefined;
  const { heading, dims, text: numbers } = table;
  const draft: TensorDraft = {
    type: guessType(numbers),
    dims: dims.join(', '),
    values: { kind: 'text', text: numbers },
  };
  return { draft, note: heading === undefined ? undefined : { what: 'csvHeading', values: [quote(heading)] } };
}

function textDraft(text: string): TensorDraft {
  const pasted = readPasted(text);
  const type = pasted?.type ?? guessType(pasted?.text ?? text);
  const row = typeRow(type);
  const count = (): number => parseValues(pasted?.text ?? text, row).length / (row.kind === 'complex' ? 2 : 1);
  return {
    type,
    dims: (pasted?.dims ?? [count()]).join(', '),
    values: { kind: 'text', text: pasted?.text ?? text },
  };
}

/**
 * The content of a file, recognised by itself. Texts stay texts, so that they can be edited; all else becomes bytes under the
 * file's name.
 *
 * @param readTensor - reads a TensorProto; what it throws comes through
 * @param isModel - whether the bytes are a model
 * @param wanted - what the tensor is called, to find it in an archive
 */
export async function readTensorFile(
  file: File,
  readTensor: (bytes: Uint8Array) => Promise<FileTensor>,
  isModel: (bytes: Uint8Array) => boolean = () => false,
  wanted = '',
): Promise<FileDraft> {
  const draft = ({ type, dims, bytes }: FileTensor): TensorDraft => ({
    type,
    dims: dims.join(', '),
    values: { kind: 'file', name: file.name, bytes },
  });
  if (file.size === 0) throw new ListError('emptyFile', quote(file.name));
  if (file.type.startsWith('image/')) return { draft: draft(await readImage(file)) };
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isNpy(bytes)) return { draft: draft(readNpy(bytes)) };
  if (isZip(bytes)) {
    const { chosen, ...tensor } = readNpz(bytes, wanted);
    return {
      draft: draft(tensor),
      note: chosen === undefined ? undefined : { what: 'npzChosen', values: [quote(chosen)] },
    };
  }
  const text = textOf(bytes);
  if (text !== undefined) return tableDraft(text, file.name) ?? { draft: textDraft(text) };
  if (isModel(bytes)) throw new ListError('modelFile', quote(file.name));
  return { draft: draft(await readTensor(bytes)) };
}
