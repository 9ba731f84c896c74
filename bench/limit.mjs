// The limit: wasm `memory.fill` over as many bytes as the output has. Nothing in WebAssembly writes memory faster, but it repeats
// one byte, and the engine may use any instruction. A kernel whose bytes differ must store vectors of 16 bytes. So a loop that
// only stores such vectors is measured as well.
import { byteCount } from './format.mjs';
import { measure, timed } from './measure.mjs';

const pageBytes = 65536;

const text = (string) => [string.length, ...new TextEncoder().encode(string)];
const sized = (...bytes) => [bytes.length, ...bytes];
const get = (index) => [0x20, index];
const store = (offset) => [...get(0), ...get(4), 0xfd, 0x0b, 4, offset]; // v128.store of local 4 at local 0

// (func (export "fill") (param $to $value $bytes i32)
//   local.get $to local.get $value local.get $bytes memory.fill)
const fillBody = [0, ...get(0), ...get(1), ...get(2), 0xfc, 11, 0, 0x0b];

// (func (export "store") (param $to $value $bytes i32) (local $end i32) (local $vector v128)
//   $end = $to + $bytes, $vector = i32x4.splat $value
//   loop: four v128.store, $to += 64, again while $to < $end)
const storeBody = [
  ...[2, 1, 0x7f, 1, 0x7b], // locals: one i32, one v128
  ...[...get(0), ...get(2), 0x6a, 0x21, 3], // i32.add, local.set 3
  ...[...get(1), 0xfd, 0x11, 0x21, 4], // i32x4.splat, local.set 4
  ...[0x03, 0x40, ...store(0), ...store(16), ...store(32), ...store(48)], // loop without result
  ...[...get(0), 0x41, 0xc0, 0, 0x6a, 0x22, 0], // i32.const 64, i32.add, local.tee 0
  ...[...get(3), 0x49, 0x0d, 0, 0x0b, 0x0b], // local.get 3, i32.lt_u, br_if 0, end of the loop, end
];

// (func (export "copy") (param $to $from $bytes i32)
//   local.get $to local.get $from local.get $bytes memory.copy)
const copyBody = [0, ...get(0), ...get(1), ...get(2), 0xfc, 10, 0, 0, 0x0b];

const exported = [...text('fill'), 0, 0, ...text('store'), 0, 1, ...text('copy'), 0, 2];

const moduleBytes = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // "\0asm", version 1
  ...[1, ...sized(1, 0x60, 3, 0x7f, 0x7f, 0x7f, 0)], // types: a function of three i32, without result
  ...[3, ...sized(3, 0, 0, 0)], // functions: three of type 0
  ...[5, ...sized(1, 0, 1)], // memories: one, no maximum, one page
  ...[7, ...sized(4, ...text('memory'), 2, 0, ...exported)], // exports
  ...[10, ...sized(3, ...sized(...fillBody), ...sized(...storeBody), ...sized(...copyBody))], // code
);

/** Makes a limit for outputs of up to `largest` bytes. Touches the pages of its memory before anything is timed. */
export function makeLimit(largest) {
  const { memory, fill, store, copy } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes)).exports;
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
    /** `memory.copy` of `size` bytes, at most half of `largest`. */
    prepareCopies(size) {
      return timed(() => {
        copy(0, bytes.length - size, size);
        return bytes[0];
      });
    },
    /** Vector stores over `size` bytes, a multiple of 64. */
    prepareStores(size) {
      let value = 0;
      return timed(() => {
        store(0, ++value, size);
        return bytes[0];
      });
    },
  };
}

/** @returns rows { name, bytes, limitTime, time, ratio }: vector stores against the limit, at sizes of the family */
export async function measureStores(limit, sizes, effort) {
  const rows = [];
  for (const bytes of sizes) {
    const subject = { name: 'stores', time: limit.prepareStores(bytes) };
    const { time, limitTime, ratio } = await measure(
      { subject, limit: { name: limit.name, time: limit.prepare(bytes) }, peers: [] },
      effort,
    );
    rows.push({ name: byteCount(bytes), bytes, limitTime, time, ratio });
  }
  return rows;
}
