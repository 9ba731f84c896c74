// Runs of models and their comparison.

import { copyOf, differenceOf } from '../support/random-graphs/tensors.mjs';
import { contradictionOf } from './expressions.mjs';

/** A way that differs from another. `kind` says which, so that a smaller graph is known to fail in the same way. */
export class Failure extends Error {
  constructor(kind, message) {
    super(`${kind}: ${message}`);
    this.kind = kind;
  }
}

export const copies = (results) =>
  Object.fromEntries(Object.entries(results).map(([name, one]) => [name, copyOf(one)]));

/** Results, or the error: both can be compared. */
export function outcomeOf(ops, work) {
  try {
    return { results: ops.scope(() => copies(work())) };
  } catch (error) {
    if (error.name !== 'OnnxError') throw error;
    if (error.code === 'DISPOSED') throw new Failure('trap', error.message);
    return { error };
  }
}

export function compare(kind, found, wanted, where) {
  if (wanted.error !== undefined) {
    if (found.error === undefined) throw new Failure(`${kind} succeeds`, `${where}: wanted ${wanted.error.message}`);
    if (found.error.message !== wanted.error.message)
      throw new Failure(
        `${kind} has another error`,
        `${where}: ${found.error.message}, wanted ${wanted.error.message}`,
      );
    return;
  }
  if (found.error !== undefined) throw new Failure(`${kind} fails`, `${where}: ${found.error.message}`);
  for (const name of Object.keys(found.results)) {
    const difference = differenceOf(found.results[name], wanted.results[name]);
    if (difference !== undefined) throw new Failure(`${kind} differs`, `${where}: ${name}: ${difference}`);
  }
}

export const opened = (ops, { file, external }, options) =>
  ops.loadModel(file, { ...options, ...(external && { external: () => external }) });

export function using(model, work) {
  try {
    return work(model);
  } finally {
    model.dispose();
  }
}

/** Values of graphs within nodes, by name: those whose name no other value has. */
function uniqueOf(innerValues, values) {
  const counts = new Map();
  for (const { name } of [...innerValues, ...values]) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(innerValues.filter(({ name }) => counts.get(name) === 1).map((value) => [value.name, value]));
}

/** Nodes that are seen before a run have the sizes that runs show. */
export function checkInferred(kind, model, { values, innerValues = [], sizes }) {
  const inner = uniqueOf(innerValues, values);
  const check = (nodes, known) => {
    for (const { operator, outputs, graphs } of nodes) {
      for (const { name, inferred } of outputs) {
        const value = known.get(name);
        for (const [world, tensor] of value?.worlds.entries() ?? []) {
          const wrong = tensor && contradictionOf(inferred, tensor, sizes[world]);
          if (wrong)
            throw new Failure(`${kind}: inferred sizes are wrong`, `${name} of ${operator}, world ${world}: ${wrong}`);
        }
      }
      for (const list of Object.values(graphs ?? {})) check(list, inner);
    }
  };
  check(model.nodes, new Map(values.map((value) => [value.name, value])));
}
