// The model that is open, and what became of its last run. Not part of the state of the site: it cannot be put into a link
// or undone. The worker that has the model may be ended at any time; then the next question opens the model again.
import type { Remote } from 'comlink';
import { transfer } from 'comlink';
import type { Problem } from '../drafts.js';
import { ask as askMain, unanswered } from '../runtime/client.js';
import { areBeside, isMedia, modelAmong, withFiles } from '../runtime/files-given.js';
import type { FeedsReport, Refusal, TensorReport } from '../runtime/protocol.js';
import { change, current, type State } from '../state.js';
import { passFocus } from '../views/pass-focus.js';
import { ask, Stopped, stopWorker } from './connection.js';
import type { NodePath } from './graphs.js';
import { type Feeds, forgetModel, type Keeping, type KeptModel, keepFeeds, keepModel } from './kept.js';
import type { ModelReport, RunAnswer, RunReport, Sent } from './protocol.js';
import { type Refused, showRefused } from './refused-part.js';
import { onSharedModel, shareModel } from './shared-model.js';
import type { Api } from './worker.js';

type Opened =
  | { readonly status: 'none' }
  | { readonly status: 'reading'; readonly name: string }
  | ({ readonly status: 'refused' } & Refused)
  | { readonly status: 'open'; readonly name: string; readonly report: ModelReport };

export interface Ran {
  /** The edits of the inputs that it ran with: others now mean that it is stale. */
  readonly feeds: State['feeds'];
  /** Undefined while it runs. */
  readonly outcome: RunReport | Refusal | 'stopped' | undefined;
  /** The run before, whose outputs are shown while this one runs. */
  readonly before?: Ran | undefined;
}

interface Session {
  readonly opened: Opened;
  /** The file of the model that is open or was to be opened, and those beside it. */
  readonly source: KeptModel | undefined;
  readonly ran: Ran | undefined;
  /** Whether a reload opens the model again; unknown until it is kept. */
  readonly keeping: Keeping | undefined;
  /** While a model is read: the session with the model that was open, which comes back if this one is refused. */
  readonly before?: Session | undefined;
  /** The last file that was refused while a model was open. */
  readonly refused?: Refused | undefined;
}

const nothing: Session = { opened: { status: 'none' }, source: undefined, ran: undefined, keeping: undefined };
let session = nothing;
/** The answer of the worker to the model that it was given last; undefined for a worker that was given none. */
let loading: Promise<ModelReport | Refusal> | undefined;
/** The newest model that was asked for, and the newest run: answers about older ones come too late. */
let asked = Symbol();
let running = Symbol();

export function currentSession(): Session {
  return session;
}

function update(part: Partial<Session>): void {
  session = { ...session, ...part };
  change({});
}

/** The report of the model that is open. */
export function openReport(): ModelReport | undefined {
  return session.opened.status === 'open' ? session.opened.report : undefined;
}

const listeners = new Set<() => void>();

/** Calls `listener` whenever another model is open, or none. */
export function onOther(listener: () => void): void {
  listeners.add(listener);
}

function replace(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** Another one whenever the worker was ended. */
let life = Symbol();

function endWorker(): void {
  life = Symbol();
  loading = undefined;
  stopWorker();
}

function load({ source, beside = [] }: KeptModel): Promise<ModelReport | Refusal> {
  return ask((worker) => worker.open(source, beside));
}

/** Asks the worker about the model, which it opens again if it was ended meanwhile. */
export async function askModel<R>(question: (api: Remote<Api>) => Promise<R>): Promise<R | Refusal> {
  const { source } = session;
  try {
    if (source !== undefined) loading ??= load(source);
    const opened = await loading;
    if (opened?.ok === false) return opened;
    return await ask(question);
  } catch (error) {
    if (error instanceof Stopped) throw error;
    endWorker(); // one that did not come, or whose runtime has failed, has no model any more
    return unanswered(error);
  }
}

/** Gives what the worker has sent to the one that the viewer asks. */
export async function keepSent(owner: string, all: readonly Sent[]): Promise<TensorReport[]> {
  const messages = all.map(({ message }) => message);
  const buffers = messages.flatMap((message) => {
    const data: unknown = message?.data;
    return ArrayBuffer.isView(data) ? [data.buffer as ArrayBuffer] : [];
  });
  await askMain((worker) => worker.keep(owner, transfer(messages, buffers)));
  return all.map(({ report }) => report);
}

// ---- Opening ----

async function keepOpened(opened: Opened, model: KeptModel): Promise<void> {
  const keeping = await keepModel(model);
  if (session.opened === opened) update({ keeping });
}

addEventListener('pagehide', () => {
  if (session.opened.status === 'open') keepFeeds(current().feeds);
});

// Another page has opened another model: the memory of this one is free until this page is shown again.
onSharedModel((model) => {
  if (session.opened.status !== 'open' || session.source === model) return;
  endWorker();
  replace(nothing);
  change({ feeds: {} });
});

/** Closes the model; nothing of it stays in the browser. */
export function closeModel(): void {
  asked = Symbol();
  endWorker();
  replace(nothing);
  change({ feeds: {} });
  shareModel(undefined);
  void forgetModel();
}

/** Opens a file, or what lies at an address. The newest wins. */
export async function openModel(source: KeptModel, feeds: Feeds = {}): Promise<void> {
  const mark = Symbol();
  asked = mark;
  performance.mark('model-chosen');
  const { name } = source;
  endWorker(); // what it does for another model is not wanted any more, nor is its memory
  const before = session.opened.status === 'open' ? session : session.before;
  replace({ ...nothing, opened: { status: 'reading', name }, source, before });
  change({});
  loading = load(source);
  const result = await loading.catch(unanswered);
  if (asked !== mark) return;
  if (!result.ok) return refuse({ name, problem: result.problem }, source);
  const opened: Opened = { status: 'open', name, report: result };
  replace({ ...nothing, opened, source });
  change({ feeds });
  shareModel(source);
  void keepOpened(opened, source);
}

/** Says why the file that was read is not opened. The model that was open before it is open again. */
function refuse(refused: Refused, source: KeptModel | undefined): void {
  const { before } = session;
  if (before === undefined) {
    replace({ ...nothing, opened: { status: 'refused', ...refused }, source });
    change({ feeds: {} });
    return;
  }
  endWorker(); // it was given the other file
  const { ran } = before;
  replace({ ...before, ran: ran?.outcome === undefined ? ran?.before : ran, refused });
  change({});
  showRefused();
}

/** Refuses a picture or a sound. A model that is open, or is being read, stays. */
function refuseMedia(name: string): void {
  const refused: Refused = { name, problem: { place: 'media', message: '' } };
  const { status } = session.opened;
  if (status === 'open' || status === 'reading') update({ refused });
  else refuse(refused, undefined);
  showRefused();
}

/**
 * Takes files that were dropped or chosen: a model with those that it has data in, or only these, for the model that is open.
 */
export function openFiles(files: readonly File[]): void {
  const { source } = session;
  const missing = openReport()?.missing.map(({ location }) => location) ?? [];
  if (source !== undefined && areBeside(files, missing)) {
    void openModel({ ...source, beside: withFiles(source.beside ?? [], files) }, current().feeds);
    return;
  }
  const model = modelAmong(files) ?? files[0];
  if (model === undefined) return;
  if (isMedia(model)) refuseMedia(model.name);
  else void openModel({ name: model.name, source: model, beside: files.filter((file) => file !== model) });
}

// ---- Running ----

/** The owner of the outputs among the tensors that the viewer asks for. */
const owner = 'model';

/** The tensors of drafts, made by the worker that has what the page cannot hold. Pictures and sounds become elements here. */
export async function feedsFrom(inputs: Feeds): Promise<FeedsReport | Refusal> {
  let drafts = inputs;
  for (const [i, [name, draft]] of Object.entries(inputs).entries()) {
    if (draft.values.kind !== 'picture' && draft.values.kind !== 'sound') continue;
    const { withElements } = await import('../values/media.js');
    const made = await withElements(draft, `feed:${i}`);
    if ('ok' in made) return made;
    drafts = { ...drafts, [name]: made };
  }
  return askMain((worker) => worker.feeds(drafts)).catch(unanswered);
}

/** Runs the model for some of its values; rejects when it is stopped. */
export async function runFor(inputs: Feeds, keptAs: string, names?: readonly string[]): Promise<RunReport | Refusal> {
  const before = life;
  const made = await feedsFrom(inputs);
  if (life !== before) throw new Stopped(); // before the worker was asked
  if (!made.ok) return made;
  const answer = await askModel<RunAnswer | Refusal>((worker) => worker.run(made.feeds, keptAs, names));
  return answer.ok ? { ...answer, outputs: await keepSent(keptAs, answer.outputs) } : answer;
}

/** Runs the model that is open. A run with other inputs is not wanted any more. */
export async function runOpenModel(inputs: Feeds): Promise<void> {
  const { feeds } = current();
  const { ran } = session;
  if (ran !== undefined && ran.outcome === undefined) {
    if (ran.feeds === feeds) return;
    endWorker();
  }
  const mark = Symbol();
  running = mark;
  const before = typeof ran?.outcome === 'object' && ran.outcome.ok ? ran : ran?.before;
  update({ ran: { feeds, outcome: undefined, before }, refused: undefined });
  let outcome: RunReport | Refusal | 'stopped';
  try {
    outcome = await runFor(inputs, owner);
  } catch (error) {
    outcome = error instanceof Stopped ? 'stopped' : unanswered(error);
  }
  if (running !== mark || openReport() === undefined) return;
  passFocus('stop', 'run');
  update({ ran: { feeds, outcome } });
  if (typeof outcome === 'object' && !outcome.ok) document.getElementById(outcome.problem.place)?.focus(); // the field, if there is one
}

/** Ends what the worker does. The next question opens the model again. */
export function stop(): void {
  running = Symbol();
  endWorker();
  passFocus('stop', 'run');
  const { ran } = session;
  update(ran !== undefined && ran.outcome === undefined ? { ran: { feeds: ran.feeds, outcome: 'stopped' } } : {});
}

/** The run whose outcome is shown: the last one, or the one before it while that runs. */
export function shownRun(): Ran | undefined {
  const { ran } = session;
  return ran !== undefined && ran.outcome === undefined ? ran.before : ran;
}

/** Says what is wrong with an input before it is run. */
export function refuseRun(problem: Problem): void {
  update({ ran: { feeds: current().feeds, outcome: { ok: false, problem } } });
}

/** The reason why the last run was refused. */
export function currentProblem(): Problem | undefined {
  const outcome = session.ran?.outcome;
  return typeof outcome === 'object' && !outcome.ok ? outcome.problem : undefined;
}

/** The node that a problem speaks of, if it does. */
export function nodeOf(problem: Problem | undefined): NodePath | undefined {
  return /^node:([\d.]+)$/.exec(problem?.place ?? '')?.[1];
}
