export * from './node_modules/broadloom/dist/index.js';
