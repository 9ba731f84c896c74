// The state of the site, in one place: what is shown follows from it, and links and undo are made of it.
import { defaultDraft } from './default-draft.js';
import type { CallDraft, Problem, TensorDraft } from './drafts.js';
import { homeOperator, newestOpset } from './facts.js';
import type { ModelTab } from './model-tabs.js';
import { firstDraft, type PrepareDraft } from './prepare/draft.js';
import type { CallReport, Times } from './runtime/protocol.js';
import { type Language, preferredLanguage } from './texts/texts.js';

export type Theme = 'auto' | 'light' | 'dark';

export type Route =
  | { readonly page: 'home' }
  /** `from` and `to`: the versions that are compared; without, the newest and the one before. */
  | {
      readonly page: 'operator';
      readonly operator: string;
      readonly from?: number | undefined;
      readonly to?: number | undefined;
    }
  | { readonly page: 'try' }
  /** A call alone, within a page of somebody else. */
  | { readonly page: 'embed' }
  /** `model`: the sample that is open; `tab`: the part of the workspace, the graph by default. `simplify` is a tab, too. */
  | { readonly page: 'models'; readonly model?: string | undefined; readonly tab?: ModelTab | undefined }
  | { readonly page: 'simplify'; readonly model?: string | undefined }
  | { readonly page: 'prepare' }
  | { readonly page: 'benchmark' }
  /** An operator of ONNX that does not run by itself. */
  | { readonly page: 'foreign'; readonly operator: string }
  /** An address that leads nowhere: `name` is what nobody knows, for `try` an operator; a version is one of `operator`. */
  | { readonly page: 'unknown'; readonly what: 'page' | 'operator' | 'try'; readonly name: string }
  | { readonly page: 'unknown'; readonly what: 'version'; readonly name: string; readonly operator: string };

export interface State {
  readonly route: Route;
  readonly language: Language;
  readonly theme: Theme;
  /** The call of the page "Try it", and of the page of its operator. */
  readonly call: CallDraft;
  /** The last result, and the problem of the call as it stands now. */
  readonly report: CallReport | undefined;
  /** The call that gave `report`. */
  readonly reported: CallDraft | undefined;
  /** How long it takes; known a little later. */
  readonly times: Times | undefined;
  readonly problem: Problem | undefined;
  /** Whether the result of the call as it stands now lets people wait. */
  readonly isLate: boolean;
  /** Whether the address holds a call that cannot be read; until something is edited. */
  readonly isLinkDamaged: boolean;
  /** Why what the address asks for did not come. */
  readonly missing: string | undefined;
  /** The inputs of the loaded model, by name. */
  readonly feeds: { readonly [input: string]: TensorDraft };
  /** The name of the model that is open and that no link can carry: a file of somebody's disk. */
  readonly unlinked: string | undefined;
  /** The steps of the page "Prepare". */
  readonly prepare: PrepareDraft;
}

/** The part of the state that undo gives back: a person's input. */
type Editable = Pick<State, 'call' | 'feeds' | 'prepare'>;

function stored<T extends string>(key: string, allowed: readonly T[]): T | undefined {
  try {
    return allowed.find((value) => value === localStorage.getItem(key));
  } catch {
    return undefined; // a browser that stores nothing
  }
}

/** Remembers a choice for the next visit, if the browser stores anything. */
function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {}
}

let state: State = {
  route: { page: 'home' },
  language: stored('language', ['en', 'zh']) ?? preferredLanguage(),
  theme: stored('theme', ['auto', 'light', 'dark']) ?? 'auto',
  call: defaultDraft(homeOperator, newestOpset),
  report: undefined,
  reported: undefined,
  times: undefined,
  problem: undefined,
  isLate: false,
  isLinkDamaged: false,
  missing: undefined,
  feeds: {},
  unlinked: undefined,
  prepare: firstDraft,
};

const listeners = new Set<(state: State, before: State) => void>();
let past: Editable[] = [];
let future: Editable[] = [];
let lastEdit: { readonly what: string; readonly time: number } | undefined;
const longestPast = 200;

function editable({ call, feeds, prepare }: State): Editable {
  return { call, feeds, prepare };
}

export function current(): State {
  return state;
}

/** Calls `listener` after every change. */
export function onChange(listener: (state: State, before: State) => void): void {
  listeners.add(listener);
}

/** Changes what is shown; not undone. */
export function change(part: Partial<State>): void {
  const before = state;
  state = { ...state, ...part };
  if (state.language !== before.language) store('language', state.language);
  if (state.theme !== before.theme) store('theme', state.theme);
  for (const listener of listeners) listener(state, before);
}

/**
 * Changes the user's input. One step of undo takes it back, together with edits of the same thing (`what`, such as a field) that
 * follow within a second.
 */
export function edit(part: Partial<Editable>, what: string): void {
  const time = Date.now();
  if (lastEdit?.what !== what || time - lastEdit.time > 1000) past = [...past, editable(state)].slice(-longestPast);
  lastEdit = { what, time };
  future = [];
  change({ ...part, isLinkDamaged: false });
}

function step(from: Editable[], to: Editable[]): void {
  const target = from.pop();
  if (target === undefined) return;
  to.push(editable(state));
  lastEdit = undefined;
  change(target);
}

export const undo = (): void => step(past, future);
export const redo = (): void => step(future, past);
export const canUndo = (): boolean => past.length > 0;
export const canRedo = (): boolean => future.length > 0;
