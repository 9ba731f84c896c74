// Tests the replacement of embind's JavaScript alone: registrations in the form of embind's C++, in a memory that the test makes.
import { expect, test } from '@jest/globals';
import { Embind, type WasmFunction } from '../../js/src/calls/embind.js';

const types = { void: 16, int: 24, double: 32, string: 40 }; // addresses that stand for C++ types

/** Registers one function of those types, and returns the functions that result. */
function bind(...signature: (keyof typeof types)[]): { [name: string]: WasmFunction } {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const embind = new Embind(memory);
  new Uint8Array(memory.buffer, 64).set(new TextEncoder().encode('work\0'));
  new Uint32Array(memory.buffer, 128).set(signature.map((name) => types[name]));
  const call = (name: string, ...numbers: number[]) => embind.imports[`_embind_register_${name}`]?.(...numbers);
  // Newer versions of embind pass more arguments than these, and register functions before types.
  call('function', 64, signature.length, 128, 0, 0, 3, 0, 0);
  call('void', types.void, 0);
  call('integer', types.int, 0, 4, -(2 ** 31), 2 ** 31 - 1);
  call('float', types.double, 0, 8);
  call('std_string', types.string, 0);
  const table = { get: (place: number) => () => place };
  return embind.functions(table as unknown as WebAssembly.Table);
}

test('a function over numbers is the one at its index in the table', () => {
  const { work } = bind('double', 'int', 'double');
  expect(work?.()).toBe(3);
  expect(Object.keys(bind('void'))).toEqual(['work']);
});

test.each<[what: string, signature: (keyof typeof types)[]]>([
  ['the result', ['string', 'int']],
  ['parameter 1', ['double', 'string']],
  ['parameter 2', ['void', 'double', 'string']],
])('a function is refused when %s is not a number', (what, signature) => {
  expect(() => bind(...signature)).toThrow(`load: ${what} of work is not a number`);
});
