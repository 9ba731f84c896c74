// Nodes in one list, and what flows between them: what a drawing needs.
import type { ModelNode } from 'broadloom';

/** Facts about a node that its box shows. */
export interface NodeLook {
  /** The number of the node in the list of its graph; absent for an input or output of the graph. */
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
  /** The numbers of nodes: from, to, from, to ... With `flows`, a pair for each value that flows. */
  readonly edges: Uint32Array;
  /** The value of each edge, where values are told apart. */
  readonly flows?: readonly Flow[];
  /** Nodes that only hold a constant: they are not in the list. */
  readonly constants: number;
}

/** Whether a node only holds a constant. */
export function isConstant({
  operator,
  inputs,
  graphs,
}: Pick<ModelNode, 'operator' | 'inputs'> & { graphs?: object }): boolean {
  return operator === 'Constant' && inputs.length === 0 && graphs === undefined;
}
