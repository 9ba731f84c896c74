// Emscripten exports functions that its own JavaScript would call, which is not part of the package. Without them, what only
// they need goes, too: 0.4 kB of the download. And a newer Binaryen than the distribution's shares locals better: 0.2 kB.
import binaryen from 'binaryen';

/** What js/src/load.ts reads; the second one is of newer versions of embind. */
const used = new Set(['_initialize', '_embind_initialize_bindings', '__indirect_function_table']);

/** The module with the exports that are used, and with locals that are shared and numbered anew. */
export async function withUsedExports(module) {
  const parsed = binaryen.readBinary(module);
  for (const { name } of WebAssembly.Module.exports(await WebAssembly.compile(module)))
    if (!used.has(name)) parsed.removeExport(name);
  parsed.runPasses(['remove-unused-module-elements', 'coalesce-locals', 'reorder-locals']);
  binaryen.setGenerateStackIR(true);
  binaryen.setOptimizeStackIR(true);
  const bytes = Buffer.from(parsed.emitBinary());
  parsed.dispose();
  return bytes;
}
