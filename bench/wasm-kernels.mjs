// The kernels alone, as a wasm module (bench/kernels/wasm).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../tools/run.mjs';

/** Builds the module and returns its exports. */
export async function kernels() {
  run('emcmake', ['cmake', '--preset', 'wasm-bench'], { quiet: true });
  run('cmake', ['--build', '--preset', 'wasm-bench'], { quiet: true });
  const bytes = readFileSync(join(root, 'build/wasm-bench/bench/kernels/wasm/bench_kernels_wasm.wasm'));
  const module = await WebAssembly.compile(bytes);
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = () => 0;
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  exports._initialize?.();
  return exports;
}
