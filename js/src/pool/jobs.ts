import type { OnRun } from '../worker/remote-connection.js';
import type { KeptModel, Member } from './member.js';

/** A model of the pool, and who uses it. */
export interface PooledModel extends KeptModel {
  /** Runs that wait or are going on. */
  runs: number;
  isDisposed: boolean;
}

/** A run, from its call to its end. */
export interface Job {
  readonly model: PooledModel;
  readonly feeds: unknown;
  /** The buffers of the feeds, which may move to the last worker that gets them. */
  readonly buffers: readonly ArrayBuffer[];
  readonly outputs: unknown;
  readonly onRun: OnRun | undefined;
  /** When it was called, in milliseconds. */
  readonly called: number;
  readonly resolve: (outputs: never) => void;
  readonly reject: (error: unknown) => void;
  /** Forgets the signal and the timer of the caller. */
  forget: () => void;
  /** Whether the caller was told an end. A later answer of a worker is dropped. */
  isSettled: boolean;
  /** Where it runs. */
  member: Member | undefined;
  /** Prevents that its worker is ended. */
  spare: () => void;
  /** How many workers have died with it. */
  deaths: number;
}

/** Jobs in their order. Each of its functions takes as long for many as for few. */
class Line {
  readonly #jobs = new Set<Job>();
  /** A new iterator would go through all that were deleted. */
  #next: Iterator<Job> | undefined;

  get size(): number {
    return this.#jobs.size;
  }

  add(job: Job): void {
    this.#jobs.add(job);
  }

  take(): Job | undefined {
    this.#next ??= this.#jobs.values();
    const { value, done } = this.#next.next();
    if (done) this.#next = undefined;
    else this.#jobs.delete(value);
    return value;
  }

  delete(job: Job): boolean {
    return this.#jobs.delete(job);
  }
}

/** The jobs that wait, in their order. Those that have lost their worker come first. */
export class JobQueue {
  readonly #again = new Line();
  readonly #jobs = new Line();

  get size(): number {
    return this.#again.size + this.#jobs.size;
  }

  add(job: Job): void {
    (job.deaths > 0 ? this.#again : this.#jobs).add(job);
  }

  /** Takes the first job out. */
  take(): Job | undefined {
    return this.#again.take() ?? this.#jobs.take();
  }

  /** Takes a job out. Returns whether it waited. */
  delete(job: Job): boolean {
    return this.#again.delete(job) || this.#jobs.delete(job);
  }
}
