// Measures a network: Broadloom, and onnxruntime-web where it was added, on the same input in turns.
import type { Runtime } from 'broadloom';
import { measure, timed } from '../../../bench/measure.mjs';
import { effortFor } from './effort.js';
import { type Network, type NetworkName, networkOf, randomNumbers } from './networks.js';

/** A network as another library runs it. */
export interface NetworkSession {
  /** Nanoseconds of `count` runs. */
  readonly time: BenchClock;
  values(): Promise<Float32Array>;
  dispose(): Promise<void>;
}

export interface NetworkRow {
  readonly network: NetworkName;
  /** Multiplications and additions of one run. */
  readonly operations: number;
  /** Nanoseconds of one run. */
  readonly time: number;
  /** Where onnxruntime-web took part: its time and how often Broadloom's fits into it, or why there is none. */
  readonly onnxruntime?:
    | { readonly time: number; readonly slower: number }
    | { readonly difference: number }
    | { readonly failure: string }
    | undefined;
}

/** Sums in another order differ by a few units in the last place; what lies further away is another result. */
const allowed = 1e-3;

/** The largest difference, as a part of the largest value. */
function differenceOf(expected: Float32Array, actual: Float32Array): number {
  if (expected.length !== actual.length) return Number.POSITIVE_INFINITY;
  let [largest, difference] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    largest = Math.max(largest, Math.abs(expected[i] as number));
    const apart = Math.abs((expected[i] as number) - (actual[i] as number));
    if (!(apart <= difference)) difference = apart; // NaN, too
  }
  return difference / largest;
}

async function measuredWith(
  row: Pick<NetworkRow, 'network' | 'operations'>,
  time: BenchClock,
  step: number,
  session?: NetworkSession,
): Promise<NetworkRow> {
  const peers = session === undefined ? [] : [{ name: 'onnxruntime', time: session.time }];
  // Networks have no limit to be compared with: an empty call takes its place.
  const limit = { name: 'none', time: timed(() => 0) };
  const found = await measure({ subject: { name: 'broadloom', time }, limit, peers }, effortFor(step));
  const [peer] = found.peers;
  return { ...row, time: found.time, onnxruntime: peer && { time: peer.time, slower: peer.slower } };
}

/**
 * The times of a network. A run is timed with its result read and disposed of.
 *
 * @param open - makes onnxruntime's session of a network; undefined where it was not added
 */
export async function measureNetwork(
  ops: Runtime,
  network: NetworkName,
  step: number,
  open: ((made: Network) => Promise<NetworkSession>) | undefined,
): Promise<NetworkRow> {
  const made = networkOf(network);
  const model = ops.loadModel(made.model);
  const x = ops.tensor('float32', randomNumbers(made.dims, 0), made.dims);
  const run = () => model.run({ x }).y as ReturnType<typeof ops.empty<'float32'>>;
  const time = timed(() => {
    const y = run();
    const first = y.data[0] as number;
    y.dispose();
    return first;
  });
  const row = { network, operations: made.operations };
  let session: NetworkSession | undefined;
  try {
    if (open === undefined) return await measuredWith(row, time, step);
    session = await open(made);
    const y = run();
    const difference = differenceOf(y.toArray(), await session.values());
    y.dispose();
    const isSame = difference <= allowed;
    const timedAlone = await measuredWith(row, time, step, isSame ? session : undefined);
    return isSame ? timedAlone : { ...timedAlone, onnxruntime: { difference } };
  } catch (error) {
    if (open === undefined) throw error;
    const failure = error instanceof Error ? error.message : String(error);
    return { ...(await measuredWith(row, time, step)), onnxruntime: { failure } };
  } finally {
    await session?.dispose();
    x.dispose();
    model.dispose();
  }
}
