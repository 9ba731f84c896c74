// Pictures and sounds of drafts as elements. The page loads this when the first of them is used.
import type { DataType } from 'broadloom';
import type { Place, TensorDraft, Values } from '../drafts.js';
import { typeRow } from '../facts.js';
import type { Refusal } from '../runtime/protocol.js';
import { holdsValues } from './generate.js';
import { ListError } from './list-error.js';
import { parseIntegers } from './parse.js';
import { bitmapOf, drawPicture, elementsOfPixels } from './picture-elements.js';
import { planeOf } from './plane.js';
import { elementsOfSamples, samplesOf } from './sound-elements.js';
import { typedArrayOf } from './typed-array.js';

/** Numbers as values of a type. Where arrays of the type hold bits, the library reads the numbers. */
function valuesOf(type: DataType, numbers: Float32Array, name: string): Values {
  const row = typeRow(type);
  if (!holdsValues(row)) return { kind: 'text', text: numbers.join(' ') };
  const elements = row.name === 'float32' ? numbers : new (typedArrayOf(row))(numbers);
  return { kind: 'file', name, bytes: new Uint8Array(elements.buffer as ArrayBuffer) };
}

/** The elements of values whose file is there. Others stay as they are, and so do those whose dims nobody can read. */
async function elementsFor({ type, dims: text, values }: TensorDraft): Promise<Values> {
  if ((values.kind !== 'picture' && values.kind !== 'sound') || values.file === undefined) return values;
  const { file } = values;
  let dims: number[];
  try {
    dims = parseIntegers(text).map(Number);
  } catch {
    return { kind: 'text', text: '' }; // the worker says what is wrong with the dims
  }
  if (values.kind === 'sound') {
    if (dims.length === 0) throw new ListError('soundDims');
    return valuesOf(type, elementsOfSamples(await samplesOf(file, values.rate), values, dims), file.name);
  }
  const plane = planeOf(values.layout, dims);
  if (plane === undefined) throw new ListError('pictureDims', `[${dims.join(', ')}]`, values.layout);
  const bitmap = await bitmapOf(file);
  try {
    const { data } = drawPicture(bitmap, plane, values.fit);
    return valuesOf(type, elementsOfPixels(data, values, plane), file.name);
  } finally {
    bitmap.close();
  }
}

/** The draft with elements in the place of a picture or a sound, or what is wrong with it. */
export async function withElements(draft: TensorDraft, place: Place): Promise<TensorDraft | Refusal> {
  try {
    return { ...draft, values: await elementsFor(draft) };
  } catch (error) {
    const { message } = error as Error;
    const finding = error instanceof ListError ? error.finding : undefined;
    return { ok: false, problem: { place: `${place}:values`, message, finding } };
  }
}
