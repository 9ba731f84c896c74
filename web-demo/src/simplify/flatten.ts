// A model's nodes and the nodes of its inner graphs in one list, and the values that flow between them. Without recursion, so
// that no depth of graphs and no length of chains can be too much.
import type { ModelNode, ModelValue } from 'broadloom';
import { type FlatGraph, type FlatNode, type Flow, isConstant } from '../drawing/flat-graph.js';
import { sizesText } from '../models/model-graph.js';
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

function shapeOf({ declared, inferred }: ModelValue): string {
  return sizesText(inferred ?? declared ?? { type: null, dims: null });
}

/** Numbers that stand for nodes that are not in the list. */
const leftOut = -1;

/** The nodes of all graphs. Results of an inner graph flow to the node that has it, and inputs of that node flow into the graph. */
export function flatGraph(model: readonly GraphNode[]): FlatGraph {
  const nodes: FlatNode[] = [];
  const edges: number[] = [];
  const flows: Flow[] = [];
  const connect = (from: number, to: number, flow: Flow): void => {
    edges.push(from, to);
    flows.push(flow);
  };
  /** The shape of a value, as the node tells it that makes it. */
  const texts = new Map<number, ReadonlyMap<string, string>>();
  let constants = 0;
  const open: OpenGraph[] = [{ nodes: model, outer: undefined, parent: leftOut, sources: [] }];
  for (let graph = open.pop(); graph !== undefined; graph = open.pop()) {
    const scope: Scope = { makers: new Map(), outer: graph.outer };
    const numbers = graph.nodes.map((node) => {
      const names = node.outputs.map(({ name }) => name).filter((name) => name !== '');
      const number = isConstant(node) ? leftOut : nodes.length;
      for (const name of names) scope.makers.set(name, number);
      if (number === leftOut) constants++;
      else {
        nodes.push({ operator: operatorName(node), name: node.name, outputs: names, parent: graph.parent });
        texts.set(number, new Map(node.outputs.map((value) => [value.name, shapeOf(value)])));
      }
      return number;
    });
    const isRead = new Set<number>();
    for (const [i, node] of graph.nodes.entries()) {
      const to = numbers[i] as number;
      if (to === leftOut) continue;
      const read = node.inputs.flatMap((name) => {
        const from = name === '' ? undefined : makerOf(name, scope);
        return from === undefined || from === leftOut ? [] : [{ from, name }];
      });
      const sources = [...new Set(read.length > 0 ? read.map(({ from }) => from) : graph.sources)];
      for (const from of sources) {
        const values = new Set(read.filter((one) => one.from === from).map(({ name }) => name));
        for (const name of values) connect(from, to, { name, text: texts.get(from)?.get(name) ?? '' });
        if (values.size === 0) connect(from, to, { name: '', text: '' });
        isRead.add(from);
      }
      for (const inner of Object.values(node.graphs ?? {})) {
        open.push({ nodes: inner, outer: scope, parent: to, sources });
      }
    }
    if (graph.parent === leftOut) continue;
    for (const number of numbers) {
      if (number !== leftOut && !isRead.has(number)) connect(number, graph.parent, { name: '', text: '' });
    }
  }
  return { nodes, edges: Uint32Array.from(edges), flows, constants };
}
