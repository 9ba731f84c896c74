// The nodes of a graph and of the graphs within its nodes.
import type { ModelNode } from 'broadloom';

/** A node as far as lists and filters know it. */
export interface GraphNode extends Omit<ModelNode, 'attributes' | 'graphs'> {
  readonly graphs?: { readonly [attribute: string]: readonly GraphNode[] };
}

/** A graph is known by its list of nodes, which stays the same while its model is open. */
export type Nodes<Node extends GraphNode = GraphNode> = readonly Node[];

/** Where a node is: its number in the graph, or `3.0.5`: number 5 in the first graph of number 3. */
export type NodePath = string;

export interface PlacedNode<Node extends GraphNode = GraphNode> {
  readonly node: Node;
  readonly path: NodePath;
}

/** How many there are, with those in inner graphs. */
export interface Tally {
  readonly nodes: number;
  readonly unsupported: number;
  /** The graph itself is one. */
  readonly graphs: number;
}

/** The graphs of a node, by the names of the attributes. */
export function graphsOf({ graphs }: GraphNode): readonly [attribute: string, nodes: Nodes][] {
  return graphs === undefined ? [] : Object.entries(graphs);
}

const lists = new WeakMap<Nodes, readonly PlacedNode[]>();

function collect(nodes: Nodes, before: string, list: PlacedNode[]): void {
  for (const [i, node] of nodes.entries()) {
    const path = `${before}${i}`;
    list.push({ node, path });
    for (const [number, [, inner]] of graphsOf(node).entries()) collect(inner, `${path}.${number}.`, list);
  }
}

/** All nodes. Those in inner graphs follow the node that they belong to. */
export function everyNode<Node extends GraphNode>(nodes: Nodes<Node>): readonly PlacedNode<Node>[] {
  let list = lists.get(nodes);
  if (list === undefined) {
    const made: PlacedNode[] = [];
    collect(nodes, '', made);
    lists.set(nodes, made);
    list = made;
  }
  return list as readonly PlacedNode<Node>[]; // graphs of a node have nodes of its kind
}

const tallies = new WeakMap<Nodes, Tally>();

export function tallyOf(nodes: Nodes): Tally {
  let tally = tallies.get(nodes);
  if (tally === undefined) {
    const own = { nodes: nodes.length, unsupported: nodes.filter(({ unsupported }) => unsupported !== null).length };
    const inner = nodes.flatMap(graphsOf).map(([, graph]) => tallyOf(graph));
    const sum = (of: (one: Tally) => number, start: number): number => inner.reduce((all, one) => all + of(one), start);
    tally = {
      nodes: sum((one) => one.nodes, own.nodes),
      unsupported: sum((one) => one.unsupported, own.unsupported),
      graphs: sum((one) => one.graphs, 1),
    };
    tallies.set(nodes, tally);
  }
  return tally;
}

/** A step of the way to a node. */
export interface PathStep {
  readonly graph: Nodes;
  /** The number of the node, or of the one that the next graph belongs to. */
  readonly index: number;
  /** The attribute that has the next graph; undefined for the node itself. */
  readonly attribute: string | undefined;
}

/** The way to a node, from the outermost graph on; as far as there is one. */
export function stepsTo(nodes: Nodes, path: NodePath): readonly PathStep[] {
  const numbers = path.split('.').map(Number);
  const steps: PathStep[] = [];
  let graph: Nodes | undefined = nodes;
  for (let i = 0; i < numbers.length && graph !== undefined; i += 2) {
    const index = numbers[i] as number;
    const node: GraphNode | undefined = graph[index];
    const inner: readonly [string, Nodes] | undefined = node && graphsOf(node)[numbers[i + 1] ?? -1];
    steps.push({ graph, index, attribute: inner?.[0] });
    graph = inner?.[1];
  }
  return steps;
}

/** The part of a node's path that leads to its graph: nothing, or `3.0.`. */
export function graphPath(path: NodePath): string {
  return path.slice(0, path.lastIndexOf('.') + 1);
}

/** The node that has the graph at a place such as `3.0.`, and which of its graphs that is. */
export function holderOf(place: string): { readonly path: NodePath; readonly graph: number } {
  const [path = '', graph] = /^(.*)\.(\d+)\.$/.exec(place)?.slice(1) ?? [];
  return { path, graph: Number(graph) };
}

/** The graph at such a path; undefined where there is none. */
export function graphAt<Node extends GraphNode>(nodes: Nodes<Node>, place: string): Nodes<Node> | undefined {
  const depth = (place.split('.').length - 1) / 2;
  return stepsTo(nodes, `${place}0`)[depth]?.graph as Nodes<Node> | undefined;
}

/** The node at a path. */
export function nodeAt<Node extends GraphNode>(nodes: Nodes<Node>, path: NodePath): Node | undefined {
  return graphAt(nodes, graphPath(path))?.[Number(path.slice(path.lastIndexOf('.') + 1))];
}
