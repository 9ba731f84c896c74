// Products in the forms that quantisers write.

/** torch.nn.Linear's MatMul with the transposed weight folded. */
function plain(n, x, rows, columns, hint) {
  return n.op('MatMul', [x, n.matrix(hint, rows, columns)]);
}

/** A step between two of 255 levels, so that weights drawn as bytes keep the variance of rows of as many numbers. */
const stepOf = (rows) => Math.sqrt(3 / rows) / 127;

/**
 * onnxruntime's quantize_dynamic: DynamicQuantizeLinear once for each value, MatMulInteger, Cast, and Mul by the product of both
 * scales.
 */
function dynamic(n, x, rows, columns, hint) {
  const [bytes, scale, zero] = n.values.dynamic(x);
  const matrix = n.tensor(`${hint}_quantized`, 'int8', [rows, columns], (weights, count) => weights.signedBytes(count));
  const weightScale = n.list(`${hint}_scale`, 'float32', [stepOf(rows)], []);
  const weightZero = n.list(`${hint}_zero_point`, 'int8', [0], []);
  const sums = n.cast(n.op('MatMulInteger', [bytes, matrix, zero, weightZero]), 'float32');
  return n.op('Mul', [sums, n.op('Mul', [scale, weightScale])]);
}

/** onnxruntime's quantize_static: weights of int8 with a scale for each column, and QuantizeLinear and DequantizeLinear around. */
function qdq(n, x, rows, columns, hint) {
  const matrix = n.tensor(`${hint}_quantized`, 'int8', [rows, columns], (weights, count) => weights.signedBytes(count));
  const step = stepOf(rows);
  const scales = n.tensor(`${hint}_scale`, 'float32', [columns], (weights, count) =>
    weights.floats(count, step / 10, step),
  );
  const zeros = n.list(`${hint}_zero_point`, 'int8', new Int8Array(columns));
  const weight = n.op('DequantizeLinear', [matrix, scales, zeros], { axis: 1 });
  return n.values.after(n.op('MatMul', [n.values.of(x), weight]), 4);
}

/** MatMulNBits of 4 bits in blocks of 32, symmetric. */
function q4(n, x, rows, columns, hint, block = 32) {
  const blocks = Math.ceil(rows / block);
  const bytes = n.tensor(`${hint}_Q4`, 'uint8', [columns, blocks, block / 2], (weights, count) => weights.bytes(count));
  const step = Math.sqrt(3 / rows) / 8;
  const scales = n.floats(`${hint}_scales`, [columns * blocks], step / 10, step);
  const attributes = { K: rows, N: columns, bits: 4, block_size: block };
  return n.op('MatMulNBits', [x, bytes, scales], attributes, 1, 'com.microsoft');
}

export const productForms = { plain, dynamic, qdq, q4 };

/** Values of a network with their quantised forms: each value has one pair of QuantizeLinear and DequantizeLinear. */
export class QuantisedValues {
  #network;
  #dynamic = new Map();
  #pairs = new Map();
  constructor(network) {
    this.#network = network;
  }
  dynamic(x) {
    if (!this.#dynamic.has(x)) this.#dynamic.set(x, this.#network.op('DynamicQuantizeLinear', [x], {}, 3));
    return this.#dynamic.get(x);
  }
  /** x through uint8 from -range to range, or from 0 to range. */
  pair(x, range, isPositive = false) {
    const n = this.#network;
    const scale = n.list('scale', 'float32', [(isPositive ? range : 2 * range) / 255], []);
    const zero = n.list('zero_point', 'uint8', [isPositive ? 0 : 128], []);
    const y = n.op('DequantizeLinear', [n.op('QuantizeLinear', [x, scale, zero]), scale, zero]);
    this.#pairs.set(x, y);
    this.#pairs.set(y, y);
    return y;
  }
  /** x as a quantised operator reads it: with its pair in a QDQ network, and as it is elsewhere. */
  of(x, range = 4) {
    if (this.#network.products !== 'qdq') return x;
    return this.#pairs.get(x) ?? this.pair(x, range);
  }
  /** The result of a quantised operator. */
  after(x, range, isPositive = false) {
    return this.#network.products === 'qdq' ? this.pair(x, range, isPositive) : x;
  }
  /** A vector of weights as a quantised operator reads it: from uint8. */
  vector(hint, length, scale) {
    const n = this.#network;
    if (n.products !== 'qdq') return n.vector(hint, length, scale);
    const bytes = n.tensor(`${hint}_quantized`, 'uint8', [length], (weights, count) => weights.bytes(count));
    const step = n.list(`${hint}_scale`, 'float32', [scale / 127], []);
    return n.op('DequantizeLinear', [bytes, step, n.list(`${hint}_zero_point`, 'uint8', [128], [])]);
  }
}

/** A Gather of a table of embeddings: rows of bytes in a network of quantize_dynamic. */
export function gatherRows(n, ids, rows, columns, hint = 'Embedding') {
  const { products } = n;
  if (products === 'plain' || products === 'q4') return n.op('Gather', [n.floats(hint, [rows, columns], 1), ids]);
  const table = n.tensor(`${hint}_quantized`, 'uint8', [rows, columns], (weights, count) => weights.bytes(count));
  const scale = n.list(`${hint}_scale`, 'float32', [1 / 127], []);
  const zero = n.list(`${hint}_zero_point`, 'uint8', [128], []);
  if (products === 'dynamic') return n.op('DequantizeLinear', [n.op('Gather', [table, ids]), scale, zero]);
  return n.values.pair(n.op('Gather', [n.op('DequantizeLinear', [table, scale, zero]), ids]), 1);
}
