// The element types of the cases, and their values. `id` is ONNX's TensorProto.DataType. One element takes `lanes` numbers of the
// array.
export const elementTypes = {
  uint8: { id: 2, itemSize: 1, array: Uint8Array, lanes: 1 },
  int8: { id: 3, itemSize: 1, array: Int8Array, lanes: 1 },
  bool: { id: 9, itemSize: 1, array: Uint8Array, lanes: 1 },
  int16: { id: 5, itemSize: 2, array: Int16Array, lanes: 1 },
  float16: { id: 10, itemSize: 2, array: Uint16Array, lanes: 1 },
  bfloat16: { id: 16, itemSize: 2, array: Uint16Array, lanes: 1 },
  float32: { id: 1, itemSize: 4, array: Float32Array, lanes: 1 },
  float64: { id: 11, itemSize: 8, array: Float64Array, lanes: 1 },
  int32: { id: 6, itemSize: 4, array: Int32Array, lanes: 1 },
  int64: { id: 7, itemSize: 8, array: BigInt64Array, lanes: 1 },
  complex128: { id: 15, itemSize: 16, array: Float64Array, lanes: 2 },
};

export const sizeOf = (dims) => dims.reduce((product, dim) => product * dim, 1);

export const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

/** The value of fills: its bytes differ, in each type of more than one byte. */
export const fillValue = 1.5;
const halfFillBits = { float16: 0x3e00, bfloat16: 0x3fc0 };

/** One element of the fill. */
export function fillData(type) {
  const { array, lanes } = elementTypes[type];
  const value = halfFillBits[type] ?? (array === Uint8Array || array === Int16Array ? 259 : fillValue);
  return new array(lanes).fill(value);
}

/**
 * The elements of an input. Their period is 251, a prime, so that powers of two do not hide a wrong stride. None is NaN in any
 * type. bench/peers/numpy-child.py makes the same ones.
 */
export function inputData(type, dims) {
  const { array, lanes } = elementTypes[type];
  return array.from({ length: sizeOf(dims) * lanes }, (_, i) => (i % 251) + 1);
}
