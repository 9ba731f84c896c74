// Writes an .onnx file of one graph, field by field. Field numbers come from onnx/onnx.proto.

export type ElementType = 'float32' | 'float64' | 'uint8' | 'int64' | 'float16';

/** ONNX's number of each type. */
export const typeIds: { readonly [type in ElementType]: number } = {
  ...{ float32: 1, uint8: 2, int64: 7, float16: 10, float64: 11 },
};

type Bytes = readonly number[] | Uint8Array;

function varint(value: number): number[] {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

function joined(parts: readonly Bytes[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

const integer = (field: number, value: number): Bytes => [...varint(field * 8), ...varint(value)];

/** A field of bytes, or of a message, which is a list of fields. */
function message(field: number, content: Uint8Array | readonly Bytes[]): Bytes {
  const bytes = content instanceof Uint8Array ? content : joined(content);
  return joined([varint(field * 8 + 2), varint(bytes.length), bytes]);
}

const text = (field: number, value: string): Bytes => message(field, new TextEncoder().encode(value));

function float(field: number, value: number): Bytes {
  return joined([varint(field * 8 + 5), new Uint8Array(new Float32Array([value]).buffer)]);
}

/** An attribute: a number is an integer, `{ float }` a float. */
export type Attribute = number | string | readonly number[] | { readonly float: number };

function attribute(name: string, value: Attribute): Bytes {
  const [type, fields]: [number, readonly Bytes[]] =
    typeof value === 'number'
      ? [2, [integer(3, value)]]
      : typeof value === 'string'
        ? [3, [text(4, value)]]
        : 'float' in value
          ? [1, [float(2, value.float)]]
          : [7, value.map((one) => integer(8, one))];
  return message(5, [text(1, name), ...fields, integer(20, type)]);
}

function rawBytes(type: ElementType, values: ArrayLike<number>): Uint8Array {
  if (type === 'int64') return new Uint8Array(BigInt64Array.from(Array.from(values), BigInt).buffer);
  const Class = { float32: Float32Array, float64: Float64Array, uint8: Uint8Array, float16: Uint16Array }[type];
  return new Uint8Array(Class.from(values).buffer);
}

/** Sizes of a value: numbers, or names. */
export type Sizes = readonly (number | string)[];

function valueInfo(field: number, name: string, type: ElementType, dims: Sizes): Bytes {
  const sizes = dims.map((dim) => message(1, [typeof dim === 'number' ? integer(1, dim) : text(2, dim)]));
  return message(field, [text(1, name), message(2, [message(1, [integer(1, typeIds[type]), message(2, sizes)])])]);
}

/** A graph that grows node by node; values are named after what makes them. */
export class GraphWriter {
  readonly #fields: Bytes[] = [];
  #count = 0;

  /** Adds a node with one output, and gives its name. */
  node(operator: string, inputs: readonly string[], attributes: { readonly [name: string]: Attribute } = {}): string {
    const name = `${operator.toLowerCase()}_${this.#count++}`;
    const written = Object.entries(attributes).map(([key, value]) => attribute(key, value));
    const ends = [...inputs.map((input) => text(1, input)), text(2, name)];
    this.#fields.push(message(1, [...ends, text(3, name), text(4, operator), ...written]));
    return name;
  }

  /** Adds a constant, and gives its name. */
  constant(type: ElementType, dims: readonly number[], values: ArrayLike<number>): string {
    const name = `constant_${this.#count++}`;
    const sizes = dims.map((dim) => integer(1, dim));
    const tensor = [...sizes, integer(2, typeIds[type]), text(8, name), message(9, rawBytes(type, values))];
    this.#fields.push(message(5, tensor));
    return name;
  }

  input(name: string, type: ElementType, dims: Sizes): string {
    this.#fields.push(valueInfo(11, name, type, dims));
    return name;
  }

  /** Makes a value an output of this name. */
  output(value: string, name: string, type: ElementType, dims: Sizes): void {
    this.#fields.push(message(1, [text(1, value), text(2, name), text(3, name), text(4, 'Identity')]));
    this.#fields.push(valueInfo(12, name, type, dims));
  }

  /** The file. */
  model(name: string, opset: number): Uint8Array {
    return joined([
      integer(1, 8), // ir_version
      text(2, 'broadloom'),
      message(8, [text(1, ''), integer(2, opset)]),
      message(7, [...this.#fields, text(2, name)]),
    ]);
  }
}
