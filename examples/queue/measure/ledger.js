// How the jobs of a test ended, counted in three places.

/**
 * Counts in
 *
 * - Redis's stream of events, where the script that completes a job adds an event in the same step (`takeEvent`)
 * - the workers' log: what they began, and what Redis told them was completed (`takeLine`)
 * - the reader's outcomes (`takeOutcome`)
 */
export class Ledger {
  #expected;
  #completed = new Set();
  #told = new Set();
  #read = new Set();
  #twice = new Set();
  #repeated = new Set();
  #wrong = new Set();
  #readTwice = new Set();
  #failed = 0;
  #runs = 0;

  /** @param expected - for each job's id, whether a result is right */
  constructor(expected) {
    this.#expected = expected;
  }

  /** Jobs that ended. */
  get ended() {
    return this.#completed.size + this.#failed;
  }

  takeEvent({ event, jobId }) {
    if (event === 'completed') note(jobId, this.#completed, this.#twice);
    else if (event === 'active' && this.#completed.has(jobId)) this.#repeated.add(jobId);
    else if (event === 'failed') this.#failed++;
  }

  takeLine({ event, job }) {
    if (event === 'started') {
      this.#runs++;
      if (this.#told.has(job)) this.#repeated.add(job);
    } else if (event === 'completed') note(job, this.#told, this.#twice);
  }

  takeOutcome({ id, result }) {
    note(id, this.#read, this.#readTwice);
    if (!this.#expected.get(id)?.(result)) this.#wrong.add(id);
  }

  /**
   * Counts jobs that were `completed` and `failed`, whose outcome was `read`, that were not read (`lost`) or `readTwice`, that were
   * acknowledged twice, that were `repeated` after that, or that have a `wrong` result; and counts `runs`.
   */
  counts() {
    return {
      jobs: this.#expected.size,
      completed: this.#completed.size,
      failed: this.#failed,
      read: this.#read.size,
      lost: [...this.#expected.keys()].filter((id) => !this.#read.has(id)).length,
      readTwice: this.#readTwice.size,
      acknowledgedTwice: this.#twice.size,
      repeated: this.#repeated.size,
      wrong: this.#wrong.size,
      runs: this.#runs,
    };
  }
}

/** Adds to `seen`, and to `again` what was there. */
function note(id, seen, again) {
  if (seen.has(id)) again.add(id);
  seen.add(id);
}
