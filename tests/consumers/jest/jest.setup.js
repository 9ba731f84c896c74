import { TextDecoder, TextEncoder } from 'node:util';

// The environment jsdom lacks them.
Object.assign(globalThis, { TextDecoder, TextEncoder });
