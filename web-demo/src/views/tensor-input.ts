// What comes into the form of a tensor at once: pasted texts, and files that are dropped or chosen.
import { mostOnPage } from '../drafts.js';
import { ask, received, unanswered } from '../runtime/client.js';
import { type PastedPart, pastedPart } from '../values/pasted.js';
import type { TensorEditor } from './tensor-editor.js';

/**
 * An array that replaces all that stood in the field brings its dims, and its type if it names one. A text that is too long
 * for a field goes to the worker.
 */
export function pasteText({ place, onEdit }: TensorEditor, event: ClipboardEvent): void {
  const { value, selectionStart, selectionEnd } = event.target as HTMLTextAreaElement;
  const text = event.clipboardData?.getData('text/plain') ?? '';
  const take = (part: PastedPart): void => onEdit((draft) => ({ ...draft, ...part }), `${place}:pasted`);
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

export async function readFile({ place, onEdit, onProblem }: TensorEditor, file: File | undefined): Promise<void> {
  if (file === undefined) return;
  const read = await ask((worker) => worker.readFile(file)).catch(unanswered);
  if (read.ok) onEdit(() => received(read.draft), `${place}:file`);
  else onProblem({ ...read.problem, place });
}
