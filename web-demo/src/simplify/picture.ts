// The graph before and after, drawn with the same places: what stays is where it was.
import type { FlatGraph, FlatNode } from './flat-graph.js';
import { layOut, type Size } from './layout.js';

/** A node as one of the two graphs has it. */
export type Drawn = Pick<FlatNode, 'operator' | 'name' | 'outputs'>;

/** A place of the drawing: a node of either graph, or of both. */
export interface Spot {
  /** Its centre. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly before: Drawn | undefined;
  readonly after: Drawn | undefined;
}

export const sides = ['before', 'after'] as const;
export type Side = (typeof sides)[number];

export interface Picture extends Size {
  readonly spots: readonly Spot[];
  /** From, to, from, to ...: numbers of spots. */
  readonly edges: { readonly [S in Side]: Uint32Array };
  /** Constants, which are not drawn. */
  readonly constants: { readonly [S in Side]: number };
}

/** `changed`: another operator makes the same value. */
export type Fate = 'stays' | 'changed' | 'goes' | 'comes';

export function fateOf({ before, after }: Spot): Fate {
  if (after === undefined) return 'goes';
  if (before === undefined) return 'comes';
  return before.operator === after.operator ? 'stays' : 'changed';
}

/** The most letters of an operator that are drawn. */
export const longestLabel = 24;
const letterWidth = 7.4;
const padding = 20;

function widthOf({ operator }: FlatNode): number {
  return Math.min(longestLabel + 1, operator.length) * letterWidth + padding;
}

/** What tells a node from others: what it makes with its operator, its name with its operator, or what it makes alone. */
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

function together(one: Uint32Array, other: Uint32Array, count: number): Uint32Array {
  const pairs = new Set<number>();
  for (const edges of [one, other]) {
    for (let i = 0; i < edges.length; i += 2) pairs.add((edges[i] as number) * count + (edges[i + 1] as number));
  }
  return Uint32Array.from([...pairs].flatMap((pair) => [Math.floor(pair / count), pair % count]));
}

export function pictureOf(before: FlatGraph, after: FlatGraph): Picture {
  const found = survivors(before.nodes, after.nodes);
  const nodes: { before: FlatNode | undefined; after: FlatNode | undefined }[] = before.nodes.map((node) => ({
    before: node,
    after: undefined,
  }));
  const spotOf = after.nodes.map((node, i) => {
    const spot = found[i] ?? nodes.length;
    nodes[spot] = { before: nodes[spot]?.before, after: node };
    return spot;
  });
  const widths = Float64Array.from(nodes, (spot) =>
    Math.max(...[spot.before, spot.after].map((node) => (node === undefined ? 0 : widthOf(node)))),
  );
  const edges = { before: before.edges, after: after.edges.map((node) => spotOf[node] as number) };
  const { x, y, width, height } = layOut(together(edges.before, edges.after, nodes.length), widths);
  return {
    ...{ width, height, edges },
    constants: { before: before.constants, after: after.constants },
    spots: nodes.map((spot, i) => ({
      ...{ x: x[i] as number, y: y[i] as number, width: widths[i] as number },
      before: spot.before && drawn(spot.before),
      after: spot.after && drawn(spot.after),
    })),
  };
}
