import { invalidArgument } from '../basics/error.js';
import { addressesAt, textAt } from './memory.js';

/** A C++ function over numbers, called through the module's table. */
export type WasmFunction = (...numbers: number[]) => number;

interface Registration {
  readonly name: string;
  /** The type of the result, then the types of the parameters. A type is the address that stands for a C++ type. */
  readonly types: readonly number[];
  /** Where the function is in the module's table. */
  readonly place: number;
}

/**
 * Takes the place of embind's JavaScript: receives what the module registers (bindings/embind.cpp) while it starts. For
 * functions over numbers there is nothing to convert, so JavaScript calls the C++ functions themselves.
 */
export class Embind {
  readonly #memory: WebAssembly.Memory;
  readonly #numberTypes = new Set<number>();
  readonly #registrations: Registration[] = [];

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  /**
   * The imports to receive. The module also registers types of strings, views and others: none of its functions may have
   * them, so those imports need do nothing. Newer versions of embind pass more arguments, after these.
   */
  readonly imports: { readonly [name: string]: ((...numbers: number[]) => void) | undefined } = {
    _embind_register_void: (type) => this.#addNumberType(type),
    _embind_register_integer: (type) => this.#addNumberType(type),
    _embind_register_float: (type) => this.#addNumberType(type),
    _embind_register_function: (name, count, types, _signature, _invoker, place) => {
      const memory = this.#memory;
      this.#registrations.push({ name: textAt(memory, name), types: addressesAt(memory, types, count), place });
    },
  };

  #addNumberType(type: number): void {
    this.#numberTypes.add(type);
  }

  /** The functions by name, once the module has started: types and functions come in any order. */
  functions(table: WebAssembly.Table): { [name: string]: WasmFunction } {
    const functions: { [name: string]: WasmFunction } = {};
    for (const { name, types, place } of this.#registrations) {
      const other = types.findIndex((type) => !this.#numberTypes.has(type));
      if (other >= 0) {
        const what = other === 0 ? 'the result' : `parameter ${other}`;
        throw invalidArgument(
          `load: ${what} of ${name} is not a number: bindings/embind.cpp takes functions over numbers`,
        );
      }
      functions[name] = table.get(place) as WasmFunction;
    }
    return functions;
  }
}
