/**
 * Lets `using` free objects of a class through its `dispose` method. Symbol.dispose is younger than the oldest engines
 * that this package runs on; there, compilers that translate `using` make this symbol.
 */
export function addDisposeSymbol(prototype: { dispose(): void }): void {
  const symbol: symbol = Symbol.dispose ?? Symbol.for('Symbol.dispose');
  Object.defineProperty(prototype, symbol, { value: prototype.dispose, configurable: true, writable: true });
}
