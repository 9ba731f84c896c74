// npm run bench:functions [-- <part of a name>]
// The mathematical functions in wasm: nanoseconds per element in float32 and float64, and the error against the correctly rounded
// float32, over 16 million elements of every exponent. The reference is the host's function in double. The functions take turns,
// and the fastest round of each counts, since other programs may use the machine. Fails if a function is off by more than 2 ulp,
// or is wrongly NaN, infinite or of the other sign.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/run.mjs';
import { kernels } from './wasm-kernels.mjs';

const header = readFileSync(join(root, 'src/kernels/elementwise/loops.h'), 'utf8');
const list = header.match(/enum class Operation[^{]*\{([^}]*)\}/)[1].replace(/\/\/.*/g, '');
const operations = list.split(',').map((name) => name.trim());

/** erf in double precision. JavaScript has no such function. */
function erf(x) {
  const m = Math.abs(x);
  if (m > 6) return Math.sign(x);
  if (m < 2.5) {
    // 2 / sqrt(pi) exp(-m^2) sum of 2^n m^(2n+1) / (2n+1)!!. No term is below 0.
    let term = m;
    let sum = m;
    for (let n = 1; term > sum * 1e-18; n++) sum += term *= (2 * m * m) / (2 * n + 1);
    return ((Math.sign(x) * 2) / Math.sqrt(Math.PI)) * Math.exp(-m * m) * sum || x * 1.1283791670955126;
  }
  return Math.sign(x) * (1 - erfc(m));
}

/** 1 - erf of a number above 2.5, as a continued fraction. */
function erfc(x) {
  let fraction = x;
  for (let n = 80; n > 0; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
}

function normalDistribution(x) {
  const t = -x * Math.SQRT1_2;
  return t > 2.5 ? erfc(t) / 2 : (1 - erf(t)) / 2;
}

const wanted = {
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  softplus: (x) => Math.log1p(Math.exp(-Math.abs(x))) + Math.max(x, 0),
  erf,
  normal_distribution: normalDistribution,
  power: (x, y) => (x === 1 ? 1 : x ** y),
};
const intervals = {
  asin: [-1, 1],
  acos: [-1, 1],
  atanh: [-1, 1],
  acosh: [1, 10],
  log: [0, 10],
  log1p: [0, 10],
  power: [0, 10],
};

const part = process.argv[2] ?? '';
const exports = await kernels();
const count = 1 << 16;
const [to, a, b] = [0, 1, 2].map(() => exports.allocate(8 * count));
const { buffer } = exports.memory;
const results = new Float32Array(buffer, to, count);
const inputs = new Float32Array(buffer, a, count);
const inputBits = new Uint32Array(buffer, a, count);
new Float32Array(buffer, b, count).fill(2.5);

const single = new Float32Array(1);
const pattern = new Int32Array(single.buffer);
/** The rank of a float among all floats. */
function place(x) {
  single[0] = x;
  return pattern[0] < 0 ? -2147483648 - pattern[0] : pattern[0];
}

/** The error in ulp; Infinity if the result is wrong in kind. */
function distance(result, right) {
  if (Number.isNaN(result) || Number.isNaN(right)) return Object.is(result, right) ? 0 : Infinity;
  if (result === 0 && right === 0) return Object.is(result, right) ? 0 : Infinity;
  return Math.abs(place(result) - place(right));
}

function check(operation, right) {
  let worst = 0;
  let at = 0;
  for (let round = 0; round < 256; round++) {
    // The upper half of an element's bits is its index, so each round has every exponent.
    for (let i = 0; i < count; i++) inputBits[i] = i * 65536 + ((i * 40503 + round * 257) & 0xffff);
    exports.compute(operation, 0, to, a, b, count, 1);
    for (let i = 0; i < count; i++) {
      const away = distance(results[i], Math.fround(right(inputs[i], 2.5)));
      if (away > worst) [worst, at] = [away, inputs[i]];
    }
  }
  return { worst, at };
}

function fill(type, place_, [low, high]) {
  const elements = new type(buffer, place_, count);
  for (let i = 0; i < count; i++) elements[i] = low + (high - low) * ((i * 0.6180339887498949) % 1);
}

const rows = operations
  .map((name, operation) => ({ name, operation, right: wanted[name] ?? (name.includes('_') ? undefined : Math[name]) }))
  .filter(
    ({ name, right, operation }) =>
      right && name.includes(part) && (operation >= operations.indexOf('exp') || name === 'power'),
  );
for (const row of rows) Object.assign(row, check(row.operation, row.right), { times: [Infinity, Infinity] });
for (let round = 0; round < 60; round++) {
  for (const { name, operation, times } of rows) {
    for (const [inDouble, type] of [Float32Array, Float64Array].entries()) {
      fill(type, a, intervals[name] ?? [-5, 5]);
      fill(type, b, [2.5, 2.5]);
      const start = performance.now();
      exports.compute(operation, inDouble, to, a, b, count, 1);
      times[inDouble] = Math.min(times[inDouble], ((performance.now() - start) * 1e6) / count);
    }
  }
}
console.log(`${'function'.padEnd(20)}  float32 ns  float64 ns  ulp of float32`);
for (const { name, times, worst, at } of rows) {
  const [single32, double64] = times.map((time) => time.toFixed(2).padStart(10));
  console.log(`${name.padEnd(20)}  ${single32}  ${double64}  ${worst}${worst > 2 ? ` at ${at}` : ''}`);
}
if (rows.some(({ worst }) => worst > 2)) process.exitCode = 1;
