// Tests of the built package (dist/). Run with: node --experimental-vm-modules node_modules/jest/bin/jest.js
export default {
  roots: ['<rootDir>/tests/js'],
  testMatch: ['<rootDir>/tests/js/**/*.test.ts'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  // The names of files in import statements end in .js, as Node wants them.
  moduleNameMapper: {
    '^broadloom$': '<rootDir>/dist/index.js',
    '^broadloom/tasks$': '<rootDir>/dist/tasks.js',
    '^virtual:facts$': '<rootDir>/tests/js/helpers/facts.ts',
    '^virtual:aliases$': '<rootDir>/tests/js/helpers/aliases.ts',
    '^virtual:presets$': '<rootDir>/tests/js/helpers/presets.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  maxWorkers: 2,
  testTimeout: 60_000,
};
