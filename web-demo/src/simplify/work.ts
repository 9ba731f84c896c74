// The work on a model: a runtime in a worker opens and simplifies it, and the page's worker makes values and draws.
import type { ModelSummary, RemoteModel, RemoteRuntime, SimplifyReport } from 'broadloom';
import type { FlatGraph } from '../drawing/flat-graph.js';
import type { Picture } from '../drawing/picture.js';
import { ask as askMain } from '../runtime/client.js';
import { nameIn, readSource } from '../runtime/files-given.js';
import type { FeedsReport, Refusal } from '../runtime/protocol.js';
import { flatGraph } from './flatten.js';
import type { Declared, Wish } from './form.js';
import { ask } from './worker.js';

/** A model that was opened. */
export interface Opened extends Declared {
  readonly ok: true;
  readonly model: Blob;
  /** The locations of files beside it that it has data in. */
  readonly files: readonly string[];
}

/** A simplified model. */
export interface Simplified {
  readonly ok: true;
  readonly blob: Blob;
  readonly report: SimplifyReport;
  /** Milliseconds. */
  readonly took: number;
  /** Why there is no picture: the files are too large to be looked into, or have too many nodes. */
  readonly picture: Picture | 'largeFile' | 'manyNodes';
  /** The picture with one spot for blocks that repeat, if there are such. */
  readonly collapsed: Picture | undefined;
}

/** Larger files are simplified from where they lie, and not looked into. */
const mostRead = 500e6;
/** The most nodes of either graph that are drawn. */
const mostDrawn = 4000;

/** Looks into a model, which does not stay in the worker. */
async function look<R>(ops: RemoteRuntime, blob: Blob, looks: (model: RemoteModel) => R | Promise<R>): Promise<R> {
  const model = await ops.loadModel(blob, { allowUnsupported: true });
  try {
    return await looks(model);
  } finally {
    model.dispose();
  }
}

async function declaredIn({ inputs, outputs, initializers }: RemoteModel): Promise<Omit<Opened, 'ok' | 'model'>> {
  const files = (await initializers).flatMap(({ external }) => external?.location ?? []);
  return { inputs, outputs, files };
}

/** Opens a model from a file or an address. */
export function readModel(given: Blob | string): Promise<Opened | Refusal> {
  return ask(async (remote, signal) => {
    const model = await readSource(given, { signal });
    if (!(model instanceof Blob)) return model;
    const ops = await remote;
    const { inputs, outputs, files } =
      model.size > mostRead ? (await ops.simplify(model, { maxGrowth: 0 })).report : await look(ops, model, declaredIn);
    return { ok: true, model, inputs, outputs, files };
  });
}

/** The files beside a model. Without any, none is asked for, and what is in others stays there. */
function filesOf(beside: readonly File[]): ((location: string) => File | undefined) | undefined {
  if (beside.length === 0) return undefined;
  return (location) => beside.find(({ name }) => name === nameIn(location));
}

/** Makes the constants that inputs become; what is wrong with one stands at its only field. */
async function makeValues(wished: Wish['values']): Promise<FeedsReport | Refusal> {
  const drafts = Object.fromEntries(Object.entries(wished).map(([input, { draft }]) => [input, draft]));
  const made = await askMain((main) => main.feeds(drafts));
  if (made.ok) return made;
  const [, i] = /^feed:(\d+)/.exec(made.problem.place) ?? [];
  const { place } = Object.values(wished)[Number(i)] ?? made.problem;
  return { ok: false, problem: { ...made.problem, place } };
}

/** Nodes that are drawn, if the model has no functions: constants are not. */
const drawnNodes = ({ nodes, operators }: ModelSummary): number => nodes - (operators.Constant ?? 0);

async function drawGraphs(
  ops: RemoteRuntime,
  before: Blob,
  after: Blob,
  report: SimplifyReport,
): Promise<Pick<Simplified, 'picture' | 'collapsed'>> {
  const without = (reason: 'largeFile' | 'manyNodes') => ({ picture: reason, collapsed: undefined });
  if (Math.max(before.size, after.size) > mostRead) return without('largeFile');
  // Nodes that are too many need not come from the worker: 100,000 take 2.5 s to be read and copied.
  if ([report.before, report.after].some((summary) => drawnNodes(summary) > mostDrawn)) return without('manyNodes');
  const graphs: FlatGraph[] = [];
  for (const blob of [before, after]) graphs.push(await look(ops, blob, async ({ nodes }) => flatGraph(await nodes)));
  if (graphs.some(({ nodes }) => nodes.length > mostDrawn)) return without('manyNodes');
  const [one, other] = graphs as [FlatGraph, FlatGraph];
  return askMain((main) => main.pictureOfBoth(one, other));
}

/** Simplifies a model with the files beside it. */
export function simplifyModel(
  { model }: Opened,
  beside: readonly File[],
  { values: wished, ...wish }: Wish,
): Promise<Simplified | Refusal> {
  return ask(async (remote) => {
    const made = await makeValues(wished);
    if (!made.ok) return made;
    const ops = await remote;
    const start = performance.now();
    const { blob, report } = await ops.simplify(model, { ...wish, values: made.feeds, external: filesOf(beside) });
    const took = performance.now() - start;
    return { ok: true, blob, report, took, ...(await drawGraphs(ops, model, blob, report)) };
  });
}
