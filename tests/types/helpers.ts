/** Whether two types are identical, not only assignable. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only if the type is `true`. */
export function holds<_T extends true>(): void {}
