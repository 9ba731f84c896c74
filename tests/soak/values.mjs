// Shadows of tensors: type, dims and elements in plain JavaScript, each element by itself also where the tensor packs several into
// one byte.
import { dataTypes } from '../../dist/node.js';

export const rows = new Map(dataTypes.map((row) => [row.name, row]));
export const allTypes = [...rows.keys()];

export const isPacked = (type) => rows.get(type).bits < 8;
/** How many entries of a list an element has. */
export const partsOf = (type) => (rows.get(type).kind === 'complex' ? 2 : 1);
export const countOf = (dims) => dims.reduce((a, b) => a * b, 1);
export const arrayOf = (type) => globalThis[rows.get(type).array];

/** Elements of `count` parts, all zero. */
export const zeros = (type, count) => (type === 'string' ? new Array(count).fill('') : new (arrayOf(type))(count));

export const shadow = (type, dims, items) => ({ type, dims, items });

/** A random element's entry: numbers with which float32 is exact for a while, and any bits where no arithmetic follows. */
function randomItem(random, type) {
  const { kind, bits } = rows.get(type);
  if (kind === 'string')
    return random.oneIn(8)
      ? ''
      : `${random.from(['a', 'é', '漢', '🙂', 'xyz'])}${random.below(1000)}`.repeat(random.oneIn(20) ? 40 : 1);
  if (kind === 'boolean') return random.below(2);
  if (kind === 'real_float' || kind === 'complex') return random.between(-64, 64) / 8;
  if (bits === 64) return BigInt(random.between(-1000, 1000)) * (random.oneIn(4) ? 2n ** 40n : 1n);
  if (kind === 'mini_float' && bits === 16) return random.below(0x7c00);
  if (kind === 'mini_float' && bits === 8) return random.below(0x78);
  return random.oneIn(2) ? random.between(-50, 50) : random.bits();
}

export function randomShadow(random, type, dims) {
  const count = countOf(dims) * partsOf(type);
  const items = zeros(type, count);
  const mask = isPacked(type) ? 2 ** rows.get(type).bits - 1 : undefined;
  const unsigned = type === 'uint64';
  // Large ones repeat a few elements, which is enough to tell them apart.
  const some = random.list(Math.min(count, 64), () => randomItem(random, type));
  for (const [i, item] of some.entries())
    items[i] = mask !== undefined ? item & mask : unsigned ? BigInt.asUintN(64, item) : item;
  for (let done = some.length; done < count; done *= 2) items.copyWithin(done, 0, done);
  return shadow(type, dims, items);
}

/** The elements as `data` has them. */
export function packed({ type, items }) {
  if (!isPacked(type)) return items;
  const { bits } = rows.get(type);
  const each = 8 / bits;
  const bytes = new Uint8Array(Math.ceil(items.length / each));
  for (let i = 0; i < items.length; i++) bytes[Math.floor(i / each)] |= items[i] << (bits * (i % each));
  return bytes;
}

/** The elements at these places of another shadow. */
export function at(from, dims, places) {
  const parts = partsOf(from.type);
  const items = zeros(from.type, places.length * parts);
  for (let i = 0; i < places.length; i++)
    for (let part = 0; part < parts; part++) items[i * parts + part] = from.items[places[i] * parts + part];
  return shadow(from.type, dims, items);
}

export function stridesOf(dims) {
  const strides = new Array(dims.length);
  let stride = 1;
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= dims[axis];
  }
  return strides;
}

/** The view of a shadow: what lies at `first` and goes by these strides. */
export function strided(from, dims, first, strides) {
  const count = countOf(dims);
  const places = new Array(count);
  const index = new Array(dims.length).fill(0);
  let place = first;
  for (let i = 0; i < count; i++) {
    places[i] = place;
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      index[axis]++;
      place += strides[axis];
      if (index[axis] < dims[axis]) break;
      place -= strides[axis] * dims[axis];
      index[axis] = 0;
    }
  }
  return at(from, dims, places);
}

/** The dims to which all broadcast. */
export function broadcastDims(...all) {
  const rank = Math.max(...all.map((dims) => dims.length));
  return Array.from({ length: rank }, (_, axis) => {
    const sizes = all.map((dims) => dims[axis - rank + dims.length] ?? 1);
    return sizes.find((size) => size !== 1) ?? 1;
  });
}

export function expanded(from, dims) {
  const own = stridesOf(from.dims);
  const lead = dims.length - from.dims.length;
  return strided(
    from,
    dims,
    0,
    dims.map((_, axis) => (axis < lead || from.dims[axis - lead] === 1 ? 0 : own[axis - lead])),
  );
}

/** Whether a tensor has the type, the dims and the elements of its shadow. Says where not. */
export function difference(tensor, wanted) {
  if (tensor.type !== wanted.type) return `type ${tensor.type}, wanted ${wanted.type}`;
  if (`${tensor.dims}` !== `${wanted.dims}`) return `dims [${tensor.dims}], wanted [${wanted.dims}]`;
  const [found, items] = [tensor.data, packed(wanted)];
  if (found.length !== items.length) return `${found.length} entries, wanted ${items.length}`;
  if (wanted.type !== 'string' && Buffer.compare(bytesOf(found), bytesOf(items)) === 0) return undefined;
  const isFloat = wanted.type === 'float32' || wanted.type === 'float64';
  for (let i = 0; i < items.length; i++) {
    const isSame = isFloat ? Object.is(found[i], items[i]) : found[i] === items[i];
    if (!isSame) return `entry ${i} of ${wanted.type} [${wanted.dims}] is ${found[i]}, wanted ${items[i]}`;
  }
  return undefined;
}

const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);
