// The worker that measures: nothing but what is timed runs in it, and the page never stutters.
import { load, type Runtime } from 'broadloom';
import { expose } from 'comlink';
import { makeLimit } from '../../../bench/limit.mjs';
import { measure } from '../../../bench/measure.mjs';
import { type Case, largestOutput } from './cases.js';
import { broadloom, type CaseCall, type Contender, callOf, loops } from './contenders.js';
import { clockStep, effortFor } from './effort.js';
import { measureNetwork, type NetworkRow } from './network-contenders.js';
import type { NetworkName } from './networks.js';
import { firstDifference, type Result, type Row } from './results.js';

const runtime = load({}); // its memory holds nothing else
runtime.catch(() => {}); // told to whoever asks
const limit = makeLimit(largestOutput);
const step = clockStep();

function failureOf(error: unknown): { readonly failure: string } {
  return { failure: error instanceof Error ? error.message : String(error) };
}

/** The contenders beside Broadloom; of those that cannot be prepared, why. */
async function prepare(
  ops: Runtime,
  item: Case,
  call: CaseCall,
  withOnnxruntime: boolean,
): Promise<{ contenders: Contender[]; failures: Row['results'] }> {
  const contenders = [loops(item)];
  if (!withOnnxruntime) return { contenders, failures: {} };
  try {
    const { onnxruntime } = await import('./onnxruntime.js');
    return { contenders: [...contenders, await onnxruntime(ops, item, call)], failures: {} };
  } catch (error) {
    return { contenders, failures: { onnxruntime: failureOf(error) } };
  }
}

/** The contenders whose result equals Broadloom's, byte for byte. For the others, where it differs or why there is none. */
async function compare(
  expected: Uint8Array,
  contenders: readonly Contender[],
): Promise<{ equal: Contender[]; refused: Row['results'] }> {
  const equal: Contender[] = [];
  const refused: { [name: string]: Result } = {};
  for (const contender of contenders) {
    try {
      const differsAt = firstDifference(expected, await contender.bytes());
      if (differsAt === undefined) equal.push(contender);
      else refused[contender.name] = { differsAt };
    } catch (error) {
      refused[contender.name] = failureOf(error);
    }
  }
  return { equal, refused };
}

async function measureCall(ops: Runtime, item: Case, call: CaseCall, withOnnxruntime: boolean): Promise<Row> {
  const ours = broadloom(ops, call);
  const { contenders, failures } = await prepare(ops, item, call, withOnnxruntime);
  try {
    const { equal, refused } = await compare(await ours.bytes(), contenders);
    const bound = { name: limit.name, time: limit.prepare(item.bytes) };
    const { time, limitTime, ratio, peers } = await measure(
      { subject: ours, limit: bound, peers: equal },
      effortFor(step),
    );
    const timed = peers.map((peer) => [peer.name, { time: peer.time, ratio: ratio / peer.slower }] as const);
    return {
      item,
      results: {
        limit: { time: limitTime, ratio: 1 },
        broadloom: { time, ratio },
        ...Object.fromEntries(timed),
        ...refused,
        ...failures,
      },
    };
  } finally {
    for (const contender of contenders) await contender.dispose();
  }
}

const api = {
  /** Milliseconds between two ticks of the worker's clock. */
  clockStep: () => step,

  /** Fetches and starts onnxruntime-web; gives its version. Fails with its own message. */
  async startOnnxruntime(first: Case): Promise<string | undefined> {
    const ops = await runtime;
    const call = callOf(ops, first);
    try {
      const { start, version } = await import('./onnxruntime.js');
      await start(ops, call);
      return version;
    } finally {
      call.tensor.dispose();
    }
  },

  async measureNetwork(network: NetworkName, withOnnxruntime: boolean): Promise<NetworkRow> {
    const open = withOnnxruntime ? (await import('./onnxruntime.js')).networkSession : undefined;
    return measureNetwork(await runtime, network, step, open);
  },

  async measure(item: Case, withOnnxruntime: boolean): Promise<Row> {
    const ops = await runtime;
    const call = callOf(ops, item);
    try {
      return await measureCall(ops, item, call, withOnnxruntime);
    } finally {
      call.tensor.dispose();
    }
  },
};

export type Api = typeof api;
expose(api);
