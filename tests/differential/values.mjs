// Random tensors, and views that hold them.

/** Numbers from a seed: the same in every run. */
export class Random {
  #state;
  constructor(seed) {
    this.#state = seed >>> 0;
  }
  /** In [0, 1). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  /** An integer from `low` to `high`, both included. */
  integer(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }
  pick(list) {
    return list[this.integer(0, list.length - 1)];
  }
  chance(probability) {
    return this.next() < probability;
  }
  shuffled(list) {
    const result = [...list];
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.integer(0, i);
      [result[i], result[j]] = [result[j], result[i]];
    }
    return result;
  }
  /** Sizes of `rank` axes. One in 20 is `least`, which may be 0. */
  dims(rank, most = 4, least = 0) {
    return Array.from({ length: rank }, () => (this.chance(0.05) ? least : this.integer(1, most)));
  }
}

const arrays = {
  float32: Float32Array,
  float64: Float64Array,
  float16: Uint16Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
};

export const floats = ['float32', 'float64', 'float16'];
export const integers = ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'];
/** The types that the oracle accepts as inputs. */
export const allTypes = [...floats, ...integers, 'bool', 'string'];

export const product = (dims) => dims.reduce((a, b) => a * b, 1);

// 1, -1, 2, 0, -0, 1/3, 65504, 0.25, -6
const halves = [0x3c00, 0xbc00, 0x4000, 0x0000, 0x8000, 0x3555, 0x7bff, 0x3400, 0xc600];
const special = [Number.NaN, Infinity, -Infinity, -0];

/** A random element. Floats are quarters, whose sums are exact; with `isSpecial` also NaN, infinities and -0. */
export function element(random, type, { low = -5, high = 5, isSpecial = false } = {}) {
  if (type === 'bool') return random.integer(0, 1);
  if (type === 'string') return random.pick(['a', 'b', '', 'cd', 'é', 'a longer text']);
  if (type === 'float16')
    return random.pick(
      isSpecial ? [...halves, 0x7c00, 0xfc00, 0x7e00] : halves.filter((bits) => bits !== 0x7bff && bits !== 0x3555),
    );
  if (type.startsWith('float'))
    return isSpecial && random.chance(0.2) ? random.pick(special) : random.integer(low * 4, high * 4) / 4;
  const integer = random.integer(type.startsWith('u') ? Math.max(low, 0) : low, high);
  return type.endsWith('64') ? BigInt(integer) : integer;
}

const extremes = {
  float16: [0, 0x8000, 1, 0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00],
  float32: [
    0,
    -0,
    2 ** -149,
    -(2 ** -149),
    2 ** -127,
    2 ** -126,
    1,
    -1,
    1 - 2 ** -24,
    1 + 2 ** -23,
    2 ** 127,
    -(2 ** 127),
  ],
  float64: [0, -0, 2 ** -1074, -(2 ** -1074), 2 ** -1022, 1, -1, 1 - 2 ** -53, 1 + 2 ** -52, 2 ** 1023, -(2 ** 1023)],
};
const ofBits = {
  float16: (random) => random.integer(0, 0xffff),
  float32: (random) => new Float32Array(Uint32Array.of(random.integer(0, 2 ** 32 - 1)).buffer)[0],
  float64: (random) =>
    new Float64Array(Uint32Array.of(random.integer(0, 2 ** 32 - 1), random.integer(0, 2 ** 32 - 1)).buffer)[0],
};

/** An element from the whole range of its type: small numbers with many digits, limits, NaN and infinities, or any bits. */
export function anyElement(random, type) {
  const array = arrays[type];
  if (!floats.includes(type)) {
    const bits = 8 * array.BYTES_PER_ELEMENT;
    const limit = (type.startsWith('u') ? BigInt.asUintN : BigInt.asIntN)(
      bits,
      2n ** BigInt(bits - 1) - random.pick([0n, 1n]),
    );
    const drawn = random.chance(0.2)
      ? limit
      : BigInt(random.integer(-9, 9)) * 2n ** BigInt(random.pick([0, 0, 0, bits - 4]));
    const wrapped = (type.startsWith('u') ? BigInt.asUintN : BigInt.asIntN)(bits, drawn);
    return bits === 64 ? wrapped : Number(wrapped);
  }
  const kind = random.next();
  if (kind < 0.15) return random.pick(type === 'float16' ? extremes.float16 : [...extremes[type], ...special]);
  if (kind < 0.5) return ofBits[type](random);
  // From 1e-3 to 1e2.
  const magnitude = 10 ** (random.next() * 5 - 3);
  if (type === 'float16') return random.pick([0, 0x8000]) + random.integer(0x1400, 0x5800);
  return random.chance(0.5) ? magnitude : -magnitude;
}

/** The element as a number. */
export function numberOf(type, value) {
  if (type !== 'float16') return value;
  const exponent = (value >> 10) & 31;
  const fraction = value & 0x3ff;
  const magnitude =
    exponent === 31
      ? fraction === 0
        ? Infinity
        : Number.NaN
      : exponent === 0
        ? fraction * 2 ** -24
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return value < 0x8000 ? magnitude : -magnitude;
}

/** Whether an element of a floating-point type is NaN. */
export const isNan = (type, value) => Number.isNaN(numberOf(type, value));

/** A tensor of the elements that `make` returns, or of random ones. */
export function tensorOf(random, type, dims, make = () => element(random, type)) {
  const list = Array.from({ length: product(dims) }, (_, i) => make(i));
  return { type, dims, data: type === 'string' ? list : arrays[type].from(list) };
}

/** A tensor of integers that are given as numbers. */
export function integersOf(type, dims, make) {
  const list = Array.from({ length: product(dims) }, (_, i) => make(i));
  return { type, dims, data: type === 'int64' ? BigInt64Array.from(list, BigInt) : arrays[type].from(list) };
}

/** Rearranges elements: result[i] is the element at the index that `from` returns for the coordinates of i. */
function rearranged({ type, data }, dims, from) {
  const result = type === 'string' ? [] : new data.constructor(data.length);
  const coordinates = dims.map(() => 0);
  for (let i = 0; i < data.length; i++) {
    result[i] = data[from(coordinates)];
    for (let axis = dims.length - 1; axis >= 0 && ++coordinates[axis] === dims[axis]; axis--) coordinates[axis] = 0;
  }
  return result;
}

const stridesOf = (dims) => dims.map((_, axis) => product(dims.slice(axis + 1)));
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** A tensor of Broadloom with these elements, stored directly or as a view with permuted or reversed axes. */
export function asView(ops, random, tensor) {
  const { type, dims } = tensor;
  const rank = dims.length;
  const kind = rank === 0 ? 'plain' : random.pick(['plain', 'transposed', 'reversed']);
  const plain = (data, sizes) => ops.tensor(type, data, sizes);
  if (kind === 'transposed') {
    const perm = random.shuffled(dims.map((_, axis) => axis));
    const sizes = perm.map((_, axis) => dims[perm.indexOf(axis)]);
    // Axis `axis` of the tensor is axis perm[axis] in memory.
    const strides = stridesOf(dims);
    const data = rearranged(tensor, sizes, (places) =>
      dot(
        perm.map((axis) => places[axis]),
        strides,
      ),
    );
    return ops.run('Transpose', [plain(data, sizes)], { perm })[0];
  }
  if (kind === 'reversed') {
    const axis = random.integer(0, rank - 1);
    const strides = stridesOf(dims);
    const data = rearranged(tensor, dims, (places) =>
      dot(
        places.map((place, i) => (i === axis ? dims[i] - 1 - place : place)),
        strides,
      ),
    );
    return ops.run('Slice', [plain(data, dims), [-1], [-(2 ** 31)], [axis], [-1]])[0];
  }
  return plain(tensor.data, dims);
}
