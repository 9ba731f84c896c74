import { invalidArgument, notItself, OnnxError } from '../basics/error.js';
import { finalize } from '../basics/finalizers.js';
import { checkedOptions } from '../basics/names.js';
import { isPlainObject } from '../basics/plain.js';
import { addDisposeSymbol, nameObjects } from '../basics/prototypes.js';
import { show } from '../basics/show.js';
import { takesAtMost, tooMany } from '../basics/superfluous.js';
import { modelText, textOf } from '../basics/told.js';
import type { Context } from '../calls/context.js';
import type { Memory } from '../calls/memory.js';
import { handleOf } from '../tensor/elements.js';
import type { AnyTensor } from '../tensor/tensor.js';
import { type FeedLike, withFeeds } from './feeds.js';
import { observed } from './run-events.js';

/** Options of {@link Model.bind}. */
export interface BindOptions<S extends States = States> {
  /**
   * Inputs that are outputs of the run before: the name of the input with the name of the output, such as `{ state: 'stateN' }`.
   * The first run reads the feeds. No element is copied.
   *
   * A state may have other dims after each run, such as a cache of keys that grows by a token. Where a Concat makes it longer,
   * new elements are written behind those that are there.
   */
  states?: S | undefined;
}

/** Names of outputs, by those of inputs. */
export interface States {
  readonly [input: string]: string;
}

/** The tensors of inputs, for feeds `F` except states `S`. */
export type BoundInputs<F, S> = {
  readonly [K in Exclude<keyof F, keyof S>]: F[K] extends AnyTensor ? F[K] : AnyTensor;
};

/** Tensors by name. */
export interface BoundTensors {
  readonly [name: string]: AnyTensor;
}

interface Cell {
  readonly memory: Memory;
  handle: number; // 0 after dispose
}

/** Made when the first model is bound: importing the package does no work. */
let registry: FinalizationRegistry<Cell> | undefined;

function free(cell: Cell): void {
  if (cell.handle !== 0) cell.memory.glue.disposeBinding(cell.handle);
  cell.handle = 0;
}

// Made here and not in the constructor, whose variables the registry would keep: the tensors of the first bound model.
const freeCollected = (cell: Cell): void => finalize(() => free(cell));

/** The pairs of the option `states`. @internal */
export function readStates(options: BindOptions | undefined): [input: string, output: string][] {
  const { states } = checkedOptions('bind: ', options, ['states']);
  if (states === undefined) return [];
  if (!isPlainObject(states)) throw invalidArgument(`bind: states is ${show(states)}, wanted outputs by inputs`);
  const pairs: [string, unknown][] = Object.entries(states);
  const outputs = new Set<unknown>();
  for (const [input, output] of pairs) {
    if (typeof output !== 'string')
      throw invalidArgument(`bind: states has ${show(output)} for '${input}', wanted the name of an output`);
    if (outputs.has(output)) throw invalidArgument(`bind: states has the output '${output}' twice`);
    outputs.add(output);
  }
  return pairs as [string, string][];
}

/** The model that is bound, and how many nodes it has. */
interface Bound {
  readonly model: object;
  readonly nodes: number;
  /** Fails where the model was disposed of. */
  check(): void;
}

/** Takes what `bindModel` wrote. @internal */
export let newBoundModel: (
  context: Context,
  inputs: readonly string[],
  outputs: readonly string[],
  of: Bound,
) => BoundModel;

let cellOf: (bound: BoundModel) => Cell;

/**
 * A model with its tensors: it reads its inputs and writes its outputs where they are, and makes no object. Made by
 * {@link Model.bind}, for code that must not wait for a garbage collection, such as an AudioWorklet's `process`.
 *
 * @group Classes
 */
export class BoundModel<I extends BoundTensors = BoundTensors> {
  /** The tensors that each run reads, except states: copies of what was fed. Write their `data`. */
  readonly inputs: I;
  /** The tensors that each run writes, except those that are states. They keep their dims. */
  readonly outputs: BoundTensors;
  /** Does what `dispose()` does, for `using`. */
  declare readonly [Symbol.dispose]: () => void;
  readonly #cell: Cell;
  readonly #tensors: readonly AnyTensor[];
  readonly #context: Context;
  readonly #of: Bound;

  private constructor(context: Context, inputs: readonly string[], outputs: readonly string[], of: Bound) {
    const { memory } = context;
    this.#cell = { memory, handle: memory.take() };
    registry ??= new FinalizationRegistry(freeCollected);
    registry.register(this, this.#cell);
    const tensors = context.takeTensors() as AnyTensor[];
    this.#tensors = tensors;
    this.#context = context;
    this.#of = of;
    const named = (names: readonly string[], first: number): BoundTensors =>
      Object.freeze(Object.fromEntries(names.map((name, i) => [name, tensors[first + i] as AnyTensor])));
    this.inputs = named(inputs, 0) as I;
    this.outputs = named(outputs, inputs.length);
    Object.freeze(this);
  }

  static {
    newBoundModel = (context, inputs, outputs, of) => new this(context, inputs, outputs, of);
    cellOf = (bound) => {
      if (typeof bound === 'object' && bound !== null && #cell in bound) return bound.#cell;
      throw notItself('bound model', bound);
    };
  }

  /**
   * Runs the model once: reads {@link BoundModel.inputs} and the states, writes {@link BoundModel.outputs} and the next states.
   * Without feeds, nothing is made that JavaScript would have to collect. After an error, states are those before the run.
   *
   * @param feeds - read by this run instead of {@link BoundModel.inputs} of these names, in dims of their own: for inputs that
   * grow, such as the mask of a decoder
   * @throws {@link OnnxError} as {@link Model.run} does; `INVALID_ARGUMENT` when an output has other dims than before, and for
   * a feed that is a state; `DISPOSED`
   */
  run(feeds?: { readonly [K in keyof I]?: FeedLike }): void;
  // A parameter for one too many, since the object `arguments` would have to be collected.
  run(feeds?: { readonly [K in keyof I]?: FeedLike }, superfluous?: unknown): void {
    if (superfluous !== undefined) throw tooMany('run', 2, 1);
    const { model, nodes } = this.#of;
    if (this.#context.onRun === undefined) this.#run(feeds);
    else observed(this.#context, model, nodes, () => this.#run(feeds));
  }

  #run(feeds: { readonly [name: string]: FeedLike | undefined } | undefined): void {
    const memory = this.#check();
    if (feeds === undefined) {
      const returned = memory.glue.runBinding(cellOf(this).handle);
      if (returned < 0) memory.check(returned);
      return;
    }
    withFeeds(this.#context, feeds, () => {
      this.#check(); // to read feeds runs code of the user's
      memory.check(memory.glue.runBindingWith(cellOf(this).handle));
    });
  }

  #check(): Memory {
    const { memory } = this.#live();
    this.#of.check();
    const tensors = this.#tensors;
    for (let i = 0; i < tensors.length; i++) handleOf(tensors[i] as AnyTensor);
    return memory;
  }

  /**
   * Makes the states those that were fed at first.
   *
   * @throws {@link OnnxError} `DISPOSED`
   */
  reset(): void {
    const { memory, handle } = this.#live();
    memory.glue.resetBinding(handle);
  }

  /** One line: names, types and dims of inputs and outputs. Never throws. */
  toString(): string {
    const told = (tensors: BoundTensors) =>
      Object.entries(tensors).map(([name, { type, dims }]) => ({ name, type, dims }));
    return textOf('BoundModel', () => modelText('BoundModel', told(this.inputs), told(this.outputs)));
  }

  /** Frees the states and the tensors of inputs and outputs. The model stays. A second call does nothing. */
  dispose(): void {
    takesAtMost(0, arguments.length, 'dispose');
    const cell = cellOf(this);
    if (cell.handle === 0) return;
    free(cell);
    for (const tensor of this.#tensors) tensor.dispose();
  }

  #live(): Cell {
    const cell = cellOf(this);
    if (cell.handle === 0) throw new OnnxError('DISPOSED', 'this bound model was disposed of');
    return cell;
  }
}

addDisposeSymbol(BoundModel.prototype, BoundModel.prototype.dispose);
nameObjects(BoundModel.prototype, 'BoundModel');
