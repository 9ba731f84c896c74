// The state of the benchmark: what is chosen, what is going on, what was measured. It outlives a change of the page.
import { change } from '../state.js';
import { type Case, type CaseType, makeCase, patterns, sizes } from './cases.js';
import { ask, Stopped, stopWorker } from './connection.js';
import type { NetworkRow } from './network-contenders.js';
import { type NetworkName, networkNames } from './networks.js';
import type { Row } from './results.js';

export interface Benchmark {
  readonly networks: ReadonlySet<NetworkName>;
  /** Names of the patterns. */
  readonly patterns: ReadonlySet<string>;
  readonly sizes: ReadonlySet<number>;
  readonly type: CaseType;
  /** Whether the charts' axis of GB/s is logarithmic. */
  readonly isLogarithmic: boolean;
  readonly phase: 'idle' | 'running' | 'done' | 'stopped' | 'failed';
  /** Why it failed. */
  readonly failure: string;
  /** Networks and calls of this run or the last one, and how many of them are measured. */
  readonly items: readonly Item[];
  readonly measured: number;
  readonly networkRows: readonly NetworkRow[];
  /** By pattern, in the order of the sizes. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  /** Milliseconds between two ticks of the clock; known after the first run. */
  readonly clockStep: number | undefined;
  readonly onnxruntime: 'absent' | 'loading' | 'ready' | 'failed';
  /** The version of onnxruntime when it is ready; the reason when it failed. */
  readonly onnxruntimeText: string;
}

/** A network by its name, or a call. */
export type Item = NetworkName | Case;

let state: Benchmark = {
  networks: new Set(networkNames),
  patterns: new Set(patterns.slice(0, 4).map(({ name }) => name)),
  sizes: new Set(sizes),
  type: 'float32',
  isLogarithmic: false,
  phase: 'idle',
  failure: '',
  items: [],
  measured: 0,
  networkRows: [],
  rows: new Map(),
  clockStep: undefined,
  onnxruntime: 'absent',
  onnxruntimeText: '',
};

export function benchmark(): Benchmark {
  return state;
}

function update(part: Partial<Benchmark>): void {
  state = { ...state, ...part };
  change({});
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function toggled<T>(set: ReadonlySet<T>, item: T): Set<T> {
  return set.has(item) ? new Set([...set].filter((other) => other !== item)) : new Set([...set, item]);
}

export function choose(
  part: Partial<Pick<Benchmark, 'networks' | 'patterns' | 'sizes' | 'type' | 'isLogarithmic'>>,
): void {
  update(part);
}

export function chosenItems({ networks, patterns: names, sizes: chosen, type } = state): Item[] {
  const cases = patterns
    .filter(({ name }) => names.has(name))
    .flatMap((pattern) => sizes.filter((size) => chosen.has(size)).map((size) => makeCase(pattern, size, type)));
  return [...networkNames.filter((name) => networks.has(name)), ...cases];
}

export async function addOnnxruntime(): Promise<void> {
  update({ onnxruntime: 'loading' });
  try {
    const smallest = makeCase(patterns[0] as (typeof patterns)[number], sizes[0] as number, 'float32');
    const version = await ask((api) => api.startOnnxruntime(smallest));
    update({ onnxruntime: 'ready', onnxruntimeText: version ?? '' });
  } catch (error) {
    stopWorker(); // a module that failed to load is not asked for again in the same worker
    update({ onnxruntime: 'failed', onnxruntimeText: messageOf(error) });
  }
}

async function measureItem(item: Item): Promise<Partial<Benchmark>> {
  const withOnnxruntime = state.onnxruntime === 'ready';
  if (typeof item === 'string') {
    const row = await ask((api) => api.measureNetwork(item, withOnnxruntime));
    return { networkRows: [...state.networkRows, row] };
  }
  const row = await ask((api) => api.measure(item, withOnnxruntime));
  return { rows: new Map(state.rows).set(item.pattern, [...(state.rows.get(item.pattern) ?? []), row]) };
}

async function measureAll(items: readonly Item[]): Promise<void> {
  update({ clockStep: await ask(async (api) => api.clockStep()) });
  for (const item of items) {
    const measured = await measureItem(item);
    update({ ...measured, measured: state.measured + 1 });
  }
}

/** Measures what is chosen, one after the other. */
export async function run(): Promise<void> {
  const items = chosenItems();
  update({ phase: 'running', items, measured: 0, rows: new Map(), networkRows: [] });
  try {
    await measureAll(items);
    update({ phase: 'done' });
  } catch (error) {
    if (error instanceof Stopped) update({ phase: 'stopped' });
    else update({ phase: 'failed', failure: messageOf(error) });
  }
}

export function stop(): void {
  stopWorker();
}
