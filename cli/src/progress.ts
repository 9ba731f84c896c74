// The progress, on standard error, of work that takes longer than a second. In a terminal it is one line, which goes away
// at the end; elsewhere, a line every ten seconds, so that logs stay short.
import process from 'node:process';
import { visible } from '../../shared/visible.js';

const patience = 1000;
const pause = { terminal: 100, elsewhere: 10_000 };

/** Whether the terminal shows a line of it. */
let isShown = false;

/** Takes the line away, before anything else is printed and at the end. */
export function clearProgress(): void {
  if (isShown) process.stderr.write('\r\x1b[2K');
  isShown = false;
}

export class Progress {
  readonly #isTerminal = process.stderr.isTTY === true;
  #next = performance.now() + patience;

  /** Tells what is done now. To be called before each part of the work. */
  step(what: string): void {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + (this.#isTerminal ? pause.terminal : pause.elsewhere);
    const line = visible(what);
    if (!this.#isTerminal) process.stderr.write(`${line}\n`);
    else {
      const width = (process.stderr.columns || 80) - 1;
      process.stderr.write(`\r\x1b[2K${line.length > width ? `${line.slice(0, width - 3)}...` : line}`);
      isShown = true;
    }
  }
}
