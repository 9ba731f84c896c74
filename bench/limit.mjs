// The limit: wasm `memory.fill` over as many bytes as the output has. Nothing in WebAssembly writes memory faster.
import { timed } from './measure.mjs';

const pageBytes = 65536;

// (module (memory (export "memory") 1) (func (export "fill") (param $to $value $bytes i32)
//   local.get $to local.get $value local.get $bytes memory.fill))
const text = (string) => [string.length, ...new TextEncoder().encode(string)];
const moduleBytes = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // "\0asm", version 1
  ...[1, 7, 1, 0x60, 3, 0x7f, 0x7f, 0x7f, 0], // types: one function of three i32, without result
  ...[3, 2, 1, 0], // functions: one, of type 0
  ...[5, 3, 1, 0, 1], // memories: one, no maximum, one page
  ...[7, 17, 2, ...text('memory'), 2, 0, ...text('fill'), 0, 0], // exports: memory 0 and function 0
  ...[10, 13, 1, 11, 0], // code: one body of 11 bytes, no locals
  ...[0x20, 0, 0x20, 1, 0x20, 2], // local.get 0, 1, 2
  ...[0xfc, 11, 0, 0x0b], // memory.fill in memory 0, end
);

/** A limit for outputs of up to `largest` bytes. The pages of its memory are touched before anything is timed. */
export function makeLimit(largest) {
  const { memory, fill } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes)).exports;
  memory.grow(Math.ceil(largest / pageBytes));
  const bytes = new Uint8Array(memory.buffer);
  fill(0, 255, bytes.length);

  return {
    name: 'memory.fill',
    prepare(size) {
      let value = 0; // differs from call to call
      return timed(() => {
        fill(0, (value = (value + 1) & 255), size);
        return bytes[0];
      });
    },
  };
}
