import { didYouMean } from '../../../shared/names.js';
import { invalidArgument, notItself, OnnxError } from '../basics/error.js';
import { addDisposeSymbol, nameObjects } from '../basics/prototypes.js';
import { takesAtMost } from '../basics/superfluous.js';
import { modelText, textOf } from '../basics/told.js';
import { Context } from '../calls/context.js';
import type { Memory } from '../calls/memory.js';
import type { AnyTensor } from '../tensor/tensor.js';
import type { Source } from './attributes.js';
import {
  type BindOptions,
  type BoundInputs,
  type BoundModel,
  newBoundModel,
  readStates,
  type States,
} from './bound-model.js';
import { type ModelContents, type ModelInitializer, type ModelMetadata, readContents } from './contents.js';
import { type ExternalFiles, giveExternal } from './external.js';
import { type FeedLike, withFeeds } from './feeds.js';
import { type ModelNode, nameSizes, readNodes } from './nodes.js';
import { type RunOptions, readOutputs } from './options.js';
import { observed } from './run-events.js';
import type { ValueInfo } from './value-info.js';

/** The share that one node has in a run. See {@link Model.profile}. */
export interface NodeProfile {
  /** The node's name, or its number in its graph (`#7`) when it has none, as in {@link OnnxError.node}. */
  readonly node: string;
  /** Name of the operator. */
  readonly operator: string;
  /**
   * The time that the node took in all calls, without the time of nodes in its graphs. A fused node takes none: it is part of the
   * time of the node that `fusedInto` names.
   */
  readonly microseconds: number;
  /** The bytes of memory that the outputs took, in all calls. A view of an input takes none. */
  readonly bytes: number;
  /**
   * How often the node ran. It is 0 for a constant, in a branch that was not taken, and for a node that runs need not compute (an
   * Identity, a duplicate of another node, an If that the model itself decides). In the body of a Loop, it is the number of
   * iterations.
   */
  readonly calls: number;
  /** The node that computes this one, too: the last of a chain of elementwise nodes. Absent where a node stands alone. */
  readonly fusedInto?: string;
}

/** A model that was read (readModelFile in bindings/model_exports.cpp). */
interface Description extends Pick<Model, 'opset' | 'warnings' | 'inputs' | 'outputs'> {
  readonly handle: number;
  readonly nodeCount: number;
  readonly names: readonly string[];
}

/** Makes the model that a call results in. @internal */
export let newModel: (context: Context, registry: FinalizationRegistry<{ handle: number }>) => Model;

/** Reads what a model has in other files; disposes of the model when that fails. @internal */
export function readExternal(model: Model, memory: Memory, external: ExternalFiles, canLack: unknown): void {
  try {
    giveExternal(memory, handleOfModel(model), external, canLack);
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
  /** Does what `dispose()` does, for `using`. */
  declare readonly [Symbol.dispose]: () => void;
  readonly #context: Context;
  readonly #cell: { handle: number }; // 0 after dispose
  readonly #nodeCount: number;
  #warnings: readonly string[];
  #nodes: readonly ModelNode[] | undefined;
  #contents: ModelContents | undefined;

  private constructor(context: Context, registry: FinalizationRegistry<{ handle: number }>) {
    if (!(context instanceof Context)) throw invalidArgument('a model is made by a runtime: ops.loadModel(bytes)');
    const { memory } = context;
    this.#context = context;
    const { handle, nodeCount, opset, warnings, names, inputs, outputs } = memory.takeJson<Description>();
    this.#cell = { handle };
    this.#nodeCount = nodeCount;
    this.opset = opset;
    this.#warnings = Object.freeze(warnings);
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
   * Faults that were accepted though the ONNX text forbids them; declared dims that contradict the graph's; names of sizes that
   * stood for several sizes in a run. After a hundred warnings, one says that there are more.
   */
  get warnings(): readonly string[] {
    const { handle } = cellOf(this);
    const { memory } = this.#context;
    const returned = handle === 0 ? 0 : memory.glue.newWarnings(handle, this.#warnings.length);
    if (returned !== 0) {
      memory.check(returned);
      this.#warnings = Object.freeze([...this.#warnings, ...memory.takeJson<string[]>()]);
    }
    return this.#warnings;
  }

  /**
   * All nodes in the file's order, with what is declared and what can be inferred of the values that they make. The list
   * is made when it is first asked for.
   *
   * @throws {@link OnnxError} `OUT_OF_MEMORY`, `DISPOSED`
   */
  get nodes(): readonly ModelNode[] {
    cellOf(this);
    this.#nodes ??= readNodes(this.#source(), handleOfModel(this));
    return this.#nodes;
  }

  /**
   * The initializers of all graphs: name, type, dims, and where their elements are. No element is copied before `read()`. Nodes
   * `Constant` are not among them: their tensors are attributes.
   *
   * @throws {@link OnnxError} `OUT_OF_MEMORY`, `DISPOSED`
   */
  get initializers(): readonly ModelInitializer[] {
    return this.#described().initializers;
  }

  /**
   * Who wrote the file, the versions that it needs, its functions and texts.
   *
   * @throws {@link OnnxError} `OUT_OF_MEMORY`, `DISPOSED`
   */
  get metadata(): ModelMetadata {
    return this.#described().metadata;
  }

  #described(): ModelContents {
    cellOf(this);
    this.#contents ??= readContents(this.#source(), handleOfModel(this));
    return this.#contents;
  }

  #source(): Source {
    return { context: this.#context, check: () => handleOfModel(this) };
  }

  /**
   * Runs the graph. Synchronous.
   *
   * @param feeds - a tensor for every input, by name, of the declared type and sizes; or values that get the declared type
   * @param options - `outputs`, which chooses the values to compute
   * @returns the outputs by name, which the caller must dispose of; with `options.outputs`, in its order
   * @throws {@link OnnxError} `INVALID_ARGUMENT` for a feed that is missing or unknown, for a feed or default of another type or
   * shape than declared, for values that the declared type cannot hold or that may have several dims, and for a name in `outputs`
   * that no value has; `DISPOSED`; and the errors of operators, for which `node` names the node. A model with nodes that cannot
   * run throws the error of the first of them that is needed.
   *
   * @example
   * ```ts
   * const { output } = model.run({ input: x, shape: ops.tensor('int64', [3, 4], [2]) }); // float32 [3, 4]
   * // Any value of the graph can be asked for. Inputs that it does not need may be left out.
   * const { input } = model.run({ input: x }, { outputs: ['input'] }); // float32 [3, 1]
   * ```
   */
  run<N extends string = string>(
    feeds: { readonly [name: string]: FeedLike } = {},
    options?: RunOptions<N>,
  ): { [name in N]: AnyTensor } {
    takesAtMost(2, arguments.length, 'run');
    cellOf(this);
    const names = readOutputs('run', options);
    const work = (): { [name in N]: AnyTensor } =>
      this.#withFeeds(feeds, names, (memory, model) => {
        memory.check(memory.glue.runModel(model));
        const tensors = this.#context.takeTensors();
        const list = names.length === 0 ? this.outputs.map(({ name }) => name) : names;
        return Object.fromEntries(list.map((name, i) => [name, tensors[i]])) as { [name in N]: AnyTensor };
      });
    return observed(this.#context, this, this.#nodeCount, work);
  }

  /**
   * Runs the graph twice, and says where the time of the second run went. Work that only a first run does is not counted.
   *
   * Times come from the host's clock, which browsers round: to 5 microseconds on pages that are isolated from other origins,
   * to 100 on others.
   *
   * @param feeds - as in {@link Model.run}
   * @param options - as in {@link Model.run}; nodes that `outputs` do not need have 0 calls
   * @returns a row for each node in the order of {@link Model.nodes}; the nodes of a node's graphs follow it
   * @throws {@link OnnxError} as {@link Model.run} does
   *
   * @example
   * ```ts
   * const rows = model.profile({ input: x, shape: ops.tensor('int64', [3, 4], [2]) });
   * const slowest = rows.toSorted((a, b) => b.microseconds - a.microseconds)[0];
   * ```
   */
  profile(feeds: { readonly [name: string]: FeedLike } = {}, options?: RunOptions): NodeProfile[] {
    takesAtMost(2, arguments.length, 'profile');
    cellOf(this);
    return this.#withFeeds(feeds, readOutputs('profile', options), (memory, model) => {
      memory.check(memory.glue.profileModel(model));
      return memory.takeJson();
    });
  }

  /**
   * Gives the model tensors to read and write in every run, and runs it once: what is done in the first run alone is done then.
   *
   * @param feeds - as in {@link Model.run}. They are copied
   * @param options - `states`, outputs that are inputs of the next run
   * @returns the model with its tensors; `dispose()` frees these
   * @throws {@link OnnxError} as {@link Model.run} does; `INVALID_ARGUMENT` for states that the model does not have, or whose
   * output the input does not take; `UNSUPPORTED_TYPE` for strings
   *
   * @example
   * ```ts
   * const bound = model.bind({ input: x, shape: ops.tensor('int64', [3, 4], [2]) });
   * bound.inputs.input.data.set([4, 5, 6]);
   * bound.run();
   * bound.outputs.output; // float32 [3, 4]
   * ```
   */
  bind<F extends { readonly [name: string]: FeedLike }, S extends States = Record<never, string>>(
    feeds: F,
    options?: BindOptions<S>,
  ): BoundModel<BoundInputs<F, S>> {
    takesAtMost(2, arguments.length, 'bind');
    cellOf(this);
    const states = readStates(options);
    return this.#withFeeds(feeds, [], (memory, model, names) => {
      memory.number(states.length);
      for (const pair of states) for (const name of pair) memory.string(name);
      memory.check(memory.glue.bindModel(model));
      const inputs = new Set(states.map(([input]) => input));
      const outputs = new Set(states.map(([, output]) => output));
      return newBoundModel(
        this.#context,
        names.filter((name) => !inputs.has(name)),
        this.outputs.map(({ name }) => name).filter((name) => !outputs.has(name)),
        { model: this, nodes: this.#nodeCount, check: () => handleOfModel(this) },
      ) as BoundModel<BoundInputs<F, S>>;
    });
  }

  /** Writes the feeds and the names of outputs, and calls `use` with the model's handle. */
  #withFeeds<R>(
    feeds: { readonly [name: string]: FeedLike },
    outputs: readonly string[],
    use: (memory: Memory, model: number, names: readonly string[]) => R,
  ): R {
    handleOfModel(this);
    const { memory } = this.#context;
    try {
      return withFeeds(this.#context, feeds, (names) => {
        const model = handleOfModel(this);
        memory.stringList(outputs);
        return use(memory, model, names);
      });
    } catch (error) {
      throw outputs.length === 0 ? error : this.#withAdvice(error, outputs);
    }
  }

  /** Adds to an error about the name of an output the name that was probably meant. */
  #withAdvice(error: unknown, outputs: readonly string[]): unknown {
    const { code, message, node, cause } = error as OnnxError;
    if (code !== 'INVALID_ARGUMENT' || node !== undefined || !message.startsWith('outputs: ')) return error;
    const known = [
      ...this.outputs,
      ...this.nodes.flatMap((one) => one.outputs),
      ...this.inputs,
      ...this.initializers,
    ].map(({ name }) => name);
    const unknown = outputs.find((name) => message.endsWith(`'${name}'`) && !known.includes(name));
    const advice = unknown === undefined ? '' : didYouMean(unknown, known);
    return new OnnxError(code, message + (advice || '; the nodes of the model say which there are'), { cause });
  }

  /** One line: the opset, and names, types and dims of inputs and outputs. Never throws. */
  toString(): string {
    return textOf('Model', () => modelText(`Model (opset ${this.opset})`, this.inputs, this.outputs));
  }

  /** Frees the model. Tensors that it returned live on. A second call does nothing. */
  dispose(): void {
    takesAtMost(0, arguments.length, 'dispose');
    const cell = cellOf(this);
    if (cell.handle !== 0) this.#context.memory.glue.disposeModel(cell.handle);
    cell.handle = 0;
  }
}

addDisposeSymbol(Model.prototype, Model.prototype.dispose);
nameObjects(Model.prototype, 'Model');
