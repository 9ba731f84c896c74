// A model's nodes and the nodes of its inner graphs in one list, and the values that flow between them. Without recursion, so
// that no depth of graphs and no length of chains can be too much.
import type { ModelNode } from 'broadloom';
import { type FlatGraph, type FlatNode, isConstant } from '../drawing/flat-graph.js';
import { operatorName } from '../models/operator-name.js';

/** The values that a graph's nodes make, by name; what is not there may be in the graph around it. */
interface Scope {
  readonly makers: Map<string, number>;
  readonly outer: Scope | undefined;
}

/** A node of a model: as much as a drawing needs. */
export interface GraphNode extends Pick<ModelNode, 'operator' | 'domain' | 'name' | 'inputs' | 'outputs'> {
  readonly graphs?: { readonly [attribute: string]: readonly GraphNode[] };
}

interface OpenGraph {
  readonly nodes: readonly GraphNode[];
  readonly outer: Scope | undefined;
  readonly parent: number;
  /** The inputs of the node that has the graph. */
  readonly sources: readonly number[];
}

function makerOf(name: string, scope: Scope): number | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const maker = at.makers.get(name);
    if (maker !== undefined) return maker;
  }
  return undefined;
}

/** Numbers that stand for nodes that are not in the list. */
const leftOut = -1;

/** The nodes of all graphs. Results of an inner graph flow to the node that has it, and inputs of that node flow into the graph. */
export function flatGraph(model: readonly GraphNode[]): FlatGraph {
  const nodes: FlatNode[] = [];
  const edges: number[] = [];
  let constants = 0;
  const open: OpenGraph[] = [{ nodes: model, outer: undefined, parent: leftOut, sources: [] }];
  for (let graph = open.pop(); graph !== undefined; graph = open.pop()) {
    const scope: Scope = { makers: new Map(), outer: graph.outer };
    const numbers = graph.nodes.map((node) => {
      const names = node.outputs.map(({ name }) => name).filter((name) => name !== '');
      const number = isConstant(node) ? leftOut : nodes.length;
      for (const name of names) scope.makers.set(name, number);
      if (number === leftOut) constants++;
      else nodes.push({ operator: operatorName(node), name: node.name, outputs: names, parent: graph.parent });
      return number;
    });
    const isRead = new Set<number>();
    for (const [i, node] of graph.nodes.entries()) {
      const to = numbers[i] as number;
      if (to === leftOut) continue;
      const makers = node.inputs.map((name) => (name === '' ? undefined : makerOf(name, scope)));
      const known = makers.filter((maker) => maker !== undefined && maker !== leftOut) as number[];
      const sources = [...new Set(known.length > 0 ? known : graph.sources)];
      for (const from of sources) {
        edges.push(from, to);
        isRead.add(from);
      }
      for (const inner of Object.values(node.graphs ?? {})) {
        open.push({ nodes: inner, outer: scope, parent: to, sources });
      }
    }
    if (graph.parent === leftOut) continue;
    for (const number of numbers) {
      if (number !== leftOut && !isRead.has(number)) edges.push(number, graph.parent);
    }
  }
  return { nodes, edges: Uint32Array.from(edges), constants };
}
