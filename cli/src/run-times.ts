// How long runs of a model take.
import type { Model, Runtime, Tensor } from 'broadloom';
import { counted } from '../../shared/counted.js';
import type { Progress } from './progress.js';

/** In milliseconds. */
export interface Times {
  readonly runs: number;
  readonly median: number;
  readonly min: number;
  /** The run before them, which plans the others. */
  readonly first: number;
}

type Feeds = { readonly [name: string]: Tensor };

function timed<R>(work: () => R): [result: R, milliseconds: number] {
  const start = performance.now();
  const result = work();
  return [result, performance.now() - start];
}

/** The outputs of a first run, and the times of `repeat` more of the same feeds. */
export function repeatedRuns(
  ops: Runtime,
  model: Model,
  feeds: Feeds,
  repeat: number | undefined,
  progress: Progress,
): { outputs: { readonly [name: string]: Tensor }; times?: Times } {
  const [outputs, first] = timed(() => model.run(feeds));
  if (repeat === undefined) return { outputs };
  const all = new Float64Array(repeat);
  for (let i = 0; i < repeat; i++) {
    progress.step(`running the model: ${i} of ${repeat}`);
    [, all[i]] = timed(() => ops.scope(() => void model.run(feeds)));
  }
  all.sort();
  const middle = (repeat - 1) / 2;
  const median = ((all[Math.floor(middle)] as number) + (all[Math.ceil(middle)] as number)) / 2;
  return { outputs, times: { runs: repeat, median, min: all[0] as number, first } };
}

export function timesText({ runs, median, min, first }: Times): string {
  const text = (milliseconds: number) => `${milliseconds.toFixed(3)} ms`;
  return `${counted(runs, 'run')}: median ${text(median)}, min ${text(min)} (the first one, before them: ${text(first)})`;
}
