// The filter of the list of operators, which only a long list has.

/** As many can be found at a glance. */
const few = 12;

export function isLong(list: readonly unknown[]): boolean {
  return list.length > few;
}

/** The operators that a filter lets through; all of them when the list is short. */
export function matching<O extends { readonly name: string }>(all: readonly O[], text: string): readonly O[] {
  const wanted = text.trim().toLowerCase();
  return isLong(all) ? all.filter(({ name }) => name.toLowerCase().includes(wanted)) : all;
}
