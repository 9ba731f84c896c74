// The graph before and after, drawn with the same places: what stays is where it was.
import { repeatedRuns } from './blocks.js';
import type { FlatGraph, FlatNode, Flow } from './flat-graph.js';
import { layOut, nodeHeight, type Size } from './layout.js';

/** A node as one of the two graphs has it. */
export type Drawn = Pick<FlatNode, 'operator' | 'name' | 'outputs' | 'look'>;

export const sides = ['before', 'after'] as const;
export type Side = (typeof sides)[number];

/** Blocks that one spot stands for, and how many nodes are in them. */
export interface Repeats {
  readonly times: number;
  readonly nodes: { readonly [S in Side]: number };
  readonly isChanged: boolean;
}

/** A place of the drawing: a node of either graph, or of both; or blocks of them that are like the one before. */
export interface Spot {
  /** The centre of the spot. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly before: Drawn | undefined;
  readonly after: Drawn | undefined;
  /** Whether a pair of nodes with the same operator differs otherwise. */
  readonly differs?: boolean | undefined;
  readonly repeats?: Repeats | undefined;
}

export interface Picture extends Size {
  readonly spots: readonly Spot[];
  /** From, to, from, to ...: numbers of spots. Each pair is there once. */
  readonly edges: { readonly [S in Side]: Uint32Array };
  /** The values of each edge, each name once, where values are told apart. */
  readonly flows: { readonly [S in Side]: readonly (readonly Flow[])[] | undefined };
  /** Constants, which are not drawn. */
  readonly constants: { readonly [S in Side]: number };
}

/** `changed`: another operator makes the same value, or what else is compared differs. */
export type Fate = 'stays' | 'changed' | 'goes' | 'comes';

export function fateOf({
  before,
  after,
  differs,
  repeats,
}: Pick<Spot, 'before' | 'after' | 'differs' | 'repeats'>): Fate {
  if (after === undefined) return 'goes';
  if (before === undefined) return 'comes';
  return before.operator === after.operator && !differs && !repeats?.isChanged ? 'stays' : 'changed';
}

/** How many nodes of a side a spot stands for. */
export function nodesAt({ repeats, ...spot }: Spot, side: Side): number {
  return repeats?.nodes[side] ?? (spot[side] === undefined ? 0 : 1);
}

/** The most letters of an operator that are drawn. */
export const longestLabel = 24;
const letterWidth = 7.4;
const smallLetterWidth = 6.2;
const padding = 20;
/** The height of a line below the operator. */
export const lineHeight = 15;

function widthOf({ operator, look }: Drawn): number {
  const own = Math.min(longestLabel + 1, operator.length) * letterWidth + (look?.hasGraphs ? 16 : 0);
  const lines = (look?.lines ?? []).map((line) => Math.min(longestLabel + 1, line.length) * smallLetterWidth);
  return Math.max(own, ...lines) + padding;
}

function heightOf({ look }: Drawn): number {
  const lines = look?.lines?.length ?? 0;
  return nodeHeight + (lines === 0 ? 0 : lines * lineHeight + 4);
}

/** The keys that find a node again: its outputs with its operator, its name with its operator, or its outputs alone. */
const keys: readonly ((node: FlatNode) => string | undefined)[] = [
  ({ operator, outputs }) => (outputs.length === 0 ? undefined : `${operator}\n${outputs.join('\n')}`),
  ({ operator, name }) => (name === '' ? undefined : `${operator}\n${name}`),
  ({ outputs }) => outputs[0],
];

/** For each node after, the node before that it is; undefined for one that is new. */
export function survivors(before: readonly FlatNode[], after: readonly FlatNode[]): (number | undefined)[] {
  const found: (number | undefined)[] = after.map(() => undefined);
  const isTaken = new Uint8Array(before.length);
  for (const key of keys) {
    const places = new Map<string, number[]>();
    // Last first: the first is taken first. Names of inner graphs may repeat.
    for (let i = before.length - 1; i >= 0; i--) {
      const text = isTaken[i] === 1 ? undefined : key(before[i] as FlatNode);
      if (text === undefined) continue;
      const list = places.get(text);
      if (list === undefined) places.set(text, [i]);
      else list.push(i);
    }
    after.forEach((node, i) => {
      if (found[i] !== undefined) return;
      const text = key(node);
      const place = text === undefined ? undefined : places.get(text)?.pop();
      if (place === undefined) return;
      found[i] = place;
      isTaken[place] = 1;
    });
  }
  return found;
}

function drawn({ operator, name, outputs, look }: FlatNode): Drawn {
  return { operator, name, outputs, ...(look && { look }) };
}

/** A node of either graph, or of both, which has no place yet; `parent` is the one whose graph it is in, or -1. */
interface Entry extends Pick<Spot, 'before' | 'after' | 'differs' | 'repeats'> {
  readonly parent: number;
}

/** Which node before each node after is, and which of these pairs differ. */
export interface Pairs {
  readonly found: readonly (number | undefined)[];
  /** Numbers of nodes after. */
  readonly differing: ReadonlySet<number>;
}

const noneDiffers: ReadonlySet<number> = new Set();

/** The nodes of both graphs, those that stay once; and by which number each node after is known among them. */
function entriesOf(
  before: FlatGraph,
  after: FlatGraph,
  { found, differing }: Pairs,
): { entries: Entry[]; numbers: number[] } {
  const entries: Entry[] = before.nodes.map((node) => ({ before: drawn(node), after: undefined, parent: node.parent }));
  const numbers: number[] = [];
  after.nodes.forEach((node, i) => {
    const number = found[i] ?? entries.length;
    const known = entries[number];
    const parent = known?.parent ?? (node.parent < 0 ? node.parent : (numbers[node.parent] as number));
    entries[number] = { before: known?.before, after: drawn(node), parent, differs: differing.has(i) };
    numbers.push(number);
  });
  return { entries, numbers };
}

/** Puts one entry in the place of all blocks that repeat another one. Gives the numbers that entries have then. */
function collapse(entries: readonly Entry[], ofModel: number): { entries: Entry[]; numbers: number[] } {
  const labels = entries
    .slice(0, ofModel)
    .map((entry) => `${entry.before?.operator}\n${fateOf(entry)}\n${entry.after?.operator}`);
  const blockOf: (number | undefined)[] = entries.map(() => undefined);
  const runs = repeatedRuns(labels);
  for (const [run, { start, length, times }] of runs.entries()) {
    blockOf.fill(run, start + length, start + length * times);
  }
  // Nodes in the graphs of a node go with it.
  entries.forEach(({ parent }, i) => {
    if (parent >= 0) blockOf[i] ??= blockOf[parent];
  });
  const kept: Entry[] = [];
  const places: (number | undefined)[] = runs.map(() => undefined);
  const numbers = entries.map((entry, i) => {
    const block = blockOf[i];
    if (block === undefined) return kept.push(entry) - 1;
    places[block] ??= kept.push(entry) - 1;
    return places[block];
  });
  runs.forEach(({ times }, block) => {
    const members = entries.filter((_, i) => blockOf[i] === block);
    const count = (side: Side): number => members.filter((entry) => entry[side] !== undefined).length;
    const nodes = { before: count('before'), after: count('after') };
    const label: Drawn = { operator: `× ${times - 1}`, name: '', outputs: [] };
    kept[places[block] as number] = {
      before: label,
      after: nodes.after === 0 ? undefined : label,
      parent: -1,
      repeats: { times: times - 1, nodes, isChanged: members.some((entry) => fateOf(entry) !== 'stays') },
    };
  });
  return { entries: kept, numbers };
}

interface Edges {
  readonly pairs: Uint32Array;
  readonly flows: readonly (readonly Flow[])[] | undefined;
}

/** Each pair of different numbers once, with all that flows between them. */
function distinct(edges: readonly Edges[], count: number): Edges {
  const found = new Map<number, Flow[]>();
  for (const { pairs, flows } of edges) {
    for (let i = 0; i < pairs.length; i += 2) {
      const [from, to] = [pairs[i] as number, pairs[i + 1] as number];
      if (from === to) continue;
      const pair = from * count + to;
      const known = found.get(pair) ?? [];
      found.set(pair, known);
      for (const flow of flows?.[i / 2] ?? []) if (!known.some(({ name }) => name === flow.name)) known.push(flow);
    }
  }
  const pairs = new Uint32Array(2 * found.size);
  let next = 0;
  for (const pair of found.keys()) {
    pairs[next++] = Math.floor(pair / count);
    pairs[next++] = pair % count;
  }
  return { pairs, flows: edges.every(({ flows }) => flows === undefined) ? undefined : [...found.values()] };
}

export interface PictureOptions {
  /** Whether blocks that repeat are one spot. */
  readonly isCollapsed?: boolean;
  /** By default, nodes are found again by what they make and by their names. */
  readonly pairs?: Pairs | undefined;
}

/** Both graphs in one picture; undefined when blocks are to be collapsed and none repeat. */
export function pictureOf(
  before: FlatGraph,
  after: FlatGraph,
  options?: PictureOptions & { isCollapsed?: false },
): Picture;
export function pictureOf(before: FlatGraph, after: FlatGraph, options?: PictureOptions): Picture | undefined;
export function pictureOf(
  before: FlatGraph,
  after: FlatGraph,
  { isCollapsed = false, pairs }: PictureOptions = {},
): Picture | undefined {
  const isOne = before === after;
  const itself = (): Pairs => ({ found: [...before.nodes.keys()], differing: noneDiffers });
  const found = (): Pairs => ({ found: survivors(before.nodes, after.nodes), differing: noneDiffers });
  const all = entriesOf(before, after, pairs ?? (isOne ? itself() : found()));
  const isOfModel = before.nodes.findIndex(({ parent }) => parent >= 0);
  const ofModel = isOfModel < 0 ? before.nodes.length : isOfModel;
  const { entries, numbers } = isCollapsed
    ? collapse(all.entries, ofModel)
    : { entries: all.entries, numbers: [...all.entries.keys()] };
  if (isCollapsed && entries.length === all.entries.length) return undefined;
  const greatest = (entry: Entry, sizeOf: (drawn: Drawn) => number): number =>
    Math.max(...sides.map((side) => (entry[side] === undefined ? 0 : sizeOf(entry[side]))));
  const widths = Float64Array.from(entries, (entry) => greatest(entry, widthOf));
  const heights = Float64Array.from(entries, (entry) => greatest(entry, heightOf));
  const numbered = ({ edges, flows }: FlatGraph, number: (node: number) => number): Edges => {
    const pairs = edges.map((node) => numbers[number(node)] as number);
    return distinct([{ pairs, flows: flows?.map((flow) => [flow]) }], entries.length);
  };
  const first = numbered(before, (node) => node);
  const second = isOne ? first : numbered(after, (node) => all.numbers[node] as number);
  const both = isOne ? first : distinct([first, second], entries.length);
  const { x, y, width, height } = layOut(both.pairs, widths, heights);
  return {
    ...{ width, height },
    edges: { before: first.pairs, after: second.pairs },
    flows: { before: first.flows, after: second.flows },
    constants: { before: before.constants, after: after.constants },
    spots: entries.map(({ parent: _, ...entry }, i) => ({
      ...{ x: x[i] as number, y: y[i] as number, width: widths[i] as number, height: heights[i] as number },
      ...entry,
    })),
  };
}
