// The time of a small call, step by step: each step includes all steps before it. The first steps use the functions of the
// module as js/src/calls/memory.ts does, without the package around them. The last ones use the public API.
import { readFileSync } from 'node:fs';
import { measureAlone } from './measure.mjs';

/** The functions that the module registers (js/src/calls/embind.ts), and the page as words (bindings/frame.h). */
function bareModule() {
  const module = new WebAssembly.Module(
    readFileSync(new URL('../build/wasm/bindings/broadloom.wasm', import.meta.url)),
  );
  const memory = new WebAssembly.Memory({ initial: 16, maximum: 65536 });
  const places = [];
  const register = (address, _count, _types, _signature, _invoker, place) => {
    const bytes = Buffer.from(memory.buffer, address);
    places.push([bytes.toString('utf8', 0, bytes.indexOf(0)), place]);
  };
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = kind === 'memory' ? memory : name === '_embind_register_function' ? register : () => 0;
  }
  const { exports } = new WebAssembly.Instance(module, imports);
  exports._initialize();
  exports._embind_initialize_bindings?.();
  const glue = Object.fromEntries(places.map(([name, place]) => [name, exports.__indirect_function_table.get(place)]));
  return { glue, memory, words: new Float64Array(memory.buffer, glue.reservePage(0), 1024) };
}

function bareSteps() {
  const { glue, memory, words } = bareModule();
  const name = new TextEncoder().encode('Expand');
  words[0] = name.length;
  new Uint8Array(words.buffer, words.byteOffset + 8).set(name);
  const expand = glue.findOperator();
  words.set([2, 3, 1, 3, 1, 2, 3]); // dims [3, 1], three values
  glue.encodeTensor(1); // float32
  const x = words[1];
  const write = () => {
    words[0] = 2; // inputs: a handle, and a list
    words[1] = x;
    words[2] = -1;
    words[3] = 3;
    words[4] = 2;
    words[5] = 1;
    words[6] = 6;
    words[7] = 0; // attributes
  };
  const call = () => {
    write();
    glue.callOperator(expand, 25, 0);
    return words[1];
  };
  return [
    ['one function that does next to nothing', () => glue.tensorBytes(x)],
    [
      'arguments written, Expand, dispose',
      () => {
        glue.disposeTensor(call());
        return 1;
      },
    ],
    [
      '+ its elements written out',
      () => {
        const y = call();
        const address = glue.tensorData(y);
        glue.disposeTensor(y);
        return address;
      },
    ],
    [
      '+ a view of them made and read',
      () => {
        const y = call();
        const view = new Float32Array(memory.buffer, glue.tensorData(y), 36);
        glue.disposeTensor(y);
        return view[0];
      },
    ],
  ];
}

function publicSteps(ops) {
  const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  const value = ops.tensor('float32', [1.5], [1]);
  const two = ops.tensor('float32', 2);
  const read = (y) => {
    const first = y.data[0];
    y.dispose();
    return first;
  };
  return [
    [
      'ops.expand(x, [2, 1, 6]), dispose()',
      () => {
        ops.expand(x, [2, 1, 6]).dispose();
        return 1;
      },
    ],
    ['+ y.data[0]', () => read(ops.expand(x, [2, 1, 6]))],
    [
      'ops.constantOfShape([4, 3, 2], { value }), y.data[0], dispose()',
      () => read(ops.constantOfShape([4, 3, 2], { value })),
    ],
    [
      'ops.mul(x, two), dispose()',
      () => {
        ops.mul(x, two).dispose();
        return 1;
      },
    ],
    [
      'ops.mul(x, 2), dispose()',
      () => {
        ops.mul(x, 2).dispose();
        return 1;
      },
    ],
  ];
}

/** @returns [{ name, time }], medians in nanoseconds */
export async function measureSmallCalls(ops, effort) {
  const rows = [];
  for (const [name, call] of [...bareSteps(), ...publicSteps(ops)])
    rows.push({ name, time: await measureAlone(call, effort) });
  return { rows };
}
