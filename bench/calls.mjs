// The section Calls: operators alone, in turns with onnxruntime-web on one thread in the same process. The results are compared.
import { GraphBuilder } from '../tools/models/graph-builder.mjs';
import { callCases } from './call-cases.mjs';
import { measureOne } from './models.mjs';
import { countOf } from './numbers.mjs';

/** A model of one node. */
function modelOf({ op, inputs, attributes, opset = 21, domain, outputs = 1 }) {
  const g = new GraphBuilder(opset);
  const names = inputs.map((it, i) => {
    if (it === undefined) return '';
    if (!it.isConstant) return g.input(`x${i}`, it.type, it.dims);
    return g.weight('w', it.dims, Buffer.from(it.make().buffer), it.type);
  });
  const results = Array.from({ length: outputs }, (_, i) => `y${i}`);
  g.op(op, names, attributes, results, domain);
  for (const name of results) g.output(name);
  return g.model('call', domain === undefined ? {} : { domains: [domain] });
}

/** Feeds as measureOne takes them. */
const feedsOf = ({ inputs }) =>
  inputs.flatMap((it, i) =>
    it?.isConstant === false ? [{ name: `x${i}`, type: it.type, elements: it.make(), dims: it.dims }] : [],
  );

const written = (value) => value?.float ?? value;

const shortOf = ({ type, dims, isConstant, make }) => {
  const isShort = isConstant && dims.length < 2 && countOf(dims) <= 4;
  const values = isShort ? `=${Array.from(make(), (value) => Number(Number(value).toPrecision(3)))}` : '';
  return `${type}[${dims}]${isConstant ? '*' : ''}${values}`;
};

/** `ReduceSum float32[64,64] int64[1]*=1 keepdims=0`: a star marks constants. */
function nameOf({ op, inputs, attributes }) {
  const values = inputs.map((it) => (it === undefined ? '-' : shortOf(it)));
  const settings = Object.entries(attributes).map(([key, value]) => `${key}=${written(value)}`);
  return [op, ...values, ...settings].join(' ');
}

/** The calls of these operators, or all, as models: each with its section and its name. */
export function callModels(operators = []) {
  return Object.entries(callCases).flatMap(([section, cases]) =>
    cases
      .filter(({ op }) => operators.length === 0 || operators.includes(op))
      .map((item) => ({
        ...item,
        section,
        name: nameOf(item),
        make: () => modelOf(item),
        feeds: () => feedsOf(item),
      })),
  );
}

/**
 * @param operators - those to measure; all, if there are none
 * @returns a row for each case, with its section, and the cases without a result to compare, with the reason
 */
export async function measureCalls(runtime, ort, rounds, operators) {
  const rows = [];
  const refused = [];
  for (const item of callModels(operators)) {
    try {
      rows.push({ section: item.section, ...(await measureOne(item, runtime, ort, rounds)) });
    } catch (error) {
      refused.push({ name: item.name, reason: error.message });
    }
  }
  return { rows, refused };
}
