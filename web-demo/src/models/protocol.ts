// The messages between the page "Models" and its worker: plain data, whose size follows the graph's, not the weights'.
import type {
  MemoryUse,
  Model,
  ModelInitializer,
  ModelNode,
  NodeProfile,
  OperatorVersion,
  TensorMessage,
} from 'broadloom';
import type { MissingFile } from '../../../shared/missing-files.js';
import type { ModelDiff } from '../../../shared/model-diff/models.js';
import type { Change } from '../../../shared/model-diff/weights.js';
import type { TensorReport, Times } from '../runtime/protocol.js';
import type { NodePath } from './graphs.js';

/** The value of an attribute, as far as it is shown at once. */
export interface AttributeLook {
  readonly name: string;
  /** The value, or what is said of one that is too long. */
  readonly text: string;
  /** Whether the elements can be looked into: the value is a tensor, or a long list. */
  readonly hasElements: boolean;
}

/** The inputs and outputs of a graph. */
export type Ends = Pick<Model, 'inputs' | 'outputs'>;

/** A node of the model. */
export interface ReportNode extends Omit<ModelNode, 'attributes' | 'graphs'> {
  readonly attributes: readonly AttributeLook[];
  readonly graphs?: { readonly [attribute: string]: readonly ReportNode[] };
  /** The inputs and outputs of the node's graphs, by attribute. */
  readonly ends?: { readonly [attribute: string]: Ends };
}

/** An initializer without its elements. */
export type InitializerLook = Omit<ModelInitializer, 'read'>;

/** The rows of the operators' versions that the nodes have, by `Conv-22`. */
export interface Versions {
  readonly [version: string]: Pick<OperatorVersion, 'inputs' | 'outputs' | 'attributes'>;
}

/** A model that was read. */
export interface ModelReport {
  readonly ok: true;
  readonly opset: Model['opset'];
  readonly inputs: Model['inputs'];
  readonly outputs: Model['outputs'];
  readonly warnings: Model['warnings'];
  readonly metadata: Model['metadata'];
  readonly nodes: readonly ReportNode[];
  readonly initializers: readonly InitializerLook[];
  readonly versions: Versions;
  /** Bytes of the file, with those beside it that it needs. */
  readonly size: number;
  /** The files that it needs and that are not there. */
  readonly missing: readonly MissingFile[];
}

/** A tensor for the worker that the viewer asks; `message` is absent for one that is too large to be written out. */
export interface Sent {
  readonly report: TensorReport;
  readonly message: TensorMessage | undefined;
}

/** Times of a model: `callTime` is the median of its runs. */
export interface Repeated extends Times {
  /** 0 for short runs: these are many, and `callTime` is their mean. */
  readonly runs: number;
  /** Microseconds of the first run. */
  readonly firstTime: number;
}

/** Values of a run. */
export interface RunAnswer extends Repeated {
  readonly ok: true;
  readonly outputs: readonly Sent[];
}

/** The elements of an initializer, or of an attribute. */
export interface ReadAnswer extends Sent {
  readonly ok: true;
}

/** Another model beside the one that is open. */
export interface CompareAnswer {
  readonly ok: true;
  readonly other: ModelReport;
  readonly diff: ModelDiff;
  /** The paths of the nodes that are the same one in both models. */
  readonly pairs: readonly Change<NodePath>[];
  /** The paths of the nodes of `diff.nodes`, in its order. */
  readonly onlyA: readonly NodePath[];
  readonly onlyB: readonly NodePath[];
  readonly changed: readonly Change<NodePath>[];
}

/** Time and memory of the nodes in a run, in the order of `everyNode`. */
export interface ProfileAnswer {
  readonly ok: true;
  readonly nodes: readonly NodeProfile[];
  /** Runs whose times were averaged. */
  readonly runs: number;
  readonly memory: MemoryUse;
  /** The dims that values of the model's own graph had, where the file does not tell them. */
  readonly dims: { readonly [value: string]: readonly number[] };
}

/** The outputs of a run, as the page has them. */
export interface RunReport extends Repeated {
  readonly ok: true;
  readonly outputs: readonly TensorReport[];
}
