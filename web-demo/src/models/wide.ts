// Whether the drawing has the whole width of the window, with what is chosen below it.
import { change } from '../state.js';

let wide = false;

export function isWide(): boolean {
  return wide;
}

export function toggleWide(): void {
  wide = !wide;
  change({});
}
