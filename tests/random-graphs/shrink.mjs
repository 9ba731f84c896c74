// Makes a model that fails smaller, as long as it fails in the same way.
import { allNodes, calledBy, readsOf } from '../support/random-graphs/structure.mjs';
import { isFixed } from '../support/random-graphs/worlds.mjs';

const clone = (subject) => ({ ...subject, ...structuredClone({ model: subject.model, choices: subject.choices }) });

/** Removes what no output needs. */
function prune(subject) {
  const { graph } = subject.model;
  const needed = new Set(graph.outputs.map(({ name }) => name));
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const node of graph.nodes) {
      if (!node.outputs.some((name) => needed.has(name))) continue;
      for (const name of readsOf(node)) if (!needed.has(name)) isMore = needed.add(name) !== undefined;
    }
  }
  graph.nodes = graph.nodes.filter(({ outputs }) => outputs.some((name) => needed.has(name)));
  for (const key of ['inputs', 'weights', 'infos']) graph[key] = graph[key].filter(({ name }) => needed.has(name));
  subject.model.functions = calledBy(graph.nodes, subject.model.functions);
  settle(subject);
  return subject;
}

/** Feeds and choices have no names that the graph has no more. */
function settle(subject) {
  const { graph } = subject.model;
  const names = new Set(
    [...graph.inputs, ...graph.weights.filter(({ how }) => how === 'default')].map(({ name }) => name),
  );
  const made = new Set([
    ...names,
    ...graph.weights.map(({ name }) => name),
    ...graph.nodes.flatMap(({ outputs }) => outputs),
  ]);
  const outputs = graph.outputs.map(({ name }) => name);
  const dims = new Set(graph.inputs.flatMap((one) => one.dims ?? []));
  const keep = (object, isKept) => Object.fromEntries(Object.entries(object).filter(([name]) => isKept(name)));
  subject.feeds = subject.feeds.map((feed) => keep(feed, (name) => names.has(name)));
  const { choices } = subject;
  for (const part of choices.parts) part.outputs = part.outputs.filter((name) => made.has(name));
  choices.parts = choices.parts.filter((part) => part.outputs.length > 0);
  for (const { options } of choices.simplifications) {
    options.values = keep(options.values, (name) => names.has(name));
    options.dims = keep(options.dims, (name) => dims.has(name));
    if (options.outputs === undefined) continue;
    options.outputs = options.outputs.filter((name) => outputs.includes(name));
    if (options.outputs.length === 0) delete options.outputs;
  }
}

/** Nodes become inputs that are fed with what the nodes made. */
function cut(subject, nodes) {
  const { graph } = subject.model;
  const gone = new Set(nodes.flatMap(({ outputs }) => outputs.filter((name) => name !== '')));
  const known = new Map(subject.values.map((value) => [value.name, value]));
  graph.nodes = graph.nodes.filter((node) => !nodes.includes(node));
  graph.infos = graph.infos.filter(({ name }) => !gone.has(name));
  subject.feeds = subject.feeds.map((feed) => ({ ...feed }));
  for (const name of gone) {
    const { type, dims, worlds } = known.get(name);
    graph.inputs.push({ name, type, dims: dims?.map((axis) => (isFixed(axis) ? axis[0] : null)) });
    for (const [world, feed] of subject.feeds.entries()) if (worlds[world] !== undefined) feed[name] = worlds[world];
  }
  return prune(subject);
}

/** Ways to make a subject smaller: functions that change a copy of it. Larger steps come first. */
function* steps({ model: { graph, functions }, choices }) {
  for (let i = 0; i < choices.simplifications.length; i++) yield (one) => void one.choices.simplifications.splice(i, 1);
  if (choices.parts.length > 0) yield (one) => void (one.choices.parts = []);
  for (let i = 0; i < graph.outputs.length && graph.outputs.length > 1; i++)
    yield (one) => {
      one.model.graph.outputs = [one.model.graph.outputs[i]];
      prune(one);
    };
  for (let i = 0; i < graph.outputs.length && graph.outputs.length > 1; i++)
    yield (one) => {
      one.model.graph.outputs.splice(i, 1);
      prune(one);
    };
  const { length } = graph.nodes;
  for (let size = length >> 1; size >= 1; size >>= 1)
    for (let at = 0; at + size <= length; at += size)
      yield (one) => void cut(one, one.model.graph.nodes.slice(at, at + size));
  // A value in the middle is an output instead of what follows from it.
  for (let i = 0; i < length; i++)
    yield (one) => {
      one.model.graph.outputs = one.model.graph.nodes[i].outputs
        .filter((name) => name !== '')
        .map((name) => ({ name }));
      prune(one);
    };
  for (let i = 0; i < graph.weights.length; i++)
    if (graph.weights[i].how !== 'raw') yield (one) => void (one.model.graph.weights[i].how = 'raw');
  if (graph.infos.length > 0) yield (one) => void (one.model.graph.infos = []);
  for (let i = 0; i < graph.outputs.length; i++)
    if (graph.outputs[i].type !== undefined)
      yield (one) => void (one.model.graph.outputs[i] = { name: graph.outputs[i].name });
  yield* optionSteps(choices);
  const count = [...allNodes(graph)].length + functions.reduce((sum, one) => sum + one.nodes.length, 0);
  for (let i = 0; i < count; i++) yield* nodeSteps(i, graph, functions);
  yield* innerSteps(graph, functions);
}

function* optionSteps({ simplifications }) {
  for (const [i, { options }] of simplifications.entries()) {
    for (const key of ['outputs', 'unroll', 'valueInfo', 'maxGrowth', 'skip'])
      if (options[key] !== undefined) yield (one) => delete one.choices.simplifications[i].options[key];
    for (const key of ['dims', 'values'])
      for (const name of Object.keys(options[key]))
        yield (one) => delete one.choices.simplifications[i].options[key][name];
    if (options.skip?.length > 1)
      for (const name of options.skip)
        yield (one) =>
          void (one.choices.simplifications[i].options.skip = options.skip.filter((other) => other !== name));
  }
}

const nodesOf = ({ graph, functions }) => [
  ...allNodes(graph),
  ...functions.flatMap(({ nodes }) => [...allNodes({ nodes })]),
];

/** Fewer attributes, inputs and outputs of a node. */
function* nodeSteps(i, graph, functions) {
  const node = nodesOf({ graph, functions })[i];
  if (node === undefined) return;
  const at = (one) => nodesOf(one.model)[i];
  for (let k = 0; k < (node.attributes?.length ?? 0); k++)
    if (node.attributes[k].kind !== 'GRAPH') yield (one) => void at(one).attributes.splice(k, 1);
  for (let k = 1; k < node.inputs.length; k++)
    if (node.inputs[k] !== '')
      yield (one) => {
        const { inputs } = at(one);
        inputs[k] = '';
        while (inputs.at(-1) === '') inputs.pop();
        prune(one);
      };
}

/** Nodes within graphs and functions: what they made is what they read. */
function* innerSteps(graph, functions) {
  const lists = (model) => [
    ...[...allNodes(model.graph)].flatMap(({ attributes = [] }) =>
      attributes.filter(({ kind }) => kind === 'GRAPH').map(({ value }) => value),
    ),
    ...model.functions,
  ];
  const found = lists({ graph, functions });
  for (const [k, { nodes }] of found.entries())
    for (let i = nodes.length - 1; i >= 0; i--)
      yield (one) => {
        const inner = lists(one.model)[k];
        const [gone] = inner.nodes.splice(i, 1);
        const source = gone.inputs.find((name) => name !== '');
        const other = (name) => (gone.outputs.includes(name) && name !== '' ? source : name);
        for (const node of allNodes(inner)) node.inputs = node.inputs.map(other);
        inner.outputs = inner.outputs.map((output) =>
          typeof output === 'string' ? other(output) : { ...output, name: other(output.name) },
        );
        prune(one);
      };
}

/**
 * The smallest subject found that fails in the same way: `failsWith` gives the kind of a subject's failure, or undefined. It may
 * be a promise.
 */
export async function shrink(subject, kind, failsWith, most = 1500) {
  let best = subject;
  let tries = 0;
  for (let isSmaller = true; isSmaller && tries < most; ) {
    isSmaller = false;
    for (const step of steps(best)) {
      if (tries++ > most) break;
      const next = clone(best);
      try {
        step(next);
        settle(next);
        if ((await failsWith(next)) !== kind) continue;
      } catch {
        continue;
      }
      best = next;
      isSmaller = true;
      break;
    }
  }
  return best;
}
