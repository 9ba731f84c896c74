/* global broadloom */
globalThis.result = import('./check.js').then(({ check }) => check(broadloom));
