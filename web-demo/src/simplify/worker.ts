// The worker of the page "Simplify". It has a runtime of its own: what takes long can be stopped by ending it.
import { load, type Runtime, type Tensor } from 'broadloom';
import { expose } from 'comlink';
import { type FlatGraph, flatGraph } from '../drawing/flat-graph.js';
import { pictureOf } from '../drawing/picture.js';
import { buildTensor, Refused, refusalOf } from '../runtime/build-tensor.js';
import { readSource } from '../runtime/files-given.js';
import type { Answer, Opened, Simplified, Wish } from './protocol.js';

const runtime = load();
runtime.catch(() => {}); // told to whoever asks

/** Larger files are simplified from where they lie, and not looked into. */
const mostRead = 500e6;
/** The most nodes of either graph that are drawn. */
const mostDrawn = 4000;

async function answer<R>(work: (ops: Runtime) => Promise<R>): Promise<Answer<R>> {
  const ops = await runtime;
  try {
    return await work(ops);
  } catch (error) {
    return refusalOf(error);
  }
}

/** The declared inputs and outputs of a model; `looks` may look into it. */
async function look<R>(ops: Runtime, blob: Blob, looks: (model: ReturnType<Runtime['loadModel']>) => R): Promise<R> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  using model = ops.loadModel(bytes, { allowUnsupported: true });
  return looks(model);
}

/**
 * The files beside a model, which are known by their names alone: a page sees no folders. Without any, none is asked for, and
 * what is in others stays there.
 */
function filesOf(beside: readonly File[]): ((location: string) => File | undefined) | undefined {
  if (beside.length === 0) return undefined;
  return (location) => beside.find(({ name }) => name === location.slice(location.lastIndexOf('/') + 1));
}

/** Makes the constants that inputs become; what is wrong with one stands at its only field. */
function buildValues(ops: Runtime, drafts: Wish['values']): { [input: string]: Tensor } {
  return Object.fromEntries(
    Object.entries(drafts).map(([input, { place, draft }]) => {
      try {
        return [input, buildTensor(ops, draft, place)];
      } catch (error) {
        throw error instanceof Refused ? new Refused({ ...error.problem, place }) : error;
      }
    }),
  );
}

async function drawGraphs(ops: Runtime, before: Blob, after: Blob): Promise<Pick<Simplified, 'picture' | 'collapsed'>> {
  const without = (reason: 'largeFile' | 'manyNodes') => ({ picture: reason, collapsed: undefined });
  if (Math.max(before.size, after.size) > mostRead) return without('largeFile');
  const graphs = [];
  for (const blob of [before, after]) graphs.push(await look(ops, blob, ({ nodes }) => flatGraph(nodes)));
  if (graphs.some(({ nodes }) => nodes.length > mostDrawn)) return without('manyNodes');
  const [one, other] = graphs as [FlatGraph, FlatGraph];
  return { picture: pictureOf(one, other), collapsed: pictureOf(one, other, { isCollapsed: true }) };
}

const api = {
  /** Opens a model from a file or an address. */
  async open(given: Blob | string): Promise<Answer<Opened>> {
    const model = await readSource(given);
    if (!(model instanceof Blob)) return model;
    return answer(async (ops) => {
      const { inputs, outputs } =
        model.size > mostRead
          ? (await ops.simplify(model, { maxGrowth: 0 })).report
          : await look(ops, model, (read) => ({ inputs: read.inputs, outputs: read.outputs }));
      return { ok: true, model, inputs, outputs };
    });
  },

  /** Simplifies a model with the files beside it. */
  simplify(model: Blob, beside: readonly File[], { values: drafts, ...wish }: Wish): Promise<Answer<Simplified>> {
    return answer(async (ops) => {
      const values = buildValues(ops, drafts);
      try {
        const start = performance.now();
        const { blob, report } = await ops.simplify(model, { ...wish, values, external: filesOf(beside) });
        const took = performance.now() - start;
        return { ok: true, blob, report, took, ...(await drawGraphs(ops, model, blob)) };
      } finally {
        for (const tensor of Object.values(values)) tensor.dispose();
      }
    });
  },
};

export type Api = typeof api;
expose(api);
