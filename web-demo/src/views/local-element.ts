// Parts of the page that keep something fleeting to themselves (places of sliders, the chosen cell, answers that are under
// way): elements that render into themselves. The page gives them what it knows; as long as that is the same, rendering
// the page costs them nothing.

export abstract class LocalElement<Given extends object> extends HTMLElement {
  #given: Given | undefined;

  get given(): Given | undefined {
    return this.#given;
  }

  set given(given: Given) {
    const before = this.#given;
    if (before !== undefined && isSame(before, given)) return;
    this.#given = given;
    this.receive(given, before);
  }

  /** Called whenever something else is given. */
  protected abstract receive(given: Given, before: Given | undefined): void;
}

function isSame<Given extends object>(one: Given, other: Given): boolean {
  const names = Object.keys(one) as (keyof Given)[];
  return names.every((name) => one[name] === other[name]);
}

/** Registers an element; once, even if the module is evaluated again while the site is developed. */
export function define(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}
