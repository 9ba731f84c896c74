// Networks as exporters write them: a GraphBuilder with weights by a seed, one type of elements, and products in one of the forms
// that quantisers write.
import { GraphBuilder } from '../graph-builder.mjs';
import { initializerParts } from '../writer.mjs';
import { productForms, QuantisedValues } from './quantised.mjs';
import { halfBits, Weights } from './weights.mjs';

const typeIds = { float32: 1, float16: 10, int64: 7, bool: 9, uint8: 2, int32: 6 };
const halves = (data) => Uint16Array.from(data, halfBits);

export class Network extends GraphBuilder {
  #outer;
  #known = new Set();
  #count = 0;
  /**
   * @param options.type - float32 or float16
   * @param options.products - plain, dynamic (DynamicQuantizeLinear, MatMulInteger), qdq or q4 (MatMulNBits)
   */
  constructor(
    { opset = 14, type = 'float32', products = 'plain', seed = 1 } = {},
    names = undefined,
    outer = undefined,
  ) {
    super(opset, names);
    Object.assign(this, { type, products, seed });
    this.#outer = outer;
    this.weights = new Weights(seed);
    this.values = new QuantisedValues(this);
  }
  /** A graph for an attribute. Its weights are those of this one: the first of both has the same name, and so on. */
  within(names) {
    return new Network(this, names, this.#outer ?? this);
  }

  /** An initializer, in the outermost graph. Merged branches that draw in the same order share it. */
  tensor(hint, type, dims, draw) {
    const name = `${hint}.${this.#count}`;
    this.#count++;
    const holder = this.#outer ?? this;
    const count = dims.reduce((product, size) => product * size, 1);
    if (!holder.#known.has(name)) {
      holder.#known.add(name);
      for (const part of initializerParts(name, dims, draw(holder.weights, count), type)) holder.add(part);
    }
    return name;
  }
  get drawn() {
    return this.#count;
  }
  /** The following weights are those that came after as many (shared layers). */
  again(drawn) {
    this.#count = drawn;
  }
  /** Weights from -scale to scale, around `middle`. */
  floats(hint, dims, scale, middle = 0) {
    const draw = this.type === 'float16' ? 'halves' : 'floats';
    return this.tensor(hint, this.type, dims, (weights, count) => weights[draw](count, scale, middle));
  }
  vector(hint, length, scale = 0.1, middle = 0) {
    return this.floats(hint, [length], scale, middle);
  }
  /** A matrix that keeps the variance of rows of as many numbers. */
  matrix(hint, rows, columns) {
    return this.floats(hint, [rows, columns], Math.sqrt(3 / rows));
  }
  /** These elements. */
  list(hint, type, data, dims = [data.length]) {
    const Elements = { float32: Float32Array, int8: Int8Array, uint8: Uint8Array, int32: Int32Array }[type];
    return this.tensor(hint, type, dims, () => (Array.isArray(data) ? Elements.from(data) : data));
  }

  /** A Constant of the network's type. */
  number(value) {
    return this.numbers([], [value]);
  }
  numbers(dims, data) {
    return this.constant(this.type, dims, this.type === 'float16' ? halves(data) : data);
  }
  cast(x, type) {
    return this.op('Cast', [x], { to: typeIds[type] });
  }
  /** x as float32 and back where the network has another type, as exporters write around what would overflow. */
  wide(x, compute) {
    if (this.type === 'float32') return compute(x, (value) => this.constant('float32', [], [value]));
    return this.cast(
      compute(this.cast(x, 'float32'), (value) => this.constant('float32', [], [value])),
      this.type,
    );
  }

  /** x times a matrix that is drawn, in the network's form of products. */
  product(x, rows, columns, hint = 'MatMul') {
    return productForms[this.products](this, x, rows, columns, hint);
  }
  /** torch.nn.Linear as legacy exports have it: MatMul, and the bias first in Add. */
  linear(x, rows, columns, hint = 'MatMul') {
    const y = this.product(x, rows, columns, hint);
    return this.values.after(this.op('Add', [this.values.vector(`${hint}.bias`, columns, 0.1), y]), 4);
  }
  /** The sum of two values. */
  sum(a, b, range = 6) {
    return this.values.after(this.op('Add', [this.values.of(a), this.values.of(b)]), range);
  }
  transpose(x, ...perm) {
    return this.op('Transpose', [x], { perm });
  }
  reshape(x, sizes) {
    return this.op('Reshape', [x, typeof sizes === 'string' ? sizes : this.ints(sizes)]);
  }
  /** x.view(x.size(0), x.size(1), ...last), sizes by Shape, Gather, Unsqueeze and Concat. */
  view(x, ...last) {
    return this.op('Reshape', [x, this.sizes([this.size(x, 0), this.size(x, 1), ...last])]);
  }
  /** x.expand(sizes), where -1 keeps a size: how PyTorch writes it. */
  expand(x, sizes) {
    const wanted = this.op('Reshape', [sizes, this.ints([-1])]);
    const one = { value: { type: 'int64', dims: [1], data: [1] } };
    const ones = this.op('ConstantOfShape', [this.op('Shape', [wanted])], one);
    const keeps = this.op('Equal', [wanted, this.op('Mul', [ones, this.int(-1)])]);
    return this.op('Expand', [x, this.op('Where', [keeps, ones, wanted])]);
  }
  /** x from `start` to `end` of an axis, Constants as nodes. */
  part(x, axis, start, end) {
    return this.op('Slice', [x, this.ints([start]), this.ints([end]), this.ints([axis]), this.ints([1])]);
  }
  /** An output under this name. */
  result(name, x, dims, type = this.type) {
    this.output(this.op('Identity', [x], {}, [name]), type, dims);
  }
  file(name) {
    return this.model(name, { domains: ['com.microsoft'] });
  }
}
