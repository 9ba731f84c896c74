// Plays random steps with a runtime, and keeps a shadow of all that is alive.
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { loadSync } from '../../dist/node.js';
import { Random } from './random.mjs';
import { countOf, difference, packed } from './values.mjs';

const module = new WebAssembly.Module(readFileSync(new URL('../../dist/broadloom.wasm', import.meta.url)));
export const maximumMemory = 64 * 2 ** 20;

/** The most tensors that are kept alive, and the most bytes of their elements. */
const mostAlive = 120;
const mostBytes = 12 * 2 ** 20;

/** A difference that a step found. */
export class Wrong extends Error {}

export class Machine {
  ops = loadSync(module, { maximumMemory });
  /** Live tensors with their shadows. */
  live = [];
  models = [];
  bounds = [];
  resamplers = [];
  /** A runtime in a worker and its models, once a step has begun one. */
  worker = undefined;
  random = new Random(0);
  counts = {};
  #seed;
  #start = this.ops.memory();

  constructor(seed) {
    this.#seed = seed;
  }

  /** Plays the step with this number. */
  async play(number, steps) {
    this.random = new Random(this.#seed, number);
    const [name, step] = this.choose(steps);
    try {
      await step(this);
    } catch (error) {
      throw new Wrong(`${name}: ${error.message}`, { cause: error });
    }
    while (this.live.length > mostAlive || this.bytes > mostBytes) this.letGo(this.random.below(this.live.length));
  }

  /** One of the steps, by their weights. */
  choose(steps) {
    let rest = (this.random.bits() / 2 ** 32) * steps.total;
    const found = steps.list.find(([weight]) => (rest -= weight) < 0);
    this.counts[found[1]] = (this.counts[found[1]] ?? 0) + 1;
    return found.slice(1);
  }

  get bytes() {
    let bytes = 0;
    for (const { shadow } of this.live) bytes += shadow.items.byteLength ?? 16 * shadow.items.length;
    return bytes;
  }

  /** Takes a tensor to those that are alive. Its elements are read now, or later: many are lazy until then. */
  keep(tensor, shadow) {
    if (tensor.type !== shadow.type || `${tensor.dims}` !== `${shadow.dims}`)
      throw new Wrong(`made ${tensor.type} [${tensor.dims}], wanted ${shadow.type} [${shadow.dims}]`);
    const entry = { tensor, shadow };
    if (this.random.oneIn(2)) this.check(entry);
    this.live.push(entry);
    return entry;
  }

  check({ tensor, shadow }) {
    const found = difference(tensor, shadow);
    if (found !== undefined) throw new Wrong(found);
  }

  /** A tensor of a shadow, which nobody keeps. */
  make(shadow) {
    return this.ops.tensor(shadow.type, packed(shadow), shadow.dims);
  }

  /** A live tensor for which `is` holds, or undefined. Tries a few at random. */
  pick(is = () => true) {
    for (let tries = 0; tries < 12 && this.live.length > 0; tries++) {
      const entry = this.random.from(this.live);
      if (is(entry.shadow)) return entry;
    }
    return undefined;
  }
  pickSmall(is = () => true) {
    return this.pick((shadow) => countOf(shadow.dims) <= 4096 && shadow.dims.length <= 8 && is(shadow));
  }

  /** Ends the life of a tensor: by dispose, by the symbol of `using`, or by forgetting it. */
  letGo(place) {
    const [{ tensor }] = this.live.splice(place, 1);
    const how = this.random.below(4);
    if (how < 2) tensor.dispose();
    if (how === 2) tensor[Symbol.dispose ?? Symbol.for('Symbol.dispose')]?.();
    if (how === 0) this.refuses('DISPOSED', () => tensor.data);
  }

  /** The call must fail with this code; nothing else changes. */
  refuses(code, call) {
    try {
      call();
    } catch (error) {
      if (error.name === 'OnnxError' && [code].flat().includes(error.code)) return error;
      throw error;
    }
    throw new Wrong(`wanted the error ${code}`);
  }

  checkAll() {
    for (const entry of this.live) this.check(entry);
    if (this.ops.memory().liveTensors < this.live.length) throw new Wrong('there are fewer tensors than are alive');
  }

  /** Collects what was dropped. Finalizers run when the engine has time. */
  async collect() {
    globalThis.gc();
    await setImmediate();
  }

  /** Ends all lives and checks that nothing is left. */
  async end() {
    this.checkAll();
    this.#endLives();
    // Small tensors are registered for collection by the batch (js/src/basics/finalizers.ts): the batch that is open waits for more.
    this.#fillBatch();
    const told = ({ liveTensors, bytesInUse, planBytes }) => JSON.stringify({ liveTensors, bytesInUse, planBytes });
    for (let rounds = 0; rounds < 40 && told(this.ops.memory()) !== told(this.#start); rounds++) await this.collect();
    if (told(this.ops.memory()) !== told(this.#start))
      throw new Wrong(`after all was disposed of, ${told(this.ops.memory())} is left of ${told(this.#start)}`);
    this.#checkHeap();
  }

  #fillBatch() {
    for (const tensor of Array.from({ length: 64 }, () => this.ops.empty('uint8', [1]))) tensor.dispose();
  }

  // Not in an async function, whose variables would keep the last ones from being collected.
  #endLives() {
    for (const { tensor } of this.live) tensor.dispose();
    for (const { model } of this.models) model.dispose();
    for (const { bound } of this.bounds) bound.dispose();
    for (const { resampler } of this.resamplers) resampler.dispose();
    this.worker?.remote.terminate();
    this.live = this.models = this.bounds = this.resamplers = [];
    this.worker = undefined;
  }

  /** Nothing is left of the bookkeeping, either: a tensor that takes nearly all of the memory fits, as it does at first. */
  #checkHeap() {
    const fresh = loadSync(module, { maximumMemory });
    const [least, now] = [fresh, this.ops].map((ops) => {
      let bytes = 0;
      for (let part = maximumMemory / 2; part >= 2 ** 16; part /= 2) {
        try {
          ops.empty('uint8', [bytes + part]).dispose();
          bytes += part;
        } catch (error) {
          if (error.code !== 'OUT_OF_MEMORY') throw error;
        }
      }
      return bytes;
    });
    if (now < least - 2 ** 20)
      throw new Wrong(`the largest tensor that fits has ${now} bytes, at first it had ${least}`);
  }
}

/** A table of steps: weight, name, function. */
export function tableOf(...lists) {
  const list = lists.flat();
  return { list, total: list.reduce((sum, [weight]) => sum + weight, 0) };
}
