/**
 * Lets `using` free objects of a class through its `dispose` method. Symbol.dispose is younger than the oldest engines
 * that this package runs on; there, compilers that translate `using` make this symbol.
 */
export function addDisposeSymbol(prototype: { dispose(): void }): void {
  const symbol: symbol = Symbol.dispose ?? Symbol.for('Symbol.dispose');
  Object.defineProperty(prototype, symbol, { value: prototype.dispose, configurable: true, writable: true });
}

/**
 * Makes Vue leave the objects of a class alone: it makes proxies of all other objects in its reactive state, and a proxy has
 * no private members.
 */
export function keepOutOfProxies(prototype: object): void {
  Object.defineProperty(prototype, '__v_skip', { value: true });
}
