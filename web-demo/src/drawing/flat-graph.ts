// A model's nodes with those of inner graphs in one list, and what flows between them: what a drawing needs. Without
// recursion, so that no depth of graphs and no length of chains can be too much.
import type { ModelNode } from 'broadloom';
import { operatorName } from '../models/operator-name.js';

/** Facts about a node that its box shows. */
export interface NodeLook {
  /** Its number in the list of its graph; absent for an input or output of the graph. */
  readonly number?: number;
  /** An end of the graph instead of a node. */
  readonly end?: 'input' | 'output';
  /** The group of its operator, which has a colour. */
  readonly group?: string | undefined;
  readonly isUnsupported?: boolean;
  readonly hasGraphs?: boolean;
  /** The lines below its operator, such as the sizes of its weights. */
  readonly lines?: readonly string[];
}

export interface FlatNode {
  /** The operator, with its domain if it is not ONNX's own. */
  readonly operator: string;
  /** Empty for a node without a name. */
  readonly name: string;
  /** Names of what it makes, without those that are left out. */
  readonly outputs: readonly string[];
  /** The node whose graph this one is in; -1 for one of the model's own graph. */
  readonly parent: number;
  readonly look?: NodeLook;
}

/** A value that flows along an edge. */
export interface Flow {
  readonly name: string;
  /** The text of the edge, such as the sizes of the value. */
  readonly text: string;
}

/** Nodes by their numbers. */
export interface FlatGraph {
  readonly nodes: readonly FlatNode[];
  /** From, to, from, to ...; with `flows`, as many times as values flow. */
  readonly edges: Uint32Array;
  /** The value of each edge, where values are told apart. */
  readonly flows?: readonly Flow[];
  /** Nodes that only hold a constant: they are not in the list. */
  readonly constants: number;
}

/** The values that a graph's nodes make, by name; what is not there may be in the graph around it. */
interface Scope {
  readonly makers: Map<string, number>;
  readonly outer: Scope | undefined;
}

interface OpenGraph {
  readonly nodes: readonly ModelNode[];
  readonly outer: Scope | undefined;
  readonly parent: number;
  /** The inputs of the node that has the graph. */
  readonly sources: readonly number[];
}

/** Whether a node only holds a constant. */
export function isConstant({
  operator,
  inputs,
  graphs,
}: Pick<ModelNode, 'operator' | 'inputs'> & { graphs?: object }): boolean {
  return operator === 'Constant' && inputs.length === 0 && graphs === undefined;
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
export function flatGraph(model: readonly ModelNode[]): FlatGraph {
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
