// The model that is open, what is typed into its form, and what became of it. It outlives a change of the page.
import type { Problem } from '../drafts.js';
import { type KeptModel, keepModel } from '../models/kept.js';
import { type Refused, showRefused } from '../models/refused-part.js';
import { onSharedModel, shareModel } from '../models/shared-model.js';
import { unanswered } from '../runtime/client.js';
import { areBeside, isMedia, modelAmong, withFiles } from '../runtime/files-given.js';
import type { Refusal } from '../runtime/protocol.js';
import { change } from '../state.js';
import { passFocus } from '../views/pass-focus.js';
import { emptyForm, type Form, wishOf } from './form.js';
import { type Opened, readModel, type Simplified, simplifyModel } from './work.js';
import { stopWorker } from './worker.js';

type Status =
  | { readonly status: 'none' }
  | { readonly status: 'reading' }
  | { readonly status: 'refused'; readonly problem: Problem }
  | { readonly status: 'open'; readonly model: Opened };

interface Session {
  readonly source: KeptModel;
  readonly opened: Status;
  readonly form: Form;
  /** The form and the model that are simplified now. */
  readonly running: { readonly form: Form; readonly source: KeptModel } | undefined;
  readonly problem: Problem | undefined;
  /** The last result, with the form that gave it: another one means that it is stale. */
  readonly result: Simplified | undefined;
  readonly resultForm: Form;
  /** While a model is read: the session with the model that was open, which comes back if this one is refused. */
  readonly before?: Session | undefined;
  /** The last file that was refused while a model was open. */
  readonly refused?: Refused | undefined;
}

const nothing: Session = {
  source: { name: '', source: '' },
  opened: { status: 'none' },
  form: emptyForm,
  running: undefined,
  problem: undefined,
  result: undefined,
  resultForm: emptyForm,
};
let session = nothing;

export function currentSession(): Session {
  return session;
}

function update(part: Partial<Session>): void {
  session = { ...session, ...part };
  change({});
}

/** The newest question: answers of older ones come too late. */
let asked: symbol | undefined;

/** The answer to a question; undefined when it was stopped, or another one was asked meanwhile. */
async function answerOf<R>(question: Promise<R>): Promise<R | Refusal | undefined> {
  const mark = Symbol();
  asked = mark;
  const answer = await question.catch(unanswered);
  return asked === mark ? answer : undefined;
}

// Another page has opened another model, or closed this one.
onSharedModel((model) => {
  if (session.opened.status !== 'open' || session.source === model) return;
  asked = undefined;
  stopWorker();
  session = nothing;
  change({});
});

function share(source: KeptModel): void {
  shareModel(source);
  void keepModel(source);
}

/** Opens a model, and simplifies it as its form says at first. */
export async function openModel(source: KeptModel, texts: Form['texts'] = {}): Promise<void> {
  stopWorker(); // what it does for another model is not wanted any more, nor is its memory
  const before = session.opened.status === 'open' ? { ...session, running: undefined } : session.before;
  session = { ...nothing, source, opened: { status: 'reading' }, form: { ...emptyForm, texts }, before };
  change({});
  const opened = await answerOf(readModel(source.source));
  if (opened === undefined) return;
  if (!opened.ok) {
    const { problem } = opened;
    if (before === undefined) return update({ opened: { status: 'refused', problem } });
    update({ ...before, before: undefined, refused: { name: source.name, problem } });
    return showRefused();
  }
  update({ opened: { status: 'open', model: opened }, before: undefined, refused: undefined });
  share(source);
  await runSimplify();
}

/** Refuses a picture or a sound. A model that is open, or is being read, stays. */
function refuseMedia(name: string): void {
  const problem: Problem = { place: 'media', message: '' };
  const { status } = session.opened;
  if (status === 'open' || status === 'reading') update({ refused: { name, problem } });
  else update({ source: { ...nothing.source, name }, opened: { status: 'refused', problem } });
  showRefused();
}

/**
 * Takes files that were dropped or chosen: a model with those that it has data in, or only these, for the model that is open.
 */
export function openFiles(files: readonly File[]): void {
  const { opened, source } = session;
  if (opened.status === 'open' && areBeside(files, opened.model.files)) {
    update({ source: { ...source, beside: withFiles(source.beside ?? [], files) } });
    share(session.source);
    void runSimplify();
    return;
  }
  const model = modelAmong(files) ?? files[0];
  if (model === undefined) return;
  if (isMedia(model)) refuseMedia(model.name);
  else void openModel({ name: model.name, source: model, beside: files.filter((file) => file !== model) });
}

export function editForm(part: Partial<Form>): void {
  const { problem } = session;
  // The problem of a field is shown until somebody types in it.
  const isMended = problem !== undefined && part.texts?.[problem.place] !== session.form.texts[problem.place];
  update({ form: { ...session.form, ...part }, ...(isMended ? { problem: undefined } : {}) });
}

export function editText(place: string, text: string): void {
  editForm({ texts: { ...session.form.texts, [place]: text } });
}

function refuse(problem: Problem, part: Partial<Session> = {}): void {
  update({ ...part, problem });
  document.getElementById(problem.place)?.focus(); // the field, if there is one
}

/** Simplifies the model that is open as the form says. Work for another form ends. */
export async function runSimplify(): Promise<void> {
  const { opened, form, source, running } = session;
  if (opened.status !== 'open' || (running?.form === form && running.source === source)) return;
  const wish = wishOf(opened.model, form);
  if ('message' in wish) return refuse(wish);
  if (running !== undefined) stopWorker();
  update({ running: { form, source }, problem: undefined });
  const answer = await answerOf(simplifyModel(opened.model, source.beside ?? [], wish));
  if (answer === undefined) return;
  passFocus('simplify-stop', 'simplify-run');
  if (!answer.ok) return refuse(answer.problem, { running: undefined });
  update({ running: undefined, result: answer, resultForm: form });
}

export function stop(): void {
  asked = undefined;
  stopWorker();
  passFocus('simplify-stop', 'simplify-run');
  update({ running: undefined });
}
