/** Whether it is an object of names and values, not one of a class: those have their values elsewhere. */
export function isPlainObject(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  // Another realm's Object.prototype is not this one's.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
