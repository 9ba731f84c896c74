import * as onnx from '../../../shared/onnx.js';

export type ElementType = 'float32' | 'float64' | 'uint8' | 'int64' | 'float16';

/** An attribute: a number is an integer, `{ float }` a float. */
export type Attribute = number | string | readonly number[] | { readonly float: number };

function attribute(name: string, value: Attribute): Uint8Array {
  if (typeof value === 'number') return onnx.attribute.int(name, value);
  if (typeof value === 'string') return onnx.attribute.string(name, value);
  return 'float' in value ? onnx.attribute.float(name, value.float) : onnx.attribute.ints(name, value, false);
}

/** Sizes of a value: numbers, or names. */
export type Sizes = readonly (number | string)[];

/** A graph that grows node by node; values are named after what makes them. */
export class GraphWriter {
  readonly #nodes: onnx.NodeSpec[] = [];
  readonly #initializers: Uint8Array[] = [];
  readonly #inputs: Uint8Array[] = [];
  readonly #outputs: Uint8Array[] = [];
  #count = 0;

  /** Adds a node with one output, and gives its name. */
  node(operator: string, inputs: readonly string[], attributes: { readonly [name: string]: Attribute } = {}): string {
    const name = `${operator.toLowerCase()}_${this.#count++}`;
    const written = Object.entries(attributes).map(([key, value]) => attribute(key, value));
    this.#nodes.push({ op: operator, inputs, outputs: [name], name, attributes: written });
    return name;
  }

  /** Adds a constant, and gives its name. */
  constant(type: ElementType, dims: readonly number[], values: ArrayLike<number>): string {
    const name = `constant_${this.#count++}`;
    this.#initializers.push(onnx.tensor(type, dims, values, name));
    return name;
  }

  input(name: string, type: ElementType, dims: Sizes): string {
    this.#inputs.push(onnx.value(name, type, dims));
    return name;
  }

  /** Makes a value an output of this name. */
  output(value: string, name: string, type: ElementType, dims: Sizes): void {
    this.#nodes.push({ op: 'Identity', inputs: [value], outputs: [name], name });
    this.#outputs.push(onnx.value(name, type, dims));
  }

  /** The file. */
  model(name: string, opset: number): Uint8Array {
    return onnx.model({
      nodes: this.#nodes,
      initializers: this.#initializers,
      inputs: this.#inputs,
      outputs: this.#outputs,
      name,
      producer: 'broadloom',
      opset,
    });
  }
}
