// The focus of buttons that go.

/** Gives the focus to an element if the button that had it has gone. */
export function rescueFocus(selector: string): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
}

/** Gives the focus of a button that is about to go to another element: it would be lost. */
export function passFocus(from: string, to: string): void {
  if (document.activeElement?.id === from) document.getElementById(to)?.focus();
}
