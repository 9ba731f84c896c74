// Measures the heap over many rounds of expanding, reading and disposing.

const side = 1024; // [1024,1] -> [1024,1024] in float32 are 4 MiB

/** @returns rows of `ops.memory()`: before the first round, after one and after all; and the number of rounds */
export function measureAllocation(ops, rounds) {
  const at = (when) => ({ when, ...ops.memory() });
  const states = [at('before')];
  const x = ops.tensor('float32', new Float32Array(side).fill(1.5), [side, 1]);
  const shape = [side, side];
  let sum = 0;
  const round = () => {
    const y = ops.expand(x, shape);
    const { data } = y;
    sum += data[0] + data[data.length - 1];
    y.dispose();
  };
  round();
  states.push(at('after the first round'));
  for (let i = 1; i < rounds; i++) round();
  states.push(at('after the last round'));
  x.dispose();
  states.push(at('after disposing of the input'));
  if (sum !== 3 * rounds) throw new Error('allocation: wrong results');
  return { rounds, bytes: side * side * 4, rows: states };
}
