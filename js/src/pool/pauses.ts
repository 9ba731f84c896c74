/** What `setTimeout` gives: in Node it can let a process end. */
type Timer = { ref?(): void; unref?(): void };

/** Milliseconds between a start that failed and the next one. They double with each failure, up to the second number. */
const [firstPause, longestPause] = [100, 5000];

/** The pauses before workers are started again. A process of Node may end in them while nobody waits. */
export class Pauses {
  readonly #timers = new Set<Timer>();
  #isAwaited = false;

  /** Calls a function after the pause that follows so many failures. */
  add(failures: number, start: () => void): void {
    const pause = failures === 0 ? 0 : Math.min(firstPause * 2 ** (failures - 1), longestPause);
    const timer: Timer = setTimeout(() => {
      this.#timers.delete(timer);
      start();
    }, pause);
    this.#timers.add(timer);
    this.hold(this.#isAwaited);
  }

  /** Takes note of whether anybody waits. */
  hold(isAwaited: boolean): void {
    this.#isAwaited = isAwaited;
    for (const timer of this.#timers) {
      if (isAwaited) timer.ref?.();
      else timer.unref?.();
    }
  }
}
