// Builds graphs node by node, for models that tests and benchmarks make: it makes up names, and writes changed parameters (axes
// that became an input) as the opset has them.
import {
  floatAttribute,
  floatsAttribute,
  graphAttribute,
  initializer,
  input,
  integerAttribute,
  integersAttribute,
  model,
  node,
  output,
  tensor,
  tensorAttribute,
  textAttribute,
  textsAttribute,
} from './writer.mjs';

/** An attribute of the type float, where a number alone is an integer. */
export const float = (value) => ({ float: value });

function attribute(name, value) {
  if (value instanceof GraphBuilder) return graphAttribute(name, value.fields());
  if (Array.isArray(value)) return (typeof value[0] === 'string' ? textsAttribute : integersAttribute)(name, value);
  if (typeof value === 'string') return textAttribute(name, value);
  if (typeof value === 'number') return integerAttribute(name, value);
  if (value.float !== undefined) return floatAttribute(name, value.float);
  if (value.floats !== undefined) return floatsAttribute(name, value.floats);
  return tensorAttribute(name, tensor(value.dims, value.data, value.type));
}

export class GraphBuilder {
  #nodes = [];
  #rest = [];
  #names;
  constructor(opset, names = { count: 0 }) {
    this.opset = opset;
    this.#names = names;
  }

  /** A graph for an attribute of a node of this one: its names differ from all others. */
  inner() {
    return this.within(this.#names);
  }
  /** A builder of the same kind, which takes its names from these. */
  within(names) {
    return new GraphBuilder(this.opset, names);
  }

  name(hint) {
    this.#names.count++;
    return `${hint}_${this.#names.count}`;
  }

  /**
   * Adds a node. Adds a node and returns the name of its one output, or the names of as many outputs as are asked for (a list:
   * these names).
   */
  op(operator, inputs, attributes = {}, outputs = 1, domain = undefined) {
    const label = this.name(operator);
    const names = Array.isArray(outputs)
      ? outputs
      : Array.from({ length: outputs }, (_, i) => (i === 0 ? `${label}_output` : `${label}_output_${i}`));
    const written = Object.entries(attributes).map(([key, value]) => attribute(key, value));
    this.#nodes.push(node(operator, label, inputs, names, written, domain));
    return names.length === 1 ? names[0] : names;
  }

  constant(type, dims, data) {
    return this.op('Constant', [], { value: { type, dims, data } });
  }
  int(value) {
    return this.constant('int64', [], [value]);
  }
  ints(values) {
    return this.constant('int64', [values.length], values);
  }
  number(value) {
    return this.constant('float32', [], [value]);
  }

  weight(hint, dims, data, type = 'float32') {
    const name = this.name(hint);
    this.add(initializer(name, dims, data, type));
    return name;
  }

  input(name, type, dims) {
    this.add(input(name, type, dims));
    return name;
  }
  output(name, type, dims) {
    this.add(output(name, type, dims));
    return name;
  }
  /** Any field of GraphProto besides nodes. */
  add(field) {
    this.#rest.push(field);
  }

  // Operators whose axes were an attribute and became an input.
  #axes(operator, x, axes, since, attributes = {}) {
    if (this.opset < since) return this.op(operator, [x], { ...attributes, axes });
    return this.op(operator, [x, this.ints(axes)], attributes);
  }
  unsqueeze(x, ...axes) {
    return this.#axes('Unsqueeze', x, axes, 13);
  }
  squeeze(x, ...axes) {
    return this.#axes('Squeeze', x, axes, 13);
  }
  reduce(operator, x, axes, keepdims = 1) {
    return this.#axes(operator, x, axes, operator === 'ReduceSum' ? 13 : 18, { keepdims });
  }
  slice(x, starts, ends, axes) {
    if (this.opset < 10) return this.op('Slice', [x], { starts, ends, axes });
    return this.op('Slice', [x, this.ints(starts), this.ints(ends), this.ints(axes)]);
  }

  /** One size of x as a scalar, as PyTorch's x.size(axis) is exported. */
  size(x, axis) {
    return this.op('Gather', [this.op('Shape', [x]), this.int(axis)], { axis: 0 });
  }
  /** A list of sizes (names of scalars, or numbers) as one tensor. */
  sizes(list) {
    const each = list.map((size) => this.unsqueeze(typeof size === 'number' ? this.int(size) : size, 0));
    return this.op('Concat', each, { axis: 0 });
  }

  /** The nodes' order, changed by a function of their list. */
  reorder(change) {
    this.#nodes = change(this.#nodes);
  }
  fields() {
    return [...this.#nodes, ...this.#rest];
  }
  model(name, { domains = [], ...options } = {}) {
    return model(name, this.fields(), domains, { opset: this.opset, ir: this.opset < 10 ? 4 : 8, ...options });
  }
}
