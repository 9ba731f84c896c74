// The networks that can be measured: a product, a convolutional network, and a transformer as exporters write it. Their weights are
// random numbers, the same ones every time.
import * as onnx from '../../../shared/onnx.js';

export const networkNames = ['product', 'convolutions', 'transformer'] as const;
export type NetworkName = (typeof networkNames)[number];

export interface Network {
  /** The .onnx file, from the input `x` to the output `y`, both float32. */
  readonly model: Uint8Array<ArrayBuffer>;
  readonly dims: readonly number[];
  /** Multiplications and additions of its products and convolutions. */
  readonly operations: number;
}

const sizeOf = (dims: readonly number[]): number => dims.reduce((product, size) => product * size, 1);

/** Numbers from -1 to 1 of a linear congruential generator. */
export function randomNumbers(dims: readonly number[], seed: number): Float32Array<ArrayBuffer> {
  let state = seed;
  return new Float32Array(sizeOf(dims)).map(() => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  });
}

/** Adds nodes one after the other. Each method returns the name of a value. */
class Builder {
  readonly #nodes: onnx.NodeSpec[] = [];
  readonly #initializers: Uint8Array[] = [];
  #operations = 0;

  op(op: string, inputs: readonly string[], attributes: readonly Uint8Array[] = []): string {
    const output = `v${this.#nodes.length}`;
    this.#nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  }

  constant(type: string, dims: readonly number[], data: ArrayLike<unknown>): string {
    const name = `w${this.#initializers.length}`;
    this.#initializers.push(onnx.tensor(type, dims, data, name));
    return name;
  }

  /** Random weights. A sum of so many inputs times weights is about as large as an input. */
  weights(dims: readonly number[], inputs: number): string {
    const scale = Math.sqrt(3 / inputs);
    const numbers = randomNumbers(dims, this.#initializers.length + 1);
    return this.constant(
      'float32',
      dims,
      numbers.map((value) => value * scale),
    );
  }

  number(value: number): string {
    return this.constant('float32', [], [value]);
  }

  /** Rows of `inputs` elements times a matrix. */
  product(x: string, rows: number, inputs: number, outputs: number): string {
    this.#operations += 2 * rows * inputs * outputs;
    return this.op('MatMul', [x, this.weights([inputs, outputs], inputs)]);
  }

  /** `count` products of two values. */
  productOf(a: string, b: string, [count, rows, inner, columns]: readonly [number, number, number, number]): string {
    this.#operations += 2 * count * rows * inner * columns;
    return this.op('MatMul', [a, b]);
  }

  /** A square convolution whose output has `size` rows and columns, and Relu. */
  convolution(
    x: string,
    [inputs, outputs]: readonly [number, number],
    { size, kernel, stride = 1, group = 1 }: { size: number; kernel: number; stride?: number; group?: number },
  ): string {
    const ofEach = (inputs / group) * kernel * kernel;
    this.#operations += 2 * size * size * outputs * ofEach;
    const pad = (kernel - 1) / 2;
    const inputsOfNode = [
      x,
      this.weights([outputs, inputs / group, kernel, kernel], ofEach),
      this.weights([outputs], 3),
    ];
    const { ints, int } = onnx.attribute;
    const attributes = [ints('pads', [pad, pad, pad, pad]), ints('strides', [stride, stride]), int('group', group)];
    return this.op('Relu', [this.op('Conv', inputsOfNode, attributes)]);
  }

  reshaped(x: string, dims: readonly number[]): string {
    return this.op('Reshape', [x, this.constant('int64', [dims.length], dims)]);
  }

  transposed(x: string, perm: readonly number[]): string {
    return this.op('Transpose', [x], [onnx.attribute.ints('perm', perm)]);
  }

  normalised(x: string, size: number): string {
    const scale = this.constant('float32', [size], new Float32Array(size).fill(1));
    const attributes = [onnx.attribute.int('axis', -1)];
    return this.op('LayerNormalization', [x, scale, this.weights([size], size)], attributes);
  }

  /** Gelu in the five nodes of exporters. */
  gelu(x: string): string {
    const part = this.op('Erf', [this.op('Div', [x, this.number(Math.SQRT2)])]);
    return this.op('Mul', [this.op('Mul', [x, this.op('Add', [part, this.number(1)])]), this.number(0.5)]);
  }

  network(dims: readonly number[], last: string, lastDims: readonly number[]): Network {
    const model = onnx.model({
      nodes: [...this.#nodes, { op: 'Identity', inputs: [last], outputs: ['y'] }],
      inputs: [onnx.value('x', 'float32', dims)],
      outputs: [onnx.value('y', 'float32', lastDims)],
      initializers: this.#initializers,
      opset: 17,
    });
    return { model, dims, operations: this.#operations };
  }
}

function product(): Network {
  const [rows, size] = [256, 768];
  const builder = new Builder();
  return builder.network([rows, size], builder.product('x', rows, size, size), [rows, size]);
}

/** Depthwise and pointwise convolutions in turns, as in networks for phones. */
function convolutions(): Network {
  const builder = new Builder();
  let size = 112;
  let x = builder.convolution('x', [3, 24], { size, kernel: 3, stride: 2 });
  let channels = 24;
  for (const [outputs, stride] of [
    [48, 1],
    [96, 2],
    [96, 1],
    [192, 2],
    [192, 1],
    [384, 2],
    [384, 1],
    [384, 1],
  ] as const) {
    size /= stride;
    x = builder.convolution(x, [channels, channels], { size, kernel: 3, stride, group: channels });
    x = builder.convolution(x, [channels, outputs], { size, kernel: 1 });
    channels = outputs;
  }
  const pooled = builder.op('Flatten', [builder.op('GlobalAveragePool', [x])]);
  const classes = 1000;
  return builder.network([1, 3, 224, 224], builder.product(pooled, 1, channels, classes), [1, classes]);
}

/** Two layers of an encoder over 128 tokens. */
function transformer(): Network {
  const [tokens, heads, ofHead] = [128, 6, 64];
  const width = heads * ofHead;
  const builder = new Builder();
  const headsOf = (x: string, perm: readonly number[]): string =>
    builder.transposed(builder.reshaped(builder.product(x, tokens, width, width), [1, tokens, heads, ofHead]), perm);
  let x = 'x';
  for (let layer = 0; layer < 2; layer++) {
    const [queries, keys, values] = [headsOf(x, [0, 2, 1, 3]), headsOf(x, [0, 2, 3, 1]), headsOf(x, [0, 2, 1, 3])];
    const scores = builder.productOf(queries, keys, [heads, tokens, ofHead, tokens]);
    const scaled = builder.op('Div', [scores, builder.number(Math.sqrt(ofHead))]);
    const weights = builder.op('Softmax', [scaled], [onnx.attribute.int('axis', -1)]);
    const mixed = builder.productOf(weights, values, [heads, tokens, tokens, ofHead]);
    const joined = builder.reshaped(builder.transposed(mixed, [0, 2, 1, 3]), [1, tokens, width]);
    const attended = builder.normalised(builder.op('Add', [x, builder.product(joined, tokens, width, width)]), width);
    const inner = builder.gelu(builder.product(attended, tokens, width, 4 * width));
    x = builder.normalised(builder.op('Add', [attended, builder.product(inner, tokens, 4 * width, width)]), width);
  }
  return builder.network([1, tokens, width], x, [1, tokens, width]);
}

const makers: { readonly [name in NetworkName]: () => Network } = { product, convolutions, transformer };

export function networkOf(name: NetworkName): Network {
  return makers[name]();
}
