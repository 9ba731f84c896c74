// Files and texts that are too large for the page. The page has a number for each of them, and says when it has no use for
// one any more.
import { mostOnPage, type StoredValues, type TensorDraft } from '../drafts.js';

interface Entry {
  readonly content: Uint8Array | string;
  /** The result of the last reading: a call is made at every edit, and reading a long text takes a second. */
  read?: { readonly type: string; readonly elements: unknown };
}

const entries = new Map<number, Entry>();
let lastId = 0;

function put(content: Uint8Array | string): number {
  entries.set(++lastId, { content });
  return lastId;
}

export function forget(id: number): void {
  entries.delete(id);
}

/** A draft, or the part of one, that the page can hold: values that are too large for it are kept here. */
export function withoutLarge<D extends Pick<TensorDraft, 'values'>>(draft: D): D {
  const { values } = draft;
  if (values.kind === 'file' && values.bytes.length > mostOnPage) {
    const { name, bytes } = values;
    return { ...draft, values: { kind: 'stored', id: put(bytes), size: bytes.length, name } };
  }
  if (values.kind === 'text' && values.text.length > mostOnPage) {
    const { text } = values;
    return { ...draft, values: { kind: 'stored', id: put(text), size: text.length, beginning: text.slice(0, 400) } };
  }
  return draft;
}

/** The kept content, read as elements of `type` by `read`. */
export function storedElements(
  { id }: StoredValues,
  type: string,
  read: (content: Uint8Array | string) => unknown,
): unknown {
  const entry = entries.get(id) as Entry;
  if (entry.read?.type !== type) entry.read = { type, elements: read(entry.content) };
  return entry.read.elements;
}
