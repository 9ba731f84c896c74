// ONNX's node tests of opset 28: onnx/onnx at f754691 (Apache-2.0). They are one archive in the repository, because 12,000
// files would make each clone slow. They are unpacked into build/.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Runtime, Tensor } from 'broadloom';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const archive = join(root, 'tests/data/onnx-tests.tar.xz');
const folder = join(root, 'build/onnx-tests');
const stamp = join(folder, 'stamp');

function unpack(): void {
  const size = String(statSync(archive).size);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === size) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xJf', archive, '-C', folder]);
  writeFileSync(stamp, size);
}

/** Names of all cases. */
export function newestCases(): string[] {
  unpack();
  return readdirSync(join(folder, 'node')).sort();
}

export const modelOf = (name: string): Buffer => readFileSync(join(folder, 'node', name, 'model.onnx'));

/** The inputs or the outputs of each data set of a case, as .pb bytes. */
export function tensorsOf(name: string, kind: 'input' | 'output'): Buffer[][] {
  const all = join(folder, 'node', name);
  const sets = readdirSync(all).filter((entry) => entry.startsWith('test_data_set_'));
  return sets.sort().map((set) => {
    const count = readdirSync(join(all, set)).filter((file) => file.startsWith(`${kind}_`)).length;
    return Array.from({ length: count }, (_, i) => readFileSync(join(all, set, `${kind}_${i}.pb`)));
  });
}

// Runtimes round sums and functions differently. All other types must agree in every bit.
const relative: Partial<Record<string, number>> = { float16: 2e-3, bfloat16: 1e-2, float32: 1e-3, float64: 1e-7 };
const absolute = 1e-7;

/** Frequencies are sums of all elements of a signal: those that are 0 have the rounding of the others. */
const areFrequencies = /_(dft|stft)/;

/** Describes the first element that differs; `undefined` if the tensors agree. `name` is that of the case. */
export function difference(ops: Runtime, found: Tensor, wanted: Tensor, name = ''): string | undefined {
  if (String(found.dims) !== String(wanted.dims) || found.type !== wanted.type)
    return `${found.type} [${found.dims}], wanted ${wanted.type} [${wanted.dims}]`;
  const share = relative[found.type];
  if (share === undefined) {
    const same = Buffer.compare(ops.writeTensor(found), ops.writeTensor(wanted)) === 0;
    return same ? undefined : `${found}, wanted ${wanted}`;
  }
  const values = found.unpack() as ArrayLike<number>;
  const others = wanted.unpack() as ArrayLike<number>;
  const largest = areFrequencies.test(name) ? Math.max(...Array.from(others, Math.abs)) : 0;
  for (let i = 0; i < values.length; i++) {
    const [value, other] = [values[i], others[i]];
    const isNear = value === other || Math.abs(value - other) <= absolute + 1e-6 * largest + share * Math.abs(other);
    if (!isNear && !(Number.isNaN(value) && Number.isNaN(other))) return `element ${i} is ${value}, wanted ${other}`;
  }
  return undefined;
}
