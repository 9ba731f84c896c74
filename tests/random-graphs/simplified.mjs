// Simplified models with random options.
import { census } from '../../tools/models/census.mjs';
import { differenceOf } from '../support/random-graphs/tensors.mjs';
import { worldCount } from '../support/random-graphs/worlds.mjs';
import { checkInferred, compare, Failure, opened, outcomeOf, using } from './runs.mjs';

/** Options of simplify that fix sizes and values as they are in a world. */
export function drawOptions({ random, graph, sizes, feeds, passes }, world) {
  const declared = new Set(graph.inputs.flatMap(({ dims }) => dims ?? []).filter((dim) => typeof dim === 'string'));
  const fixed = [...declared].filter(() => random.chance(0.4));
  const given = graph.inputs.filter(() => random.chance(0.15));
  return {
    dims: Object.fromEntries(fixed.map((name) => [name, sizes[world][name]])),
    values: Object.fromEntries(given.map(({ name }) => [name, feeds[world][name]])),
    ...(random.chance(0.3) && { outputs: random.shuffled(graph.outputs.map(({ name }) => name)).slice(0, 2) }),
    ...(random.chance(0.3) && { unroll: 8 }),
    ...(random.chance(0.3) && { valueInfo: true }),
    ...(random.chance(0.2) && { maxGrowth: random.pick([0, 100, 2 ** 20]) }),
    ...(random.chance(0.2) && { skip: random.shuffled(passes).slice(0, random.integer(1, 6)) }),
  };
}

/** The worlds for which the result of simplify is valid. */
function worldsOf({ world, options: { dims, values } }, { graph, sizes, feeds }) {
  // Values also fix the sizes of their axes, and with them all of those names.
  const valued = graph.inputs.filter(({ name }) => values[name] !== undefined).flatMap((one) => one.dims ?? []);
  const names = [...Object.keys(dims), ...valued.filter((dim) => typeof dim === 'string')];
  const fits = (other) =>
    names.every((name) => sizes[other][name] === sizes[world][name]) &&
    Object.keys(values).every((name) => differenceOf(feeds[other][name], feeds[world][name]) === undefined);
  return Array.from({ length: worldCount }, (_, i) => i).filter(
    (other) => feeds[other] !== undefined && (other === world || fits(other)),
  );
}

/**
 * Simplifies a model, runs the result, and compares it with the plain runs. Gives the result, with the worlds for which it is
 * valid. Throws a Failure.
 */
export function checkSimplified(ops, written, subject, plain, simplification) {
  const { feeds, graph } = subject;
  const { options, optimize } = simplification;
  const worlds = worldsOf(simplification, subject);
  const files = written.external && { external: () => written.external };
  let simple;
  try {
    simple = ops.simplify(written.file, { ...options, ...files });
  } catch (error) {
    if (error.name !== 'OnnxError') throw error;
    if (error.code === 'DISPOSED') throw new Failure('trap', error.message);
    throw new Failure('simplify fails', `${error.message}, with ${textOfOptions(options)}`);
  }
  const again = { file: simple.bytes, external: written.external };
  const kind = 'simplified';
  const where = (world) => `world ${world}, ${textOfOptions(options)}`;
  let model;
  try {
    model = opened(ops, again, { optimize });
  } catch (error) {
    if (error.name !== 'OnnxError') throw error;
    throw new Failure(`${kind} is refused`, `${error.message}, with ${textOfOptions(options)}`);
  }
  using(model, () => {
    const wanted = options.outputs ?? graph.outputs.map(({ name }) => name);
    const given = model.outputs.map(({ name }) => name);
    if (`${[...given].sort()}` !== `${[...wanted].sort()}`)
      throw new Failure(`${kind}: other outputs`, `${given}, wanted ${wanted}`);
    for (const world of worlds) {
      // Nodes that failed may be gone.
      if (plain[world].error !== undefined) continue;
      const left = Object.fromEntries(
        Object.entries(feeds[world]).filter(([name]) => options.values[name] === undefined),
      );
      const found = outcomeOf(ops, () => model.run(left));
      compare(kind, found, plain[world], where(world));
    }
    // Other names may belong to values of graphs that were inlined. In a world where a run fails, values before the failing node
    // may be others: an If is decided by the branch that does not always fail.
    const hasResults = (world) => worlds.includes(world) && plain[world].error === undefined;
    checkInferred(kind, model, {
      sizes: subject.sizes,
      values: subject.values
        .filter(({ name }) => given.includes(name))
        .map((value) => ({
          ...value,
          worlds: value.worlds.map((one, world) => (hasResults(world) ? one : undefined)),
        })),
    });
  });
  const result = { bytes: simple.bytes, options, worlds };
  // Weights in files are read only where that is known to save something.
  if (written.external !== undefined) return result;
  // A file that has grown may grow by more the second time.
  const hasGrown = simple.report.after.bytes > simple.report.before.bytes;
  const isWhole = !hasGrown && options.maxGrowth === undefined && options.skip === undefined;
  const { dims: _, values: __, ...rest } = options;
  const twice = ops.simplify(simple.bytes, { ...rest, ...files }).bytes;
  if (isWhole && !Buffer.from(twice).equals(Buffer.from(simple.bytes)))
    throw new Failure(`${kind} twice`, `a second time changes the file, with ${textOfOptions(options)}`);
  const { dead } = census(Buffer.from(simple.bytes));
  if (isWhole && dead > 0) throw new Failure(`${kind}: dead nodes`, `${dead}, with ${textOfOptions(options)}`);
  return result;
}
const textOfOptions = ({ values, ...options }) => JSON.stringify({ ...options, values: Object.keys(values) });
