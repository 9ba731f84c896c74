/** Gives the focus of a button that is about to go to another element: it would be lost. */
export function passFocus(from: string, to: string): void {
  if (document.activeElement?.id === from) document.getElementById(to)?.focus();
}
