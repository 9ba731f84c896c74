// Weights and inputs by a seed, fast enough for files of 80 MB, and as float16.
const one = new Float32Array(1);
const bitsOfOne = new Uint32Array(one.buffer);

/** The bits of a number as float16, rounded to the nearest. */
export function halfBits(value) {
  // 2^-112 lies between the two formats' exponents: float16's subnormal numbers become float32's.
  one[0] = Math.abs(value) * 2 ** -112;
  const bits = bitsOfOne[0];
  const magnitude = (bits + 0xfff + ((bits >>> 13) & 1)) >>> 13;
  return (value < 0 ? 0x8000 : 0) | Math.min(magnitude, 0x7c00);
}

/** The number that these bits are as float16. */
export function halfValue(bits) {
  if ((bits & 0x7c00) === 0x7c00) return (bits & 0x3ff) !== 0 ? Number.NaN : bits & 0x8000 ? -Infinity : Infinity;
  bitsOfOne[0] = (bits & 0x7fff) << 13;
  const magnitude = one[0] * 2 ** 112;
  return bits & 0x8000 ? -magnitude : magnitude;
}

/** The next state of a xorshift generator. */
function next(state) {
  const first = state ^ (state << 13);
  const second = first ^ (first >>> 17);
  return second ^ (second << 5);
}

/** Draws numbers that are the same in every run with this seed. Each kind has a loop of its own, which V8 compiles well. */
export class Weights {
  #state;
  constructor(seed) {
    this.#state = Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995 || 1;
  }
  /** From -scale to scale, around `middle`. */
  floats(count, scale = 1, middle = 0) {
    const factor = scale / 2 ** 31;
    const values = new Float32Array(count);
    let state = this.#state;
    for (let i = 0; i < count; i++) {
      state = next(state);
      values[i] = state * factor + middle;
    }
    this.#state = state;
    return values;
  }
  halves(count, scale = 1, middle = 0) {
    const values = this.floats(count, scale, middle);
    const bits = new Uint16Array(count);
    for (let i = 0; i < count; i++) bits[i] = halfBits(values[i]);
    return bits;
  }
  bytes(count) {
    const words = new Int32Array(Math.ceil(count / 4));
    let state = this.#state;
    for (let i = 0; i < words.length; i++) {
      state = next(state);
      words[i] = state;
    }
    this.#state = state;
    return new Uint8Array(words.buffer, 0, count);
  }
  /** From -127 to 127. */
  signedBytes(count) {
    const values = new Int8Array(this.bytes(count).buffer, 0, count);
    for (let i = 0; i < count; i++) if (values[i] === -128) values[i] = -127;
    return values;
  }
  /** From 0 to below `limit`. */
  integers(count, limit) {
    const values = this.floats(count, 0.5, 0.5);
    return BigInt64Array.from(values, (value) => BigInt(Math.min(Math.floor(value * limit), limit - 1)));
  }
}
