import type { DataType } from '../tensor/types.js';
import {
  type AttributeMark,
  attributesOf,
  type DescribedAttribute,
  type NodeAttribute,
  type Source,
} from './attributes.js';

/** Element type and sizes of a value, as far as they are known. */
export interface TypeInfo {
  /** The element type; `null` when it is not known. */
  readonly type: DataType | null;
  /**
   * A size is a number, a name or an expression of names (`2*N + 1`; equal ones are equal sizes), or `null` for one that is
   * not known. A number above 2^53 - 1 is a string of its digits. The whole is `null` when the rank is not known.
   */
  readonly dims: readonly (number | string | null)[] | null;
}

/** An output of a node. */
export interface ModelValue {
  /** Empty for an output that is left out. */
  readonly name: string;
  /** The type and sizes that the model declares, in its list of values or of outputs. `null` when it declares nothing. */
  readonly declared: TypeInfo | null;
  /**
   * The type and sizes that hold in every run. They follow from the types and sizes that the graph's inputs declare, and from constants and
   * initializers, but not from the default of an input, which a feed may replace. `null` when nothing follows. In a model that
   * cannot run, declared sizes replace the sizes that do not follow. Where no dims follow, the nodes after it use the declared
   * dims.
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
  /** The outputs, in the operator's order. */
  readonly outputs: readonly ModelValue[];
  /**
   * The attributes that the file gives, by ONNX's names: those that a node leaves out are not here. Long lists and large tensors
   * are read when they are asked for, as long as the model lives.
   */
  readonly attributes: { readonly [name: string]: NodeAttribute };
  /** The file's words about the node. Absent when there are none. */
  readonly docString?: string;
  /** The nodes of the graphs that the node has, by the names of the attributes: `then_branch`. Absent when it has none. */
  readonly graphs?: { readonly [attribute: string]: readonly ModelNode[] };
}

/** A description of types as bindings/models.h writes it: a size that has a name is a list with the name's place in `names`. */
interface Described {
  readonly dims: (number | string | null | [number])[] | null;
}

/** Gives sizes their names. @internal */
export function nameSizes(info: TypeInfo | null, names: readonly string[]): void {
  const dims = (info as Described | null)?.dims ?? [];
  for (const [axis, size] of dims.entries()) {
    if (typeof size === 'object' && size !== null) dims[axis] = names[size[0]] as string;
  }
}

function complete(nodes: readonly ModelNode[], names: readonly string[], source: Source): void {
  for (const node of nodes) {
    const { outputs, graphs } = node;
    const attributes = attributesOf(source, node.attributes as unknown as DescribedAttribute[]);
    (node as { attributes: unknown }).attributes = attributes;
    for (const { declared, inferred } of outputs) {
      nameSizes(declared, names);
      nameSizes(inferred, names);
    }
    for (const [name, inner] of Object.entries(graphs ?? {})) {
      const { inputs, outputs: results } = attributes[name] as Required<AttributeMark>;
      for (const value of [...inputs, ...results]) nameSizes(value, names);
      complete(inner, names, source);
    }
  }
}

/** @internal */
export function readNodes(source: Source, handle: number): ModelNode[] {
  const { memory } = source.context;
  memory.check(memory.glue.describeNodes(handle));
  const { names, nodes } = memory.takeJson<{ names: string[]; nodes: ModelNode[] }>();
  complete(nodes, names, source);
  return nodes;
}
