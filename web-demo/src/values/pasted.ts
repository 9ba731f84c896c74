// The dims of a tensor, from the brackets of a pasted text.
import type { DataType } from 'broadloom';
import type { TensorDraft } from '../drafts.js';
import { isJsonObject, readJsonTensor } from './json-tensor.js';
import { ListError } from './list-error.js';
import { scan } from './scan.js';
import { unwrap } from './wrapper.js';

/** A list that is being read: the dims of all its parts, which must be equal. */
interface Frame {
  readonly bracket: string;
  count: number;
  part: readonly number[] | undefined;
  hasComma: boolean;
}

const scalar: readonly number[] = [];

function add(frame: Frame, dims: readonly number[]): void {
  frame.part ??= dims;
  if (frame.part !== dims && (frame.part.length !== dims.length || frame.part.some((dim, i) => dim !== dims[i]))) {
    throw new ListError('ragged', frame.count, `[${dims.join(', ')}]`, `[${frame.part.join(', ')}]`);
  }
  frame.count++;
}

/** Parentheses around one value group it, as in Python: (1+2j) is a number, (1,) is a list. */
function dimsOf({ bracket, count, part, hasComma }: Frame): readonly number[] {
  if (bracket === '(' && count === 1 && !hasComma) return part ?? scalar;
  return [count, ...(part ?? [])];
}

/** A text that has brackets: NumPy's, or nested lists. */
export interface Pasted {
  readonly dims: number[];
  /** The element type, if the text names one. */
  readonly type?: DataType | undefined;
  /** The list alone, for `parseValues`. */
  readonly text: string;
}

/** The part of a pasted text that a draft takes over: values, and dims and type where the text has them. */
export type PastedPart = Pick<TensorDraft, 'values'> & Partial<TensorDraft>;

/** Undefined for a text that tells neither dims nor a type. */
export function pastedPart(text: string): PastedPart | undefined {
  const pasted = readPasted(text);
  if (pasted === undefined) return undefined;
  const { type, dims, text: list } = pasted;
  return { ...(type && { type }), dims: dims.join(', '), values: { kind: 'text', text: list } };
}

/** The dims that the nesting of a text means, and the type that it names; undefined for a flat list without brackets. */
export function readPasted(text: string): Pasted | undefined {
  if (isJsonObject(text)) {
    const { type, dims, text: list } = readJsonTensor(text);
    return { dims: dims ?? (readPasted(list) as Pasted).dims, type, text: list };
  }
  const { text: list, isWrapped, type, dims } = unwrap(text);
  const newFrame = (bracket: string): Frame => ({ bracket, count: 0, part: undefined, hasComma: false });
  const outside = newFrame('(');
  const frames = [outside];
  const top = (): Frame => frames[frames.length - 1] as Frame;
  let hasBrackets = false;
  scan(list, {
    word: () => add(top(), scalar),
    quoted: () => add(top(), scalar),
    comma: () => {
      top().hasComma = true;
    },
    open: (bracket) => {
      hasBrackets = true;
      frames.push(newFrame(bracket));
    },
    close: () => {
      const frame = frames.pop() as Frame;
      add(top(), dimsOf(frame));
    },
  });
  if (!hasBrackets && !isWrapped) return undefined;
  // A comma after the only list does not make a list of lists.
  const nested = outside.count === 1 ? (outside.part ?? scalar) : dimsOf(outside);
  return { dims: dims ?? [...nested], type, text: list };
}
