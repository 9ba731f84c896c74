import { Context } from './context.js';
import { freeAll, type Given, handleOf, type Literal, makeAll, noTensor, readTensor } from './elements.js';
import { invalidArgument, notItself, OnnxError } from './error.js';
import { type ExternalFiles, giveExternal } from './external.js';
import type { Memory } from './memory.js';
import { type ModelNode, nameSizes, readNodes } from './model-nodes.js';
import { isPlainObject } from './plain.js';
import { addDisposeSymbol, nameObjects } from './prototypes.js';
import { show } from './show.js';
import { takesAtMost } from './superfluous.js';
import type { AnyTensor } from './tensor.js';
import type { DataType, TensorLike } from './types.js';

/** An input or output that a model declares. */
export interface ValueInfo {
  /** The name by which it is fed or returned. */
  readonly name: string;
  /** The element type. `null` only in a model that cannot run: for a value that is not a tensor, or declares no type. */
  readonly type: DataType | null;
  /**
   * The declared sizes: a number, a name (equal names are equal sizes), or `null` for one that is not known. A number above
   * 2^53 - 1 is a string of its digits. The whole is `null` when the model declares no rank.
   */
  readonly dims: readonly (number | string | null)[] | null;
}

/** Options of {@link Runtime.loadModel}. */
export interface ModelOptions {
  /**
   * Whether a model may hold what Broadloom cannot run: operators and domains that it does not have, element types that an
   * operator's version does not take, initializers in other files, and, between nodes, values that are not tensors. Such a
   * model tells what it is made of (see {@link Model.nodes}), but does not run. Default: false.
   */
  allowUnsupported?: boolean | undefined;
  /**
   * Gives the files in which initializers have their elements: called with each location that the model names, once, and
   * returns the content of the file, or undefined when there is none. Locations are relative to the model's folder and never
   * lead out of it. Without it, a model with such initializers is refused, or with `allowUnsupported` does not run.
   */
  external?: ExternalFiles | undefined;
  /**
   * Whether runs may do more than compute node by node, such as fusing elementwise nodes and computing a node once that is
   * there twice. Results have the same bits either way. `false` helps to find the node that a problem comes from. Default: true.
   */
  optimize?: boolean | undefined;
}

/** The share that one node has in a run. See {@link Model.profile}. */
export interface NodeProfile {
  /** The node's name, or its number in its graph (`#7`) when it has none, as in {@link OnnxError.node}. */
  readonly node: string;
  /** Name of the operator. */
  readonly operator: string;
  /**
   * The time that the node took, in all calls, without that of nodes in its graphs. A fused node takes none: it is part of
   * the time of the node that `fusedInto` names.
   */
  readonly microseconds: number;
  /** The bytes of memory that the outputs took, in all calls. A view of an input takes none. */
  readonly bytes: number;
  /**
   * How often the node ran: 0 for a constant, in a branch that was not taken, and for a node that runs need not compute (an
   * Identity, a node that is there twice, an If that the model itself decides); the number of iterations in the body of a Loop.
   */
  readonly calls: number;
  /** The node that computes this one, too: the last of a chain of elementwise nodes. Absent where a node stands alone. */
  readonly fusedInto?: string;
}

/** A model that was read (readModelFile in bindings/model_exports.cpp). */
interface Description extends Pick<Model, 'opset' | 'warnings' | 'inputs' | 'outputs'> {
  readonly handle: number;
  readonly names: readonly string[];
}

/** Makes the model that a call results in. @internal */
export let newModel: (context: Context, registry: FinalizationRegistry<{ handle: number }>) => Model;

/** Reads what a model has in other files; disposes of the model when that fails. @internal */
export function readExternal(model: Model, memory: Memory, external: ExternalFiles): void {
  try {
    giveExternal(memory, handleOfModel(model), external);
  } catch (error) {
    model.dispose();
    throw error;
  }
}

/** Where a model has its handle, 0 after dispose. */
let cellOf: (model: Model) => { handle: number };

function handleOfModel(model: Model): number {
  const { handle } = cellOf(model);
  if (handle === 0) throw new OnnxError('DISPOSED', 'this model was disposed of');
  return handle;
}

/**
 * A graph that was read from an .onnx file and checked. Made by {@link Runtime.loadModel}; free it with `dispose()` or
 * `using`.
 *
 * @group Classes
 */
export class Model {
  /** The opset of ONNX's own operators, which chooses their versions; `null` when the model imports none. */
  readonly opset: number | null;
  /**
   * The inputs that must be fed. Inputs with an initializer of the same name have a default and are not listed; they may
   * be fed, too.
   */
  readonly inputs: readonly ValueInfo[];
  /** The outputs, in the file's order. */
  readonly outputs: readonly ValueInfo[];
  /**
   * Faults that were accepted though the ONNX text forbids them, and declared dims that contradict those of the graph;
   * after a hundred, one that says that there are more.
   */
  readonly warnings: readonly string[];
  /** The same as `dispose()`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;
  readonly #context: Context;
  readonly #cell: { handle: number }; // 0 after dispose
  #nodes: readonly ModelNode[] | undefined;

  private constructor(context: Context, registry: FinalizationRegistry<{ handle: number }>) {
    if (!(context instanceof Context)) throw invalidArgument('a model is made by a runtime: ops.loadModel(bytes)');
    const { memory } = context;
    this.#context = context;
    const { handle, opset, warnings, names, inputs, outputs } = memory.takeJson<Description>();
    this.#cell = { handle };
    this.opset = opset;
    this.warnings = Object.freeze(warnings);
    for (const value of [...inputs, ...outputs]) {
      nameSizes(value, names);
      Object.freeze(value);
    }
    this.inputs = Object.freeze(inputs);
    this.outputs = Object.freeze(outputs);
    registry.register(this, this.#cell);
    Object.freeze(this);
  }

  static {
    newModel = (context, registry) => new this(context, registry);
    cellOf = (model) => {
      if (typeof model === 'object' && model !== null && #cell in model) return model.#cell;
      throw notItself('model', model);
    };
  }

  /**
   * All nodes in the file's order, with what is declared and what can be inferred of the values that they make. The list
   * is made when it is first asked for.
   *
   * @throws {@link OnnxError} `OUT_OF_MEMORY`, `DISPOSED`
   */
  get nodes(): readonly ModelNode[] {
    cellOf(this);
    this.#nodes ??= readNodes(this.#context.memory, handleOfModel(this));
    return this.#nodes;
  }

  /**
   * Runs the graph. Synchronous.
   *
   * @param feeds - a tensor for every input, by name, of the declared type and sizes
   * @returns the outputs by name, all of them the caller's to dispose of
   * @throws {@link OnnxError} `INVALID_ARGUMENT` for a feed that is missing or unknown, and for a feed or default of another
   * type or shape than declared; `DISPOSED`; and whatever an operator has to object to; then `node` tells where. A model with
   * nodes that cannot run throws the error of the first of them.
   *
   * @example
   * ```ts
   * const { output } = model.run({ input: x, shape: ops.tensor('int64', [3, 4], [2]) }); // float32 [3, 4]
   * ```
   */
  run(feeds: { readonly [name: string]: TensorLike } = {}): { [name: string]: AnyTensor } {
    takesAtMost(1, arguments.length, 'run');
    cellOf(this);
    return this.#withFeeds(feeds, (memory, model) => {
      memory.check(memory.glue.runModel(model));
      const tensors = this.#context.takeTensors();
      return Object.fromEntries(this.outputs.map(({ name }, i) => [name, tensors[i] as AnyTensor]));
    });
  }

  /**
   * Runs the graph twice, and says where the time of the second run went. Work that only a first run does is not counted.
   *
   * Times come from the host's clock, which browsers round: to 5 microseconds on pages that are isolated from other origins,
   * to 100 on others.
   *
   * @param feeds - as in {@link Model.run}
   * @returns a row for each node in the order of {@link Model.nodes}, nodes of a node's graphs behind it
   * @throws {@link OnnxError} as {@link Model.run} does
   *
   * @example
   * ```ts
   * const rows = model.profile({ input: x, shape: ops.tensor('int64', [3, 4], [2]) });
   * const slowest = rows.toSorted((a, b) => b.microseconds - a.microseconds)[0];
   * ```
   */
  profile(feeds: { readonly [name: string]: TensorLike } = {}): NodeProfile[] {
    takesAtMost(1, arguments.length, 'profile');
    cellOf(this);
    return this.#withFeeds(feeds, (memory, model) => {
      memory.check(memory.glue.profileModel(model));
      return memory.takeJson();
    });
  }

  /** Writes the feeds, and calls `use` with the model's handle. */
  #withFeeds<R>(feeds: { readonly [name: string]: TensorLike }, use: (memory: Memory, model: number) => R): R {
    handleOfModel(this);
    const context = this.#context;
    const { memory } = context;
    if (!isPlainObject(feeds)) throw invalidArgument(`feeds are ${show(feeds)}, wanted an object of tensors by name`);
    const literals: Literal[] = [];
    // Reading runs code of the user's, writing does not: see callOperator.
    const given = Object.keys(feeds).map((name): [string, Given] => {
      const value: unknown = feeds[name];
      const tensor = readTensor(context, value, literals);
      if (tensor === undefined) throw noTensor(`input '${name}' is `, value);
      return [name, tensor];
    });
    const model = handleOfModel(this);
    try {
      makeAll(context, literals);
      memory.begin();
      memory.number(given.length);
      for (const [name, tensor] of given) {
        memory.string(name);
        memory.number(handleOf(tensor));
      }
      return use(memory, model);
    } finally {
      freeAll(context, literals);
    }
  }

  /** Frees the model. Tensors that it returned live on. A second call does nothing. */
  dispose(): void {
    takesAtMost(0, arguments.length, 'dispose');
    const cell = cellOf(this);
    if (cell.handle !== 0) this.#context.memory.glue.disposeModel(cell.handle);
    cell.handle = 0;
  }
}

addDisposeSymbol(Model.prototype);
nameObjects(Model.prototype, 'Model');
