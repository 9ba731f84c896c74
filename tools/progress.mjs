// How far builds are, in one line that is rewritten on a terminal. Elsewhere there is no such line.

/** Ninja's status at the start of a line. */
const status = /^\[(\d+)\/(\d+)\] .*\n?/gm;

/** The output of ninja without what succeeded: the errors of compilers, and their commands. */
export const faultsIn = (output) => output.replace(status, '');

export class Progress {
  #stream;
  #states = new Map();
  #isShown = false;
  constructor(stream = process.stdout) {
    this.#stream = stream;
  }

  /** Reads output of the build of `title`. */
  read(title, output) {
    const last = [...output.matchAll(status)].at(-1);
    if (last === undefined || !this.#stream.isTTY) return;
    this.#states.set(title, `[${last[1]}/${last[2]}] ${title}`);
    this.#write();
  }

  /** The build of `title` has ended. */
  end(title) {
    this.#states.delete(title);
    this.#write();
  }

  /** Writes a line of other output. */
  log(text) {
    this.#stream.write(`${this.#isShown ? '\r\x1b[K' : ''}${text}\n`);
    this.#isShown = false;
    this.#write();
  }

  #write() {
    if (this.#states.size === 0 && !this.#isShown) return;
    const line = [...this.#states.values()].join('  ').slice(0, (this.#stream.columns || 80) - 1);
    this.#isShown = line !== '';
    this.#stream.write(`\r\x1b[K${line}`);
  }
}
