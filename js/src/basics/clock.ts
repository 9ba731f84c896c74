/** Milliseconds of the host's clock. A worklet for audio has no `performance`. */
export function hostMilliseconds(): number {
  return typeof performance === 'undefined' ? Date.now() : performance.now();
}
