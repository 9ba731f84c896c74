// The model that is open, what became of its last run, and how its nodes are filtered. Not part of the state of the site:
// it cannot be put into a link or undone.
import type { Problem, TensorDraft } from '../drafts.js';
import { ask, latest, unanswered } from '../runtime/client.js';
import type { ModelReport, RunReport } from '../runtime/model-protocol.js';
import type { Refusal } from '../runtime/protocol.js';
import { change, current, type State } from '../state.js';
import type { NodePath, Nodes } from './graphs.js';
import { forgetModel, type Keeping, type KeptModel, keepFeeds, keepModel, keptFeeds, keptModel } from './kept.js';
import { type Filter, isFiltered } from './node-filter.js';

export interface Feeds {
  readonly [input: string]: TensorDraft;
}

type Opened =
  | { readonly status: 'none' }
  | { readonly status: 'reading'; readonly name: string }
  | { readonly status: 'refused'; readonly name: string; readonly problem: Problem }
  | { readonly status: 'open'; readonly name: string; readonly report: ModelReport };

export interface Ran {
  /** The edits of the inputs that it ran with: others now mean that it is stale. */
  readonly feeds: State['feeds'];
  /** Undefined while it runs. */
  readonly outcome: RunReport | Refusal | undefined;
}

/** The nodes that somebody has opened, closed or asked for more of, graph by graph. */
export interface Unfolded {
  readonly isOpen: ReadonlyMap<Nodes, boolean>;
  /** How many of the nodes are shown. */
  readonly limits: ReadonlyMap<Nodes, number>;
}

const untouched: Unfolded = { isOpen: new Map(), limits: new Map() };

interface Session {
  readonly opened: Opened;
  readonly ran: Ran | undefined;
  readonly filter: Filter;
  /** Of the whole list, which is as it was when a filter is taken away. */
  readonly unfolded: Unfolded;
  /** Of what a filter lets through, until it changes. */
  readonly unfoldedMatches: Unfolded;
  /** Whether a reload opens the model again; unknown until it is kept. */
  readonly keeping: Keeping | undefined;
}

const nothing: Session = {
  opened: { status: 'none' },
  ran: undefined,
  filter: { text: '', onlyUnsupported: false },
  unfolded: untouched,
  unfoldedMatches: untouched,
  keeping: undefined,
};
let session = nothing;

export function currentSession(): Session {
  return session;
}

function update(part: Partial<Session>): void {
  session = { ...session, ...part };
  change({});
}

interface Opening {
  readonly name: string;
  readonly source: Blob | string;
  /** The first values of the inputs, if they are not those that their declarations suggest. */
  readonly feeds: Feeds;
}

const load = latest(
  ({ source }: Opening) => ask((worker) => worker.loadModel(source)).catch(unanswered),
  (result, { name, source, feeds }) => {
    const opened: Opened = result.ok
      ? { status: 'open', name, report: result }
      : { status: 'refused', name, problem: result.problem };
    session = { ...nothing, opened };
    change({ feeds });
    if (result.ok) void keepOpened(opened, { name, source });
  },
);

async function keepOpened(opened: Opened, model: KeptModel): Promise<void> {
  const keeping = await keepModel(model);
  if (session.opened === opened) update({ keeping });
}

addEventListener('pagehide', () => {
  if (session.opened.status === 'open') keepFeeds(current().feeds);
});

/** Opens the model that a reload has closed. */
export async function reopenModel(): Promise<void> {
  const kept = await keptModel();
  if (kept !== undefined && session.opened.status === 'none') openModel(kept.name, kept.source, keptFeeds());
}

/** Closes the model; nothing of it stays in the browser. */
export function closeModel(): void {
  session = nothing;
  change({ feeds: {} });
  void forgetModel();
}

/** Opens a file, or what lies at an address. The newest wins. */
export function openModel(name: string, source: Blob | string, feeds: Feeds = {}): void {
  update({ opened: { status: 'reading', name }, ran: undefined });
  load({ name, source, feeds });
}

interface Run {
  readonly report: ModelReport;
  /** A draft for every input. */
  readonly inputs: Feeds;
  readonly feeds: State['feeds'];
}

const execute = latest(
  ({ inputs }: Run) => ask((worker) => worker.runModel(inputs)).catch(unanswered),
  (outcome, { report, feeds }) => {
    const { opened } = session;
    if (opened.status !== 'open' || opened.report !== report) return;
    update({ ran: { feeds, outcome } });
    if (!outcome.ok) document.getElementById(outcome.problem.place)?.focus(); // the field, if there is one
  },
);

/** Runs the model that is open. */
export function runOpenModel(report: ModelReport, inputs: Feeds): void {
  const { feeds } = current();
  update({ ran: { feeds, outcome: undefined } });
  execute({ report, inputs, feeds });
}

/** Says what is wrong with an input before it is run. */
export function refuseRun(problem: Problem): void {
  update({ ran: { feeds: current().feeds, outcome: { ok: false, problem } } });
}

/** The reason why the last run was refused. */
export function currentProblem(): Problem | undefined {
  const outcome = session.ran?.outcome;
  return outcome?.ok === false ? outcome.problem : undefined;
}

/** The node that a problem speaks of, if it does. */
export function nodeOf(problem: Problem | undefined): NodePath | undefined {
  return /^node:([\d.]+)$/.exec(problem?.place ?? '')?.[1];
}

/** Filters anew, from the first match on. */
export function filterNodes(part: Partial<Filter>): void {
  update({ filter: { ...session.filter, ...part }, unfoldedMatches: untouched });
}

/** The unfolded parts of the list as it is filtered now. */
export function currentUnfolded(): Unfolded {
  return isFiltered(session.filter) ? session.unfoldedMatches : session.unfolded;
}

function unfold(part: Partial<Unfolded>): void {
  const unfolded = { ...currentUnfolded(), ...part };
  update(isFiltered(session.filter) ? { unfoldedMatches: unfolded } : { unfolded });
}

export function openGraphs(graphs: readonly Nodes[], isOpen: boolean): void {
  const states = graphs.map((graph) => [graph, isOpen] as const);
  unfold({ isOpen: new Map([...currentUnfolded().isOpen, ...states]) });
}

export function limitNodes(graph: Nodes, limit: number): void {
  unfold({ limits: new Map([...currentUnfolded().limits, [graph, limit]]) });
}
