// Starts ../worker.js in several processes, and starts each again that ends.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a worker may finish its jobs, in milliseconds. */
const patience = 10_000;
/** Before a worker is started again that ended before it took jobs. */
const pause = 500;

export class Crew {
  #environment;
  #log;
  #members = new Set();
  #ready = new Set();
  #stopping = false;

  /**
   * @param options.environment - variables for the workers, such as REDIS_URL and QUEUE
   * @param options.log - the file to which the workers' lines are added
   */
  constructor({ environment, log }) {
    this.#environment = { ...process.env, ...environment };
    this.#log = log;
  }

  /** Starts `count` workers. Resolves when all of them take jobs. */
  async start(count) {
    await Promise.all(Array.from({ length: count }, () => this.#start()));
  }

  /**
   * Ends one of the workers that take jobs as a failing machine would: at once. Returns whether it did. It leaves the last one alone:
   * where a worker takes longer to start than the next kill takes to come, no job would be done.
   */
  kill() {
    const ready = [...this.#ready];
    return ready.length > 1 && ready[Math.floor(Math.random() * ready.length)].kill('SIGKILL');
  }

  /** Ends all workers: each finishes its jobs. */
  async stop() {
    this.#stopping = true;
    const late = setTimeout(() => this.#all('SIGKILL'), patience);
    const gone = [...this.#members].map((member) => new Promise((resolve) => member.once('exit', resolve)));
    this.#all('SIGTERM');
    await Promise.all(gone);
    clearTimeout(late);
  }

  #all(signal) {
    for (const member of this.#members) member.kill(signal);
  }

  #start() {
    // The file takes lines also of a worker that is killed in the next moment: it is written to without a detour.
    const log = openSync(this.#log, 'a');
    const member = spawn(process.execPath, [join(import.meta.dirname, '../worker.js')], {
      env: this.#environment,
      stdio: ['ignore', log, 'inherit', 'ipc'],
    });
    closeSync(log);
    this.#members.add(member);
    member.once('message', () => this.#ready.add(member));
    member.once('exit', async () => {
      this.#members.delete(member);
      // One that cannot even start would be started without end, and take a processor.
      if (!this.#ready.delete(member)) await sleep(pause);
      if (!this.#stopping) this.#start().catch(() => {}); // A worker that ends during its start is started again, too.
    });
    return new Promise((resolve, reject) => {
      member.once('message', resolve);
      member.once('exit', (code, signal) => reject(new Error(`a worker ended before it was ready: ${signal ?? code}`)));
    });
  }
}
