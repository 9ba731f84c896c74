// Jest with jsdom, which reads CommonJS, has neither among its globals.
export { TextDecoder, TextEncoder } from 'node:util';
