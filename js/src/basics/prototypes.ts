/**
 * Lets `using`, or `await using`, call `dispose` on objects of a class, or on one object. The symbols are younger than the oldest
 * engines that this package runs on; there, compilers that translate `using` make these symbols.
 */
export function addDisposeSymbol(
  prototype: object,
  dispose: () => unknown,
  name: 'dispose' | 'asyncDispose' = 'dispose',
): void {
  const symbol: symbol = Symbol[name] ?? Symbol.for(`Symbol.${name}`);
  Object.defineProperty(prototype, symbol, { value: dispose, configurable: true, writable: true });
}

/**
 * Gives the objects of a class their name, where tags are asked for. So error texts name them, and Vue leaves them alone:
 * it makes proxies of plain objects in its reactive state, and a proxy has no private members.
 */
export function nameObjects(prototype: object, name: string): void {
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
}
