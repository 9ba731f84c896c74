import type { Memory } from './memory.js';
import { type DataType, dtypeOfId } from './types.js';

/** Element type and sizes of a value, as far as they are known. */
export interface TypeInfo {
  /** The element type; `null` when it is not known. */
  readonly type: DataType | null;
  /**
   * A size is a number, a name or an expression of names (`2*N + 1`; equal ones are equal sizes), or `null` for one that is
   * not known. The whole is `null` when the rank is not known.
   */
  readonly dims: readonly (number | string | null)[] | null;
}

/** What a node makes. */
export interface ModelValue {
  /** Empty for an output that is left out. */
  readonly name: string;
  /** What the model says of it: in its list of values, or of outputs. `null` when it says nothing. */
  readonly declared: TypeInfo | null;
  /**
   * What holds in every run: it follows from the types and sizes that the graph's inputs declare, and from constants and
   * initializers, but not from the default of an input, which a feed may replace. `null` when nothing follows. In a
   * model that cannot run, declared sizes stand for those that do not follow, and where no dims follow, those that are
   * declared are taken for the nodes after it.
   */
  readonly inferred: TypeInfo | null;
}

/** One node of a model's graph. */
export interface ModelNode {
  /** Empty for a node without a name. */
  readonly name: string;
  /** Name of the operator. */
  readonly operator: string;
  /** Domain of the operator; empty for ONNX's own. */
  readonly domain: string;
  /**
   * The version of the operator that the model's opset chooses; `null` when the node itself cannot run. A node that cannot run
   * only because of a node in its graphs has its version.
   */
  readonly version: number | null;
  /** Why the node, or a node in its graphs, cannot run; `null` when it can. */
  readonly unsupported: string | null;
  /** Names of the inputs; empty for one that is left out. */
  readonly inputs: readonly string[];
  /** What the node makes, in the operator's order. */
  readonly outputs: readonly ModelValue[];
  /** The nodes of the graphs that the node has, by the names of the attributes: `then_branch`. Absent when it has none. */
  readonly graphs?: { readonly [attribute: string]: readonly ModelNode[] };
}

type Sizes = (number | string | null)[];

/**
 * Type or 0, rank or -1, sizes: see write_type in bindings/model_exports.cpp. `names` are those of the model's sizes.
 *
 * @internal
 */
export function takeType(memory: Memory, names: readonly string[]): TypeInfo {
  const id = memory.take();
  const rank = memory.take();
  const size = (): Sizes[number] => {
    const value = memory.take();
    if (value >= 0) return value;
    return value === Number.MIN_SAFE_INTEGER ? memory.takeString() : (names[-2 - value] ?? null);
  };
  return { type: id === 0 ? null : dtypeOfId(id).name, dims: rank < 0 ? null : Array.from({ length: rank }, size) };
}

/** How many, then each. @internal */
export function takeList<R>(memory: Memory, take: () => R): R[] {
  return Array.from({ length: memory.take() }, take);
}

/** @internal */
export function readNodes(memory: Memory, handle: number, names: readonly string[]): ModelNode[] {
  memory.check(memory.glue.describeNodes(handle));
  const list = <R>(take: () => R): R[] => takeList(memory, take);
  const string = () => memory.takeString();
  const known = (): TypeInfo | null => {
    const info = takeType(memory, names);
    return (info.type ?? info.dims) ? info : null;
  };
  const node = (): ModelNode => {
    const plain = {
      name: string(),
      operator: string(),
      domain: string(),
      version: memory.take() || null,
      unsupported: string() || null,
      inputs: list(string),
      outputs: list(() => ({ name: string(), declared: known(), inferred: known() })),
    };
    const graphs = list((): [string, ModelNode[]] => [string(), list(node)]);
    return graphs.length === 0 ? plain : { ...plain, graphs: Object.fromEntries(graphs) };
  };
  return list(node);
}
