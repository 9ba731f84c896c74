// Input that fills the form of a tensor at once: pasted texts, and files that are dropped or chosen.
import type { DataType } from 'broadloom';
import type { TemplateResult } from 'lit-html';
import { mostOnPage, type Place, type Problem, type TensorDraft, type Values } from '../drafts.js';
import { ask, received, unanswered } from '../runtime/client.js';
import { type Finding, ListError } from '../values/list-error.js';
import { type PastedPart, pastedPart } from '../values/pasted.js';
import { endTyping } from './typed.js';

/** Pictures and sounds as values, where they belong. */
export interface Media {
  readonly kinds: readonly ('picture' | 'sound')[];
  readonly hint: string;
  readonly start: (kind: 'picture' | 'sound', draft: TensorDraft) => Values;
  /** The values of a file; undefined for one of another kind. Throws a ListError for one that cannot be read. */
  readonly read: (file: File, draft: TensorDraft) => Promise<Values | undefined>;
  readonly fields: (draft: TensorDraft, set: (values: Values, what: string) => void) => TemplateResult;
}

/** The form of a tensor. */
export interface TensorEditor {
  readonly place: Place;
  readonly label: string;
  readonly draft: TensorDraft;
  /** All types, in order; those with a reason are greyed. */
  readonly types: readonly { readonly type: DataType; readonly reason?: string | undefined }[];
  readonly problem: Problem | undefined;
  readonly media?: Media | undefined;
  /**
   * Changes the draft as it is by then: files take time to be read. `what` names the field, so that edits of one field are
   * undone together.
   */
  readonly onEdit: (update: (draft: TensorDraft) => TensorDraft, what: string) => void;
  /** Reports a file that cannot be read. */
  readonly onProblem: (problem: Problem) => void;
}

/**
 * An array that replaces all that stood in the field brings its dims, and its type if it names one. A text that is too long
 * for a field goes to the worker.
 */
export function pasteText({ place, onEdit }: TensorEditor, event: ClipboardEvent): void {
  const { value, selectionStart, selectionEnd } = event.target as HTMLTextAreaElement;
  const text = event.clipboardData?.getData('text/plain') ?? '';
  const take = (part: PastedPart): void => {
    endTyping();
    onEdit((draft) => ({ ...draft, ...part }), `${place}:pasted`);
  };
  if (value.length + text.length > mostOnPage) {
    event.preventDefault();
    const whole = value.slice(0, selectionStart) + text + value.slice(selectionEnd);
    void ask((worker) => worker.readText(whole)).then((part) => take(received(part)));
    return;
  }
  if (selectionEnd - selectionStart < value.length) return;
  try {
    const part = pastedPart(text);
    if (part === undefined) return;
    event.preventDefault();
    take(part);
  } catch {} // pasted as it is: what is wrong with it will be said at the field
}

/** A note about values from a file, as long as nobody edits them. */
const notes = new WeakMap<Values, Finding>();

export function noteOf(values: Values): Finding | undefined {
  return notes.get(values);
}

/** The models that were given in the place of a tensor, by the problems that say so. */
const models = new WeakMap<Problem, File>();

export function modelOf(problem: Problem | undefined): File | undefined {
  return problem && models.get(problem);
}

export async function readFile(editor: TensorEditor, file: File | undefined): Promise<void> {
  if (file === undefined) return;
  const { place, label, onEdit, onProblem } = editor;
  endTyping(); // a file that is dropped leaves the focus where it is
  try {
    const values = await editor.media?.read(file, editor.draft);
    if (values !== undefined) return onEdit((draft) => ({ ...draft, values }), `${place}:file`);
  } catch (error) {
    const finding = error instanceof ListError ? error.finding : undefined;
    return onProblem({ place, message: (error as Error).message, finding });
  }
  const read = await ask((worker) => worker.readFile(file, label)).catch(unanswered);
  if (read.ok) {
    const draft = received(read.draft);
    if (read.note) notes.set(draft.values, read.note);
    onEdit(() => draft, `${place}:file`);
  } else {
    const problem = { ...read.problem, place };
    if (problem.finding?.what === 'modelFile') models.set(problem, file);
    onProblem(problem);
  }
}
