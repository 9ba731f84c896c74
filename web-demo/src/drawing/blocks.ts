// Blocks that repeat, such as the layers of a transformer: where the same labels follow each other again and again.

/** `times` blocks of `length` items each, from item `start` on. */
export interface Run {
  readonly start: number;
  readonly length: number;
  readonly times: number;
}

/** Two blocks are soon seen, and so are a few items. */
const leastTimes = 3;
const leastHidden = 16;
/** Each takes a look at all pairs of items. */
const mostRuns = 8;
/** Longer blocks are not looked for: that takes time in proportion to this length and to the number of items. */
const mostLength = 2000;

/** The run that hides the most items when all blocks but the first are left out; of several, the one of shortest blocks. */
function longestRun(labels: Int32Array, isTaken: Uint8Array): Run | undefined {
  let best: Run | undefined;
  let hidden = leastHidden - 1;
  for (let length = 1; length <= Math.min(mostLength, labels.length / leastTimes); length++) {
    let same = 0; // items in a row that are as those one block on
    for (let i = labels.length - length - 1; i >= -1; i--) {
      const isSame = i >= 0 && isTaken[i] === 0 && isTaken[i + length] === 0 && labels[i] === labels[i + length];
      if (isSame) {
        same++;
        continue;
      }
      const times = Math.floor(same / length) + 1;
      if (times >= leastTimes && (times - 1) * length > hidden) {
        hidden = (times - 1) * length;
        best = { start: i + 1, length, times };
      }
      same = 0;
    }
  }
  return best;
}

/** Runs that do not overlap, those that hide the most first. Labels are compared as keys of a Map are. */
export function repeatedRuns(items: readonly unknown[]): Run[] {
  const numbers = new Map<unknown, number>();
  const labels = Int32Array.from(items, (item) => {
    const number = numbers.get(item) ?? numbers.size;
    numbers.set(item, number);
    return number;
  });
  const isTaken = new Uint8Array(labels.length);
  const runs: Run[] = [];
  while (runs.length < mostRuns) {
    const run = longestRun(labels, isTaken);
    if (run === undefined) break;
    isTaken.fill(1, run.start, run.start + run.length * run.times);
    runs.push(run);
  }
  return runs;
}
