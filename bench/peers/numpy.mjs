// Native NumPy, in a Python process that measures one sample per request. Measured: np.full, or np.broadcast_to and
// copy(); the reference count frees the result.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bytesOf, fillData } from '../element-types.mjs';
import { Unsupported } from './peer.mjs';

const child = fileURLToPath(new URL('numpy-child.py', import.meta.url));
const types = new Set(['uint8', 'int16', 'float16', 'float32', 'float64', 'complex128']);

/** Finds a Python that has NumPy: the one on the PATH may not be the distribution's. */
export function findPython() {
  return ['python3', '/usr/bin/python3'].find((python) => {
    try {
      execFileSync(python, ['-c', 'import numpy'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

/** @returns the peer, or undefined without NumPy. Its `close` ends the process. */
export async function numpy() {
  const python = findPython();
  if (python === undefined) return undefined;
  const threads = { OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
  const worker = spawn(python, [child], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...threads } });
  const answers = createInterface({ input: worker.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await answers.next();
    if (done) throw new Error('NumPy: the Python process has ended');
    return JSON.parse(value);
  };
  const ask = (request) => {
    worker.stdin.write(`${JSON.stringify(request)}\n`);
    return read();
  };
  const prepared = {
    time: (count) => ask({ do: 'time', count }),
    digest: () => ask({ do: 'digest' }),
    sample: () => ask({ do: 'sample' }),
    dispose() {},
  };
  return {
    name: 'NumPy',
    version: await read(),
    async prepare({ operator, type, inputDims, outputDims }) {
      if (!types.has(type)) throw new Unsupported(`no ${type} arrays`);
      const value = type === 'float16' ? 1.5 : fillData(type)[0];
      await ask({ do: 'prepare', case: [operator, type, inputDims ?? null, outputDims, value] });
      return prepared;
    },
    async prepareGraph({ numpy, feeds }) {
      if (numpy === undefined) throw new Unsupported('no such graphs');
      const folder = mkdtempSync(join(tmpdir(), 'broadloom-bench-'));
      const files = Object.entries(feeds).map(([name, { type, dims, make }]) => {
        const file = join(folder, name);
        writeFileSync(file, bytesOf(make()));
        return [name, type, dims, file];
      });
      await ask({ do: 'prepare graph', expression: numpy, feeds: files });
      rmSync(folder, { recursive: true });
      return prepared;
    },
    close: () => worker.stdin.end(),
  };
}
