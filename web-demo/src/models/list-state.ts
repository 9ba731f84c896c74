// How the list of nodes is filtered and unfolded.
import { change } from '../state.js';
import type { Nodes } from './graphs.js';
import { type Filter, isFiltered } from './node-filter.js';
import { onOther } from './session.js';

/** The nodes that somebody has opened, closed or asked for more of, graph by graph. */
export interface Unfolded {
  readonly isOpen: ReadonlyMap<Nodes, boolean>;
  /** How many of the nodes are shown. */
  readonly limits: ReadonlyMap<Nodes, number>;
}

interface ListState {
  readonly filter: Filter;
  /** The unfolded parts of the whole list. They stay as they are while there is a filter. */
  readonly unfolded: Unfolded;
  /** The unfolded parts of the list that a filter gives, until the filter changes. */
  readonly unfoldedMatches: Unfolded;
}

const untouched: Unfolded = { isOpen: new Map(), limits: new Map() };
const first: ListState = {
  filter: { text: '', onlyUnsupported: false },
  unfolded: untouched,
  unfoldedMatches: untouched,
};
let state = first;

onOther(() => {
  state = first;
});

function update(part: Partial<ListState>): void {
  state = { ...state, ...part };
  change({});
}

export function currentFilter(): Filter {
  return state.filter;
}

/** Filters anew, from the first match on. */
export function filterNodes(part: Partial<Filter>): void {
  update({ filter: { ...state.filter, ...part }, unfoldedMatches: untouched });
}

/** The unfolded parts of the list as it is filtered now. */
export function currentUnfolded(): Unfolded {
  return isFiltered(state.filter) ? state.unfoldedMatches : state.unfolded;
}

function unfold(part: Partial<Unfolded>): void {
  const unfolded = { ...currentUnfolded(), ...part };
  update(isFiltered(state.filter) ? { unfoldedMatches: unfolded } : { unfolded });
}

export function openGraphs(graphs: readonly Nodes[], isOpen: boolean): void {
  const states = graphs.map((graph) => [graph, isOpen] as const);
  unfold({ isOpen: new Map([...currentUnfolded().isOpen, ...states]) });
}

export function limitNodes(graph: Nodes, limit: number): void {
  unfold({ limits: new Map([...currentUnfolded().limits, [graph, limit]]) });
}
