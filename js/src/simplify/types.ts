import type { FeedLike } from '../model/feeds.js';
import type { FileParts } from '../model/file-parts.js';
import type { ValueInfo } from '../model/value-info.js';

/** Options of {@link Runtime.simplify}. */
export interface SimplifyOptions {
  /** Fixes sizes by the names that inputs give them: `{ batch: 1 }`. */
  dims?: { readonly [name: string]: number } | undefined;
  /**
   * Sizes of inputs: a number fixes one, any string but a number names one (names that are equal here are equal sizes), and `null`
   * leaves what is declared. A number fixes its axis alone. `dims` fixes all sizes of a name, and so does a number here with
   * `trustNames`.
   */
  shapes?: { readonly [input: string]: readonly (number | string | null)[] } | undefined;
  /** Inputs that become constants: tensors, or values that get the declared type. */
  values?: { readonly [input: string]: FeedLike } | undefined;
  /** The outputs to keep, at least one, with what they need. Default: all. */
  outputs?: readonly string[] | undefined;
  /**
   * Bytes by which constants, functions and loops may make the file grow, or that part of the file's bytes: `'10%'`. Default:
   * a quarter of the file, and at least 64 KiB. A constant that lets nothing more be computed, such as a large fill that only
   * a Concat reads, may then take a few kB.
   */
  maxGrowth?: number | `${number}%` | undefined;
  /** Writes out each Loop whose trip count is known and at most this. Default: 0, none. */
  unroll?: number | undefined;
  /**
   * Also fuses nodes where that changes the last bits of results. BatchNormalization, and Mul and Add of constants, are folded
   * into the weights of the Conv or ConvTranspose before them; Mul and Pad are folded into the Conv after them. MatMul, Add and
   * Transpose become one Gemm, and Softmax and Log one LogSoftmax. Sums with 0 and Nots before Where are dropped. Where Log of
   * Softmax is -Infinity, LogSoftmax has the number. Default: false.
   */
  fuseInexact?: boolean | undefined;
  /**
   * Whether sizes to which the file gives one name are equal. Exporters also give one name to sizes that differ, such as `batch` or
   * `N`: without this option, equal names decide nothing, and the result equals the file for all inputs that the file runs with.
   * With it, a model may lose more nodes, and the sizes of its inputs must be as its names promise. Default: false.
   */
  trustNames?: boolean | undefined;
  /** Names of passes that do nothing. Default: none. */
  skip?: readonly PassName[] | undefined;
  /** Writes type and shape of every value that is known (`value_info`). Default: false. */
  valueInfo?: boolean | undefined;
  /**
   * Gives the files in which initializers have their elements. Only what constants are computed of is read, and references stay
   * as they are. Without it nothing is computed of them, and a warning names each file.
   */
  external?: ((location: string) => ExternalBytes) | undefined;
  /**
   * Runs both models with these inputs, where both can run here, and compares every bit of what they give. With `fuseInexact`,
   * a float32 or float64 may differ by 1e-5 + 1e-4 * |before|, and a float16 or bfloat16 by a few units of its last digit.
   */
  verify?:
    | {
        /** The feed of each input of the model that gets no value, by name. */
        readonly feeds: { readonly [input: string]: FeedLike };
      }
    | undefined;
}

/**
 * A file beside a model: its content, or what reads parts of it; for a model in a `Blob` also a `Blob`, or promises of files and of
 * parts. Only the parts that are needed are read.
 */
export type ExternalBytes =
  | Uint8Array
  | Blob
  | FileParts<Uint8Array | PromiseLike<Uint8Array>>
  | undefined
  | Promise<Uint8Array | Blob | FileParts<Uint8Array | PromiseLike<Uint8Array>> | undefined>;

/** Counts and sizes of a model file. */
export interface ModelSummary {
  /** Nodes, with those of graphs in nodes, and of functions. */
  readonly nodes: number;
  /** How many nodes there are of each operator; `domain.Name` for operators of other domains than ONNX's own. */
  readonly operators: { readonly [operator: string]: number };
  /** Size of the file. */
  readonly bytes: number;
}

/**
 * The name of a pass, such as `merge_transposes`: `skip` takes it, and `report.passes` gives it. The guide on simplifying lists
 * all.
 */
export type PassName = string;

/**
 * Kinds of changes. `fold`: nodes computed; `shape`: operands that became constants, since all that matters of them is known;
 * `no-op`: nodes that gave what they got; `merge`: nodes joined with the one before; `repeated`: nodes and constants that were
 * there already; `if`: Ifs decided; `unroll`: Loops written out; `inline`: calls of functions; `dead`: nodes that nobody reads;
 * `constant`: Constant nodes that became initializers; `unused`: initializers that nobody reads; `fuse`: what `fuseInexact`
 * allows.
 */
export type PassKind =
  | 'fold'
  | 'shape'
  | 'no-op'
  | 'merge'
  | 'repeated'
  | 'if'
  | 'unroll'
  | 'inline'
  | 'dead'
  | 'constant'
  | 'unused'
  | 'fuse';

/** How often something was done. */
export interface SimplifyPass {
  /** The name of the pass. */
  readonly name: PassName;
  /** The kind of change. */
  readonly kind: PassKind;
  /** To how many nodes, operands or initializers. */
  readonly count: number;
}

/**
 * The option that settles something, with `null` where a number or a tensor is to be filled in: `{ dims: { batch: null } }`. Filled
 * in, it is an option of {@link Runtime.simplify}.
 */
export interface SimplifyFix {
  /** A size by its name. */
  readonly dims?: { readonly [name: string]: null };
  /** The sizes of an input, as far as they are known: `null` for each that has no name. All is `null` where the rank is not known. */
  readonly shapes?: { readonly [input: string]: readonly (number | string | null)[] | null };
  /** The content of an input. */
  readonly values?: { readonly [input: string]: null };
}

/** Why sizes stayed open. */
export interface DynamicSize {
  /** An input whose size, rank or content is open, or an operator that tells a size only when it runs. */
  readonly from: 'input' | 'operator';
  /** Name of the input, or of what the operator makes. */
  readonly value: string;
  /** The operator; `null` for an input. */
  readonly operator: string | null;
  /** The operator's node: its name, or its number in the list of nodes. */
  readonly node: string | null;
  /** The axis; `null` where not even the rank is known, and for an input whose content says the size. */
  readonly axis: number | null;
  /** The name of the size; `null` when it has none. */
  readonly name: string | null;
  /** How many nodes have outputs whose sizes hang on it. */
  readonly nodes: number;
  /** How many of these compute nothing but shapes, and would go. */
  readonly shapeNodes: number;
  /** The option that would fix it: `{ dims: { batch: null } }`; `null` when none does. */
  readonly fix: SimplifyFix | null;
}

/** A node with graphs that was left. */
export interface KeptGraph {
  /** `If`, `Loop` or `Scan`. */
  readonly operator: string;
  /** The node's name, or its number in the list of nodes. */
  readonly node: string;
  /** The values that its condition or trip count depends on. */
  readonly reason: string;
  /** The axis of an input whose size decides it; `null` when none does. */
  readonly axis: number | null;
  /** The option that would fix its condition or trip count; `null` when none does. */
  readonly fix: SimplifyFix | null;
}

/** What {@link Runtime.simplify} did. */
export interface SimplifyReport {
  /** The model that was given. */
  readonly before: ModelSummary;
  /** The result. */
  readonly after: ModelSummary;
  /** The passes that changed something. */
  readonly passes: readonly SimplifyPass[];
  /** The sizes that are still unknown, with the inputs that they depend on and the option that fixes each. */
  readonly dynamic: readonly DynamicSize[];
  /** The Ifs, Loops and Scans that are left. */
  readonly kept: readonly KeptGraph[];
  /**
   * Parts of the file that were accepted though ONNX forbids them, work that a limit left undone, and files beside the model that
   * were not given.
   */
  readonly warnings: readonly string[];
  /** The files beside the model that the result takes initializers from: it must stay beside them. */
  readonly files: readonly string[];
  /** The inputs of the result that must be fed. */
  readonly inputs: readonly ValueInfo[];
  /** The outputs of the result. */
  readonly outputs: readonly ValueInfo[];
  /** What `verify` found. */
  readonly verified?: Verified;
}

/** What `verify` found: whether both models could run here, and whether what they give is equal. */
export interface Verified {
  /** Whether both models ran as a whole. */
  readonly ran: boolean;
  /** Whether all that was compared is equal; `null` when nothing was compared. */
  readonly equal: boolean | null;
  /** The first difference, or why the models did not run as a whole; `null` when they did, and all is equal. */
  readonly reason: string | null;
  /**
   * Where a node does not run here: the names of the values that were compared. Both models compute them without such nodes.
   * Absent where all outputs were compared.
   */
  readonly compared?: readonly string[];
}

/** The result for a file in memory. */
export interface SimplifiedBytes {
  /** The new file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The changes that were made, and what is left. */
  readonly report: SimplifyReport;
}

/** The result for a file in a Blob. Parts that did not change still refer to that file. */
export interface SimplifiedBlob {
  /** The new file. */
  readonly blob: Blob;
  /** The changes that were made, and what is left. */
  readonly report: SimplifyReport;
}
