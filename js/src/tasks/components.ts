/** Pixels of one row, side by side: from `left` to `right`, both included. */
export interface Run {
  readonly y: number;
  readonly left: number;
  readonly right: number;
}

/** The connected components of the pixels that are not 0, neighbours across corners among them: the runs of each, in order. */
export function componentsOf(pixels: ArrayLike<number>, width: number, height: number): Run[][] {
  const runs: Run[] = [];
  const parents: number[] = []; // a forest: the root of a run is the first run of its component
  const rootOf = (run: number) => {
    let root = run;
    for (let next = parents[root] as number; next !== root; next = parents[root] as number) {
      parents[root] = parents[next] as number; // halves the way for the next time
      root = next;
    }
    return root;
  };
  let above = 0; // the first run of the row above
  for (let y = 0; width > 0 && y < height; y++) {
    const first = runs.length;
    for (const run of runsOf(pixels, y, width)) {
      const index = runs.push(run) - 1;
      parents.push(index);
      while (above < first && (runs[above] as Run).right < run.left - 1) above++;
      for (let other = above; other < first && (runs[other] as Run).left <= run.right + 1; other++) {
        const [a, b] = [rootOf(index), rootOf(other)];
        parents[Math.max(a, b)] = Math.min(a, b);
      }
    }
    above = first;
  }
  const components = new Map<number, Run[]>();
  for (const [index, run] of runs.entries()) {
    const root = rootOf(index);
    const component = components.get(root);
    if (component === undefined) components.set(root, [run]);
    else component.push(run);
  }
  return [...components.values()];
}

function* runsOf(pixels: ArrayLike<number>, y: number, width: number): Generator<Run> {
  const start = y * width;
  for (let x = 0; x < width; x++) {
    if (pixels[start + x] === 0) continue;
    const left = x;
    while (x + 1 < width && pixels[start + x + 1] !== 0) x++;
    yield { y, left, right: x };
  }
}
