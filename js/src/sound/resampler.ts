import { invalidArgument, notItself, OnnxError } from '../basics/error.js';
import { finalize } from '../basics/finalizers.js';
import { checkedOptions } from '../basics/names.js';
import { addDisposeSymbol, nameObjects } from '../basics/prototypes.js';
import { show } from '../basics/show.js';
import { takesAtMost } from '../basics/superfluous.js';
import { textOf } from '../basics/told.js';
import { arrayName, lengthOf } from '../basics/typed-arrays.js';
import type { Context } from '../calls/context.js';
import type { Memory } from '../calls/memory.js';

/** The rates of a {@link Resampler}, in Hz. */
export interface ResamplerOptions {
  /** The rate of the samples that come. */
  readonly from: number;
  /** The rate of the samples that it gives. */
  readonly to: number;
}

interface Cell {
  readonly memory: Memory;
  readonly rates: string;
  handle: number; // 0 after dispose
}

/** Made for the first resampler: importing the package does no work. */
let registry: FinalizationRegistry<Cell> | undefined;

function free(cell: Cell): void {
  if (cell.handle !== 0) cell.memory.glue.disposeResampler(cell.handle);
  cell.handle = 0;
}

const freeCollected = (cell: Cell): void => finalize(() => free(cell));

/** @internal */
export let newResampler: (context: Context, options: ResamplerOptions) => Resampler;

let cellOf: (resampler: Resampler) => Cell;

/**
 * Resamples a sound that comes in pieces, such as a microphone's. Made by {@link SoundMethods.resampler}.
 *
 * All results together equal the result of {@link SoundMethods.fromAudio} for the whole sound, to the last bit, however it is
 * cut. The memory that it takes does not grow with the sound.
 *
 * @group Classes
 */
export class Resampler {
  /** Does what `dispose()` does, for `using`. */
  declare readonly [Symbol.dispose]: () => void;
  readonly #cell: Cell;

  private constructor({ memory }: Context, options: ResamplerOptions) {
    const { from, to } = checkedOptions('resampler: ', options, ['from', 'to']);
    for (const [name, rate] of Object.entries({ from, to })) {
      if (typeof rate !== 'number') throw invalidArgument(`resampler: '${name}' is ${show(rate)}, wanted a rate in Hz`);
    }
    memory.begin();
    memory.check(memory.glue.makeResampler(from, to));
    this.#cell = { memory, rates: `${from} to ${to}`, handle: memory.take() };
    registry ??= new FinalizationRegistry(freeCollected);
    registry.register(this, this.#cell);
    Object.freeze(this);
  }

  static {
    newResampler = (context, options) => new this(context, options);
    cellOf = (resampler) => {
      if (typeof resampler === 'object' && resampler !== null && #cell in resampler) return resampler.#cell;
      throw notItself('resampler', resampler);
    };
  }

  /**
   * Takes the next samples of one channel, and gives those at the other rate that no later sample can change. The first ones come
   * when the filter's half is full: after 47 samples of the lower rate.
   *
   * @param chunk - any count of samples, which are copied
   * @returns an array of the caller's own
   * @throws {@link OnnxError} `INVALID_ARGUMENT` for what is no Float32Array; `OUT_OF_MEMORY`, `DISPOSED`
   */
  push(chunk: Float32Array): Float32Array<ArrayBuffer> {
    takesAtMost(1, arguments.length, 'push');
    const { memory, handle } = live(this);
    if (arrayName(chunk) !== 'Float32Array')
      throw invalidArgument(`push: the chunk is ${show(chunk)}, wanted a Float32Array of one channel's samples`);
    const count = lengthOf(chunk);
    const source = memory.sourceOf(chunk, 'the samples');
    memory.check(memory.glue.resamplerRoom(handle, count));
    memory.copyIn(memory.take(), source);
    return takeSamples(memory, memory.glue.runResampler(handle, count));
  }

  /**
   * Ends the sound and gives the rest of its samples: ceil(n * to / from) in all, for n samples that came. The next samples that
   * are pushed belong to another sound.
   *
   * @throws {@link OnnxError} `OUT_OF_MEMORY`, `DISPOSED`
   */
  flush(): Float32Array<ArrayBuffer> {
    takesAtMost(0, arguments.length, 'flush');
    const { memory, handle } = live(this);
    return takeSamples(memory, memory.glue.finishResampler(handle));
  }

  /**
   * Forgets the sound: the next samples belong to another one.
   *
   * @throws {@link OnnxError} `DISPOSED`
   */
  reset(): void {
    takesAtMost(0, arguments.length, 'reset');
    const { memory, handle } = live(this);
    memory.glue.resetResampler(handle);
  }

  /** The two rates in one line. Never throws. */
  toString(): string {
    return textOf('Resampler', () => `Resampler: ${cellOf(this).rates} Hz`);
  }

  /** Frees its memory. A second call does nothing. */
  dispose(): void {
    takesAtMost(0, arguments.length, 'dispose');
    free(cellOf(this));
  }
}

addDisposeSymbol(Resampler.prototype, Resampler.prototype.dispose);
nameObjects(Resampler.prototype, 'Resampler');

function live(resampler: Resampler): Cell {
  const cell = cellOf(resampler);
  if (cell.handle === 0) throw new OnnxError('DISPOSED', 'this resampler was disposed of');
  return cell;
}

function takeSamples(memory: Memory, returned: number): Float32Array<ArrayBuffer> {
  memory.check(returned);
  const address = memory.take();
  return new Float32Array(memory.copyOut(address, memory.take() * 4).buffer);
}
