// The graph before and after, drawn with the same places: what stays is where it was.
import { repeatedRuns } from './blocks.js';
import type { FlatGraph, FlatNode } from './flat-graph.js';
import { layOut, type Size } from './layout.js';

/** A node as one of the two graphs has it. */
export type Drawn = Pick<FlatNode, 'operator' | 'name' | 'outputs'>;

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
  /** Its centre. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly before: Drawn | undefined;
  readonly after: Drawn | undefined;
  readonly repeats?: Repeats | undefined;
}

export interface Picture extends Size {
  readonly spots: readonly Spot[];
  /** From, to, from, to ...: numbers of spots. */
  readonly edges: { readonly [S in Side]: Uint32Array };
  /** Constants, which are not drawn. */
  readonly constants: { readonly [S in Side]: number };
}

/** `changed`: another operator makes the same value. */
export type Fate = 'stays' | 'changed' | 'goes' | 'comes';

export function fateOf({ before, after, repeats }: Pick<Spot, 'before' | 'after' | 'repeats'>): Fate {
  if (after === undefined) return 'goes';
  if (before === undefined) return 'comes';
  return before.operator === after.operator && !repeats?.isChanged ? 'stays' : 'changed';
}

/** How many nodes of a side a spot stands for. */
export function nodesAt({ repeats, ...spot }: Spot, side: Side): number {
  return repeats?.nodes[side] ?? (spot[side] === undefined ? 0 : 1);
}

/** The most letters of an operator that are drawn. */
export const longestLabel = 24;
const letterWidth = 7.4;
const padding = 20;

function widthOf({ operator }: Drawn): number {
  return Math.min(longestLabel + 1, operator.length) * letterWidth + padding;
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

function drawn({ operator, name, outputs }: FlatNode): Drawn {
  return { operator, name, outputs };
}

/** A node of either graph, or of both, which has no place yet; `parent` is the one whose graph it is in, or -1. */
interface Entry extends Pick<Spot, 'before' | 'after' | 'repeats'> {
  readonly parent: number;
}

/** The nodes of both graphs, those that stay once; and by which number each node after is known among them. */
function entriesOf(before: FlatGraph, after: FlatGraph): { entries: Entry[]; numbers: number[] } {
  const found = survivors(before.nodes, after.nodes);
  const entries: Entry[] = before.nodes.map((node) => ({ before: drawn(node), after: undefined, parent: node.parent }));
  const numbers: number[] = [];
  after.nodes.forEach((node, i) => {
    const number = found[i] ?? entries.length;
    const known = entries[number];
    const parent = known?.parent ?? (node.parent < 0 ? node.parent : (numbers[node.parent] as number));
    entries[number] = { before: known?.before, after: drawn(node), parent };
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

/** Each pair of different numbers once. */
function distinct(edges: readonly Uint32Array[], count: number): Uint32Array {
  const pairs = new Set<number>();
  for (const list of edges) {
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] !== list[i + 1]) pairs.add((list[i] as number) * count + (list[i + 1] as number));
    }
  }
  return Uint32Array.from([...pairs].flatMap((pair) => [Math.floor(pair / count), pair % count]));
}

/**
 * Both graphs in one picture; with `isCollapsed`, blocks that repeat are one spot. undefined when there are none such.
 */
export function pictureOf(before: FlatGraph, after: FlatGraph): Picture;
export function pictureOf(before: FlatGraph, after: FlatGraph, isCollapsed: boolean): Picture | undefined;
export function pictureOf(before: FlatGraph, after: FlatGraph, isCollapsed = false): Picture | undefined {
  const all = entriesOf(before, after);
  const isOfModel = before.nodes.findIndex(({ parent }) => parent >= 0);
  const ofModel = isOfModel < 0 ? before.nodes.length : isOfModel;
  const { entries, numbers } = isCollapsed
    ? collapse(all.entries, ofModel)
    : { entries: all.entries, numbers: [...all.entries.keys()] };
  if (isCollapsed && entries.length === all.entries.length) return undefined;
  const widths = Float64Array.from(entries, (entry) =>
    Math.max(...sides.map((side) => (entry[side] === undefined ? 0 : widthOf(entry[side])))),
  );
  const numbered = (edges: Uint32Array, number: (node: number) => number): Uint32Array =>
    distinct([edges.map((node) => numbers[number(node)] as number)], entries.length);
  const edges = {
    before: numbered(before.edges, (node) => node),
    after: numbered(after.edges, (node) => all.numbers[node] as number),
  };
  const { x, y, width, height } = layOut(distinct([edges.before, edges.after], entries.length), widths);
  return {
    ...{ width, height, edges },
    constants: { before: before.constants, after: after.constants },
    spots: entries.map(({ parent: _, ...entry }, i) => ({
      ...{ x: x[i] as number, y: y[i] as number, width: widths[i] as number },
      ...entry,
    })),
  };
}
