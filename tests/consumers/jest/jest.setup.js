import { TextDecoder, TextEncoder } from 'node:util';

// The environment jsdom leaves them out.
Object.assign(globalThis, { TextDecoder, TextEncoder });
