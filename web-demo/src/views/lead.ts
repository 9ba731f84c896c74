// Brings the comparison of versions into view that an address names. The parts above it come one after another, so it is brought
// into view again, until the page is whole or somebody moves.
import type { State } from '../state.js';

let isLeading = false;

const stop = (): void => {
  isLeading = false;
};
for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown']) addEventListener(type, stop, { passive: true });

/** To be called when another page is shown. */
export function startLead({ route }: State): void {
  isLeading = route.page === 'operator' && route.to !== undefined;
}

/** To be called after each change. */
export function followLead({ report, problem }: State): void {
  if (!isLeading) return;
  const section = document.getElementById('versions');
  section?.scrollIntoView();
  if (section && (report ?? problem) !== undefined) stop();
}
