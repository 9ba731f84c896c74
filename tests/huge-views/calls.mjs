// Calls of every operator whose operands are views of up to 2^40 elements, as Expand makes them for nothing.
import { load } from '../../dist/inline.js';
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';
import { Draw, generatorOf } from '../differential/generators.mjs';
import { microsoftGenerators } from '../differential/microsoft-generators.mjs';
import { allTypes, product, Random } from '../differential/values.mjs';

export const ops = await load({ maximumMemory: 2 ** 28, limits: { milliseconds: 250 } });

/** Sizes around the powers of two at which products of sizes and of bytes wrap in 32 bits. */
export const hugeSizes = [20, 24, 26, 28, 29, 30, 31, 32, 33, 36, 40].flatMap((bits) => [
  2 ** bits - 1,
  2 ** bits,
  2 ** bits + 1,
]);

/** The parameter whose type a generator selects, if not the first input. */
const typed = {
  ConstantOfShape: ({ outputs }) => outputs[0],
  OneHot: ({ inputs }) => inputs[2],
  Where: ({ inputs }) => inputs[1],
};
const typesOf = (name, version) => {
  const parameter = typed[name]?.(version) ?? version.inputs[0];
  const allowed = version.typeConstraints[parameter.type] ?? [parameter.type];
  return allTypes.filter((type) => allowed.includes(type));
};

/** The dims with a huge size in the place of each axis of size `size`; or on one axis, if `axis` is given. */
export const enlarged = (dims, size, huge, axis) =>
  dims.map((own, i) => (own === size && (axis === undefined || axis === i) ? huge : own));

/** Element i of a type with two elements in a byte. */
const halfByte = (type, data, i) => {
  const bits = (data[i >> 1] >> (4 * (i & 1))) & 15;
  return type === 'int4' && bits > 7 ? bits - 16 : bits;
};

/** The base of a view of these dims: the elements of the first index along each axis that is enlarged. */
export function firstOf({ type, dims, data }, wanted) {
  const isView = wanted.some((size, i) => size !== dims[i]);
  const small = dims.map((size, i) => (size === wanted[i] ? size : 1));
  const strides = dims.map((_, i) => product(dims.slice(i + 1)));
  const places = Array.from({ length: product(small) }, (_, number) => {
    let rest = number;
    let place = 0;
    for (let i = small.length - 1; i >= 0; i--) {
      place += (rest % small[i]) * strides[i];
      rest = Math.floor(rest / small[i]);
    }
    return place;
  });
  const isPacked = type === 'int4' || type === 'uint4';
  const list = places.map((i) => (isPacked ? halfByte(type, data, i) : data[i]));
  const array = isPacked || Array.isArray(data) ? list : data.constructor.from(list);
  return { type, dims: wanted, isView, tensor: ops.tensor(type, array, small) };
}

/** Attributes as GraphBuilder writes them: the schema tells floats from integers. */
const written = (version, attributes) =>
  Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => {
      const type = version?.attributes.find(({ name }) => name === key)?.type;
      return [key, type === 'FLOAT' ? { float: value } : type === 'FLOATS' ? { floats: value } : value];
    }),
  );

const plain = (_, value) => (typeof value === 'bigint' ? Number(value) : value);
const titleOf = ({ name, version, domain, attributes }) =>
  `${name}-${version?.sinceVersion ?? domain} ${JSON.stringify(attributes, plain)}`;

/** The first opset with Expand. */
const expandsSince = 8;

/**
 * A model of one call whose operands are made by Expand within it, so that its plan has their layouts; and the feeds: the
 * elements that the views repeat. Before there was Expand, the feeds are the views.
 */
function modelOf({ name, domain, version, attributes, inputs, outputs, opset }) {
  const g = new GraphBuilder(opset);
  const feeds = {};
  const names = inputs.map((input, i) => {
    if (input === null) return '';
    feeds[`x${i}`] = input.tensor;
    if (input.isView && opset < expandsSince) feeds[`x${i}`] = ops.expand(input.tensor, input.dims);
    const x = g.input(`x${i}`, input.type, feeds[`x${i}`].dims);
    return input.isView && opset >= expandsSince ? g.op('Expand', [x, g.ints(input.dims)]) : x;
  });
  const results = Array.from({ length: outputs }, (_, i) => `y${i}`);
  g.op(name, names, written(version, attributes), results, domain);
  for (const result of results) g.output(result);
  return { file: g.model('huge', { domains: ['com.microsoft'] }), feeds };
}

/** A scalar with a huge number, or with the type's largest; undefined for types without numbers of integers. */
function scalarOf(type, huge) {
  const [, unsigned, bits] = /^(?:(u?)int|float)(8|16|32|64)$/.exec(type) ?? [];
  if (bits === undefined || type === 'float16') return undefined;
  const largest = type.startsWith('float') ? huge : 2 ** (bits - (unsigned ? 0 : 1)) - 1;
  const number = Math.min(huge, largest);
  return ops.tensor(type, [type.endsWith('int64') ? BigInt(number) : number], []);
}

const minimalOutputs = ({ outputs }) => outputs.filter(({ option }) => option !== 'optional').length;

/** The draws of an operator: for its versions, or for com.microsoft if only models have the operator. */
function* drawsOf({ name, domain, versions }, seed, count) {
  for (const version of versions ?? [undefined]) {
    for (let i = 0; i < count; i++) {
      const random = new Random(seed * 7919 + (version?.sinceVersion ?? 0) * 1009 + i);
      const {
        inputs,
        attributes = {},
        ...more
      } = version === undefined
        ? microsoftGenerators[name](random)
        : generatorOf(name)(new Draw(random, version, typesOf(name, version)));
      const outputs = Array.isArray(more.outputs) ? more.outputs.length : (more.outputs ?? 1);
      yield {
        name,
        domain: more.domain ?? domain,
        version,
        attributes,
        inputs,
        outputs: version === undefined ? outputs : minimalOutputs(version),
        opset: version === undefined ? (more.opset ?? 17) : version.sinceVersion,
        random,
      };
    }
  }
}

/**
 * Random calls of an operator: a text, the operands, and a model of the call. Each call has one huge size: everywhere where the
 * size occurs, or on one axis of one input. Where all operands are scalars, one of them has a huge number.
 */
export function* callsOf(operator, seed, count) {
  for (const { random, ...draw } of drawsOf(operator, seed, count)) {
    const sizes = [...new Set(draw.inputs.flatMap((input) => (input === null ? [] : [...input.dims])))].filter(Boolean);
    const huge = random.pick(hugeSizes);
    if (sizes.length === 0) {
      if (draw.inputs.some((input) => input?.dims.length !== 0)) continue;
      const one = random.integer(0, draw.inputs.length - 1);
      const scalar = scalarOf(draw.inputs[one].type, huge);
      if (scalar === undefined) continue;
      const inputs = draw.inputs.map((input, k) => ({
        ...input,
        tensor: k === one ? scalar : ops.tensor(input.type, [...input.data], []),
      }));
      yield {
        ...draw,
        inputs,
        text: `${titleOf(draw)} of scalars, input ${one} ${huge}`,
        ...modelOf({ ...draw, inputs }),
      };
      continue;
    }
    const size = random.pick(sizes);
    const isEverywhere = random.chance(0.6);
    const holders = draw.inputs.flatMap((input, k) =>
      input === null ? [] : [...input.dims].flatMap((own, axis) => (own === size ? [{ k, axis }] : [])),
    );
    const one = random.pick(holders);
    const dims = draw.inputs.map((input, k) => {
      if (input === null) return null;
      if (isEverywhere) return enlarged([...input.dims], size, huge);
      return one.k === k ? enlarged([...input.dims], size, huge, one.axis) : [...input.dims];
    });
    // Tensors have at most 2^53 - 1 elements, and Expand refuses more.
    if (dims.some((list) => list !== null && product(list.map((it) => Math.max(it, 1))) >= 2 ** 53)) continue;
    const inputs = draw.inputs.map((input, k) => (input === null ? null : firstOf(input, dims[k])));
    const shown = draw.inputs.map((input, k) => (input === null ? 'none' : `${input.type} [${dims[k]}]`));
    yield { ...draw, inputs, text: `${titleOf(draw)} of ${shown.join('; ')}`, ...modelOf({ ...draw, inputs }) };
  }
}
