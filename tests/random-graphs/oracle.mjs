// The results of onnxruntime-node for the same model. If results differ, each node is compared by itself, on the operands that it
// has here. A difference must be one that tests/differential knows, or lie in the last bits of many nodes.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { reasonOf } from '../differential/differences.mjs';
import { isNan, numberOf } from '../differential/values.mjs';
import { allNodes, emptyGraph, readsOf, show, write } from '../support/random-graphs/structure.mjs';
import { Failure } from './runs.mjs';

const known = new Set(
  'float32 float64 float16 int8 uint8 int16 uint16 int32 uint32 int64 uint64 bool string'.split(' '),
);

let child;
/** Runs a file on each of some feeds: lists of results by name, or { failure } for the first one that fails. */
function ask(file, list) {
  child ??= fork(join(import.meta.dirname, 'oracle-process.mjs'), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return new Promise((resolve) => {
    const late = setTimeout(() => child?.kill('SIGKILL'), 20_000);
    const settle = (answer) => {
      clearTimeout(late);
      child?.removeAllListeners();
      resolve(answer);
    };
    child.once('message', settle);
    child.once('exit', () => {
      settle({ failure: 'the oracle crashed', isOpen: false });
      child = undefined;
    });
    child.send({ file, list });
  });
}
export function endOracle() {
  child?.kill();
  child = undefined;
}

/** Whether texts are equal, or two roundings of a float: ours has the fewest digits that read back as it, the oracle's 8 or 17. */
function areNearTexts(ours, theirs) {
  if (ours === theirs) return true;
  const [a, b] = [ours, theirs].map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
  return Math.abs(a - b) <= 1e-7 * Math.abs(a);
}

/** Whether tensors are equal, floats to so much of the largest number. */
function areNear(ours, theirs, part) {
  if (theirs === undefined || ours.type !== theirs.type || `${ours.dims}` !== `${theirs.dims}`) return false;
  const { type } = ours;
  if (type === 'string') return ours.data.every((one, i) => areNearTexts(one, theirs.data[i]));
  if (!/^float(16|32|64)$/.test(type)) return ours.data.every((one, i) => one === theirs.data[i]);
  let largest = 1;
  for (const one of ours.data) {
    const size = Math.abs(numberOf(type, one));
    if (size > largest && size < Infinity) largest = size;
  }
  return ours.data.every((one, i) => {
    const [a, b] = [numberOf(type, one), numberOf(type, theirs.data[i])];
    return a === b || (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= part * largest;
  });
}
const parts = { float64: 1e-9, float16: 4e-3 };
const partOf = ({ type }) => parts[type] ?? 2e-5;

const isMissing = (message) =>
  /the oracle crashed|NOT_IMPLEMENTED|Could not find an implementation|under development|is deprecated|InsertedPrecisionFreeCast|not supported|does not support|Unsupported|not a registered function|No Op registered/i.test(
    message,
  );

const attributesOf = ({ attributes = [] }) => Object.fromEntries(attributes.map(({ name, value }) => [name, value]));
const words = (name) => name.replace(/\d+$/, '');

/** Compares one node. Throws a Failure where nothing explains a difference. */
async function compareNode(subject, node, world, versions) {
  const { model, values } = subject;
  const tensors = new Map(values.map((value) => [value.name, value.worlds[world]]));
  const reads = readsOf(node);
  const graph = emptyGraph();
  graph.inputs = reads.map((name) => ({ name, type: tensors.get(name).type, dims: tensors.get(name).dims }));
  graph.nodes = [node];
  const names = node.outputs.filter((name) => name !== '');
  graph.outputs = names.map((name) => ({ name }));
  const { file } = write({ graph, functions: model.functions, opset: model.opset });
  const feeds = Object.fromEntries(reads.map((name) => [name, tensors.get(name)]));
  if (Object.values(feeds).some(({ type }) => !known.has(type))) return;
  const { all, failure } = await ask(file, [feeds]);
  const ours = names.map((name) => tensors.get(name));
  const theirs = all && names.map((name) => all[0][name]);
  if (failure !== undefined && isMissing(failure)) return;
  // Nodes with graphs, and functions, have the differences of what is within.
  const isWhole = node.domain !== 'local' && node.attributes.every(({ kind }) => kind !== 'GRAPH');
  if (!isWhole && (failure !== undefined || ours.every((one, i) => one.type === theirs[i].type))) return;
  const name = node.operator;
  if (theirs !== undefined && ours.every((one, i) => areNear(one, theirs[i], node.domain === '' ? 0 : partOf(one))))
    return;
  const version = versions.get(name)?.findLast(({ sinceVersion }) => sinceVersion <= model.opset);
  const inputs = node.inputs.map((input) => tensors.get(input) ?? null);
  const difference = {
    name,
    since: version?.sinceVersion,
    inputs,
    operands: inputs,
    attributes: attributesOf(node),
    ours,
    theirs,
    failure,
  };
  if (node.domain === '' && reasonOf(difference) !== undefined) return;
  if (isExplained(difference)) return;
  const operands = inputs.map((one) => one && show(one)).join('; ');
  throw new Failure(
    `the oracle: ${name}`,
    `${name} of opset ${model.opset} ${JSON.stringify(difference.attributes)} of ${operands}: ${failure ?? ours.map((one, i) => `ours ${show(one)}, the oracle's ${show(theirs[i])}`).join('; ')}`,
  );
}

const limits = { int32: 2 ** 31, int64: 2 ** 63 };

/** Differences that only operands of graphs show. */
function isExplained({ name, inputs, ours, theirs, failure }) {
  const isReal = (one) => /^float/.test(one?.type ?? '');
  const isNear = theirs !== undefined && ours.every((one, i) => areNear(one, theirs[i], partOf(one)));
  if (isNear) return true;
  // Sums and products that the type cannot hold: it has the number that is nearest where ours wrap around, as NumPy's do.
  const isOver = (first, add) =>
    Math.abs(inputs[0].data.reduce((all, one) => add(all, Number(one)), first)) >= limits[inputs[0].type];
  if (name === 'ReduceL1' && isOver(0, (all, one) => all + Math.abs(one))) return true;
  if (name === 'ReduceSumSquare' && isOver(0, (all, one) => all + one * one)) return true;
  if (name === 'ReduceProd' && isOver(1, (all, one) => all * Math.max(Math.abs(one), 1))) return true;
  // Halves between two levels are rounded in float32 here and there.
  const isLevel = ({ type, data }, other) =>
    /^u?int8$/.test(type) && data.every((one, i) => Math.abs(one - other.data[i]) <= 1);
  if (/^QLinear|Quantize/.test(name) && theirs !== undefined && ours.every((one, i) => isLevel(one, theirs[i])))
    return true;
  // Operands that hold NaN or infinities, and numbers that are too large for the sums that an operator makes.
  const isWild = inputs.some(
    (one) =>
      isReal(one) &&
      one.data.some((value) => isNan(one.type, value) || Math.abs(Number(numberOf(one.type, value))) > 1e4),
  );
  return isWild || (failure !== undefined && /zero|empty|size of 0|dimension.*0/i.test(failure) && name !== '');
}

const compared = [0, 2];

/** Whether a graph within a node has one value as two outputs. */
function repeatsOutputs({ graph, functions }) {
  const nodes = [...allNodes(graph), ...functions.flatMap((one) => [...allNodes(one)])];
  const inner = nodes.flatMap(({ attributes = [] }) => attributes.filter(({ kind }) => kind === 'GRAPH'));
  return inner.some(({ value: { outputs } }) => new Set(outputs.map(({ name }) => name)).size < outputs.length);
}

/**
 * Whether tensors are of other types or dims, or most of their elements are apart. The oracle computes what was folded here with
 * other last bits, and operators that round make steps of these.
 */
function areFar(ours, theirs) {
  if (ours.type !== theirs.type || `${ours.dims}` !== `${theirs.dims}`) return true;
  const part = (data) => ({ type: ours.type, dims: [1], data });
  const apart = [...ours.data.keys()].filter((i) => !areNear(part([ours.data[i]]), part([theirs.data[i]]), 1e-3));
  return 2 * apart.length > ours.data.length;
}

/** Whether a world has the defaults of inputs: a session takes no other elements for initializers. */
const hasDefaults = ({ feeds, model }, world) =>
  !model.graph.weights.some(({ name }) => feeds[world][name] !== undefined);

/** Whether the oracle took the model. Throws a Failure where its results have no explanation. */
export async function compareWithOracle(ops, subject, { plain, simplified }) {
  const { model, feeds } = subject;
  const graph = {
    ...model.graph,
    weights: model.graph.weights.map((one) => (one.how === 'external' ? { ...one, how: 'raw' } : one)),
  };
  if (repeatsOutputs(model))
    return { taken: false, why: 'a graph within a node gives a value twice: the oracle reads other memory' };
  const worlds = compared.filter((world) => hasDefaults(subject, world));
  const types = [
    ...worlds.flatMap((world) => [...Object.values(feeds[world]), ...Object.values(plain[world].results)]),
  ];
  if (types.some(({ type }) => !known.has(type))) return { taken: false, why: 'a type of inputs or outputs' };
  const { file } = write({ ...model, graph });
  const {
    all: found,
    failure,
    isOpen,
  } = await ask(
    file,
    worlds.map((world) => feeds[world]),
  );
  if (failure !== undefined && !isOpen) return { taken: false, why: words(failure) };
  const isSame = (world, i) =>
    Object.entries(plain[world].results).every(([name, one]) => areNear(one, found[i][name], partOf(one)));
  if (found !== undefined && worlds.every(isSame)) {
    await checkSimplifiedThere(subject, simplified[0], plain);
    return { taken: true };
  }
  const versions = new Map(ops.operators().map(({ name, versions: list }) => [name, list]));
  for (const world of worlds)
    for (const node of model.graph.nodes) if (node.inputs.length > 0) await compareNode(subject, node, world, versions);
  return { taken: failure === undefined, why: failure };
}

/** The oracle takes the simplified model, too, with results like the model's. */
async function checkSimplifiedThere({ feeds, model }, { bytes, options, worlds }, plain) {
  if (model.graph.weights.some(({ how }) => how === 'external')) return;
  const asked = worlds.filter((world) => compared.includes(world) && hasDefaults({ feeds, model }, world));
  const left = (world) =>
    Object.fromEntries(Object.entries(feeds[world]).filter(([name]) => options.values[name] === undefined));
  const { all, failure } = await ask(Buffer.from(bytes), asked.map(left));
  const where = JSON.stringify({ ...options, values: Object.keys(options.values) });
  // Before opset 11, it wants branches of an If to have the same dims, where it knows them: which it does once they are inferred.
  if (model.opset < 11 && /Can't merge shape info|Op \(If\).*inferred and declared dimensions/.test(failure ?? ''))
    return;
  // If the oracle knows the dims of gamma, it needs the dims of word_embedding, too.
  if (/gamma should have 2 dimension, dimension size known/.test(failure ?? '')) return;
  // If the total length is an input, the oracle plans the memory of the present by the sizes of the past.
  if (/running GroupQueryAttention node.*re-use buffer/.test(failure ?? '')) return;
  // The oracle needs the ranks of the outputs of a Scan's graph. It infers none for Reshape to an empty list, and refuses such a
  // graph unless Reshape is within a function.
  if (/running Scan node.*must have the shape set for all outputs/.test(failure ?? '')) return;
  if (failure !== undefined) throw new Failure('the oracle refuses the simplified model', `${failure}, with ${where}`);
  for (const [i, world] of asked.entries())
    for (const [name, theirs] of Object.entries(all[i]))
      if (areFar(plain[world].results[name], theirs))
        throw new Failure(
          'the oracle: the simplified model differs',
          `${name}: ${show(plain[world].results[name])}, the oracle has ${show(theirs)}, with ${where}`,
        );
}
