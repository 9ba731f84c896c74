// Makes If, Loop and Scan with their graphs, and local functions. Graphs read values of the graphs around them, and may use names
// that other graphs have, too.
import { Scope, Unfit } from './scope.mjs';
import { sizeOf } from './shapes.mjs';
import { knownValue, requiredWorlds } from './worlds.mjs';

const tensorTypes = ['float32', 'float64', 'int64', 'int32', 'bool', 'float16', 'string'];

function grow(scope, steps) {
  for (let i = steps; i > 0; i--) scope.builder.step(scope);
}
const last = (scope, fits) => {
  const list = scope.values.filter(fits);
  return list.length === 0 ? undefined : scope.random.chance(0.6) ? list.at(-1) : scope.random.pick(list);
};
const finish = (scope, outputs) => {
  scope.builder.note(scope);
  scope.graph.outputs = outputs.map(({ name, type }) => ({ name, type: scope.random.chance(0.7) ? type : undefined }));
  if (scope.isFunction) return scope.graph;
  scope.builder.innerNames.push(
    ...scope.graph.nodes.flatMap(({ outputs: names }) => names.filter((name) => name !== '')),
  );
  return scope.graph;
};

/** A scalar that decides: fed, constant, or computed of sizes or elements. */
function flag(scope) {
  const { random } = scope;
  const found = scope.visible().filter(({ type, dims }) => type === 'bool' && dims?.length === 0);
  if (found.length > 0 && random.chance(0.5)) return random.pick(found);
  if (random.chance(0.2)) return scope.fixed('bool', [], [random.integer(0, 1)]);
  const ranked = scope.visible().filter(({ dims }) => dims?.length > 0);
  if (ranked.length > 0 && random.chance(0.5) && scope.builder.opset >= 9) {
    const value = random.pick(ranked);
    const size = sizeOf(scope, value, random.integer(0, value.dims.length - 1), true);
    return scope.op(random.pick(['Less', 'Greater', 'Equal']), [size, scope.int(random.integer(1, 4))]);
  }
  if (scope.isInFunction()) return scope.fixed('bool', [], [random.integer(0, 1)]);
  return scope.input({ type: 'bool', dims: [], data: Uint8Array.of(random.integer(0, 1)) }, []);
}

/** The value under a name of this graph. */
const own = (scope, value) => scope.op('Identity', [value]);

function addIf(scope) {
  const { random } = scope;
  const condition = flag(scope);
  const [then, other] = [0, 1].map(() => {
    const branch = new Scope(scope.builder, scope);
    grow(branch, random.integer(0, 3));
    return branch;
  });
  const pick = (branch, type) =>
    last(branch, (value) => value.type === type) ??
    random.pick(branch.visible().filter((value) => value.type === type));
  const outputs = [[], []];
  for (let i = random.integer(1, 2); i > 0; i--) {
    const first =
      last(then, ({ type }) => tensorTypes.includes(type)) ??
      random.pick(then.visible().filter(({ type }) => tensorTypes.includes(type)));
    for (const [k, [branch, value]] of [
      [then, first],
      [other, pick(other, first.type)],
    ].entries()) {
      if (value === undefined) throw new Unfit('no value of this type');
      // Some read a value around them as it is.
      const isOwn = branch.values.includes(value);
      outputs[k].push(isOwn || random.chance(0.15) ? value : own(branch, value));
    }
  }
  const graphs = { then_branch: finish(then, outputs[0]), else_branch: finish(other, outputs[1]) };
  return scope.add(
    'If',
    [condition],
    random.chance(0.5) ? graphs : { else_branch: graphs.else_branch, then_branch: graphs.then_branch },
    { outputs: outputs[0].length },
  );
}

/** An input of a graph within a node. */
function bodyInput(body, hint, worlds) {
  const name = body.name(hint);
  const { type } = worlds[0];
  body.graph.inputs.push({ name, type: body.random.chance(0.9) ? type : undefined });
  const value = knownValue(name, worlds);
  body.values.push(value);
  return value;
}
const constantWorlds = (like, tensor) => like.map((one) => one && tensor);

function addLoop(scope) {
  const { random } = scope;
  const body = new Scope(scope.builder, scope);
  const some = scope
    .visible()
    .filter(
      ({ type, worlds }) => ['float32', 'int64', 'float64', 'int32'].includes(type) && worlds[0].data.length < 500,
    );
  const states = Array.from({ length: random.integer(0, 2) }, () => random.pick(some)).filter(Boolean);
  const any = (states[0] ?? scope.visible()[0]).worlds;
  const i = bodyInput(body, 'i', constantWorlds(any, { type: 'int64', dims: [], data: BigInt64Array.of(0n) }));
  const goes = bodyInput(body, 'go', constantWorlds(any, { type: 'bool', dims: [], data: Uint8Array.of(1) }));
  const inner = states.map(({ worlds }) => bodyInput(body, 'state', worlds));
  grow(body, random.integer(1, 3));
  const next = inner.map((state) => {
    const isSame = ({ type, dims }) => type === state.type && `${dims}` === `${state.dims}`;
    const made = last(
      body,
      (value) => value !== state && (random.chance(0.8) ? isSame(value) : value.type === state.type),
    );
    return made ?? own(body, state);
  });
  const isNew = ({ name, type }) => tensorTypes.includes(type) && !body.graph.inputs.some((one) => one.name === name);
  const scanned = Array.from({ length: random.integer(next.length === 0 ? 1 : 0, 2) }, () => last(body, isNew)).filter(
    Boolean,
  );
  const unique = [...new Set([...next, ...scanned])];
  const outputs = [...next, ...scanned].map((value, k, list) =>
    list.indexOf(value) === k && unique.includes(value) ? value : own(body, value),
  );
  const more =
    random.chance(0.6) || scope.builder.opset < 9
      ? own(body, goes)
      : body.op('Less', [i, body.int(random.integer(0, 3))]);
  if (outputs.length === 0) throw new Unfit('a loop for nothing');
  finish(body, [more, ...outputs]);
  const trips =
    random.chance(0.6) || scope.isInFunction()
      ? scope.int(random.integer(0, 4))
      : scope.input({ type: 'int64', dims: [], data: BigInt64Array.of(BigInt(random.integer(0, 4))) }, []);
  const start = random.chance(0.5) ? null : flag(scope);
  return scope.add('Loop', [trips, start, ...states], { body: body.graph }, { outputs: outputs.length });
}

/** The first part of a tensor along an axis. */
function firstOf(tensor, axis) {
  const { type, dims, data } = tensor;
  if (dims[axis] === 0) return undefined;
  const inner = dims.slice(axis + 1).reduce((a, b) => a * b, 1);
  const outer = dims.slice(0, axis).reduce((a, b) => a * b, 1);
  const list = Array.from({ length: outer }, (_, i) => [
    ...data.slice(i * dims[axis] * inner, (i * dims[axis] + 1) * inner),
  ]).flat();
  return { type, dims: dims.toSpliced(axis, 1), data: type === 'string' ? list : data.constructor.from(list) };
}

function addScan(scope) {
  const { random, builder } = scope;
  if (builder.opset < 9) throw new Unfit('Scan of old versions');
  const isScanned = ({ dims, type, worlds }) =>
    dims?.length > 0 && type !== 'string' && tensorTypes.includes(type) && worlds[0].data.length < 500;
  const source = last(scope, isScanned) ?? random.pick(scope.visible().filter(isScanned));
  if (source === undefined) throw new Unfit('nothing to scan');
  const axis = random.integer(0, source.dims.length - 1);
  const body = new Scope(builder, scope);
  const states = random.chance(0.6)
    ? [random.pick(scope.visible().filter(({ type }) => ['float32', 'int64'].includes(type)))].filter(Boolean)
    : [];
  const inner = states.map(({ worlds }) => bodyInput(body, 'state', worlds));
  const parts = source.worlds.map((tensor) => tensor && firstOf(tensor, axis));
  if (parts.slice(0, requiredWorlds).includes(undefined)) throw new Unfit('nothing to scan');
  const part = bodyInput(body, 'part', parts);
  grow(body, random.integer(1, 3));
  const next = inner.map(
    (state) => last(body, ({ type, dims }) => type === state.type && `${dims}` === `${state.dims}`) ?? state,
  );
  const scanned = last(body, ({ type, dims }) => dims !== undefined && tensorTypes.includes(type)) ?? part;
  const outputs = [...next, scanned].map((value, k, list) =>
    list.indexOf(value) === k && !body.graph.inputs.some(({ name }) => name === value.name) ? value : own(body, value),
  );
  finish(body, outputs);
  const attributes = { body: body.graph, num_scan_inputs: 1 };
  if (axis > 0 || random.chance(0.3)) attributes.scan_input_axes = [axis];
  if (random.chance(0.3)) attributes.scan_input_directions = [1];
  if (random.chance(0.3)) attributes.scan_output_directions = [1];
  if (scanned.dims.length > 0 && random.chance(0.3))
    attributes.scan_output_axes = [random.integer(0, scanned.dims.length)];
  return scope.add('Scan', [...states, source], attributes, { outputs: outputs.length });
}

export function addNested(scope) {
  if (scope.depth >= 3) return undefined;
  const { random, builder } = scope;
  const [operator, add] = random.pick([
    ['If', addIf],
    ['If', addIf],
    ['Loop', addLoop],
    ['Scan', addScan],
  ]);
  const made = scope.attempt(() => add(scope));
  if (made !== undefined) builder.used(operator);
  return made;
}

const referable = ['FLOAT', 'INT', 'INTS', 'FLOATS', 'STRING'];
/** Attributes of some nodes become attributes of the call. */
function referAttributes(random, nodes) {
  const given = [];
  for (const node of nodes)
    for (const [i, attribute] of node.attributes.entries()) {
      if (!referable.includes(attribute.kind) || !random.chance(0.4)) continue;
      const of = `a${given.length}`;
      given.push({ name: of, kind: attribute.kind, value: attribute.value });
      node.attributes[i] = { name: attribute.name, kind: 'REFERENCE', value: { of, type: attribute.kind } };
    }
  return given;
}

/** Another call of a function, for other operands of the same types, that may be left out at the end. */
function callAgain(scope, found) {
  const { random, builder } = scope;
  const { name, outputs } = random.pick(builder.functions);
  const { types, attributes } = builder.calls.get(name);
  const operands = types.map((type) => {
    const fits = found.filter((value) => value.type === type);
    if (fits.length === 0) throw new Unfit('no operand');
    return random.pick(fits);
  });
  // An attribute that is left out is left out of the nodes that refer to it.
  const given = structuredClone(attributes).filter(() => random.chance(0.8));
  return scope.add(name, operands, given, { outputs: outputs.length, domain: 'local' });
}

/** Puts a node of the graph around a function into it, too, on the same operand: of another opset it is another operator. */
function repeatNode(scope, body, operands) {
  const places = operands.map(({ name }) => name);
  const alike = scope.graph.nodes.filter(
    ({ domain, inputs, attributes }) =>
      domain === '' &&
      inputs.length === 1 &&
      places.includes(inputs[0]) &&
      attributes.every(({ kind }) => kind !== 'GRAPH'),
  );
  if (alike.length === 0) return;
  const { operator, inputs, attributes } = body.random.pick(alike);
  body.attempt(() => body.add(operator, [body.values[places.indexOf(inputs[0])]], structuredClone(attributes)));
}

/** A function of the model, made for values of the graph, and a call of it. */
export function addFunction(scope) {
  const { random, builder } = scope;
  if (builder.opset < 13 || scope.depth >= 2) return undefined;
  const found = scope.visible().filter(({ type, worlds }) => tensorTypes.includes(type) && worlds[0].data.length < 500);
  if (found.length === 0) return undefined;
  if (builder.functions.length > 0 && random.chance(0.4)) return scope.attempt(() => callAgain(scope, found));
  return scope.attempt(() => {
    const operands = Array.from({ length: random.integer(1, 2) }, () =>
      random.chance(0.5) ? found.at(-1) : random.pick(found),
    );
    const body = new Scope(builder, undefined, true);
    body.root = scope.root;
    body.depth = scope.depth + 1;
    const inputs = operands.map((value) => {
      const name = random.chance(0.5) ? `in${body.values.length}` : body.name('in');
      body.values.push(knownValue(name, value.worlds));
      return name;
    });
    const count = body.values.length;
    const opset = random.chance(0.4) ? random.integer(7, builder.newest) : builder.opset;
    builder.withOpset(opset, () => {
      if (random.chance(0.5)) repeatNode(scope, body, operands);
      grow(body, random.integer(1, 4));
    });
    builder.note(body);
    const made = [...new Set(body.values.slice(count))].filter(({ type }) => tensorTypes.includes(type));
    if (made.length === 0) throw new Unfit('nothing was made');
    const outputs = random.shuffled(made).slice(0, random.integer(1, 2));
    const attributes = referAttributes(random, body.graph.nodes);
    const name = builder.fresh('f');
    builder.calls.set(name, { types: operands.map(({ type }) => type), attributes });
    builder.functions.push({
      ...{ name, opset, inputs, outputs: outputs.map((value) => value.name) },
      ...{ attributes: attributes.map((one) => one.name), nodes: body.graph.nodes },
    });
    const values = scope.add(name, operands, attributes, { outputs: outputs.length, domain: 'local' });
    builder.used('local function');
    return values;
  });
}
