// Runs the built command in a new folder, and writes the models and files that the tests need.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bytes, integer } from '../../tools/models/writer.mjs';

export const program = fileURLToPath(new URL('../../dist/cli/broadloom.js', import.meta.url));
export const samples = fileURLToPath(new URL('../../web-demo/public/samples/', import.meta.url));

/** An empty folder, which is removed when test `t` ends, and the command in it. */
export function workspace(t) {
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-cli-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const broadloom = (...args) => run(folder, args);
  return {
    folder,
    broadloom,
    /** The standard output of a command, which must succeed. */
    prints: (...args) => {
      const { status, stdout, stderr } = broadloom(...args);
      if (status !== 0 || stderr !== '') throw new Error(`${args.join(' ')}: ${status}, ${stdout}${stderr}`);
      return stdout;
    },
    /** The JSON document that a command prints. */
    json: (...args) => JSON.parse(broadloom(...args, '--json').stdout),
    write: (path, content) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    },
  };
}

/** Removes the message of slow work from standard error: a busy machine may print it. */
export const withoutProgress = (text) =>
  text.replace(
    /^(?:(?:loading|running|writing|inferring|comparing|simplifying|reading input|making) .*|\d+ of \d+ tested, now .*)\n/gm,
    '',
  );

export function run(folder, args, { input } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000, // ends work that grows with the square of its input, and no other on a busy machine
    maxBuffer: 1 << 28,
    input,
  });
  return { status, stdout, stderr: withoutProgress(stderr) };
}

/** Starts the program without waiting for its end. Returns the child process. */
export const start = (folder, args, options) =>
  spawn(process.execPath, [program, ...args], { cwd: folder, ...options });

/** A node of a graph. */
export const node = (operator, inputs, outputs, { name = '', domain = '', fields = [] } = {}) =>
  bytes(1, [
    ...inputs.map((input) => bytes(1, input)),
    ...outputs.map((output) => bytes(2, output)),
    bytes(3, name),
    bytes(4, operator),
    ...fields,
    bytes(7, domain),
  ]);

const info = (field) => (name, id, dims) => {
  const sizes = dims.map((dim) => bytes(1, [typeof dim === 'number' ? integer(1, dim) : bytes(2, dim)]));
  return bytes(field, [bytes(1, name), bytes(2, [bytes(1, [integer(1, id), bytes(2, sizes)])])]);
};
/** Inputs and outputs of a graph: name, number of the type, dims. */
export const input = info(11);
export const output = info(12);

/** A model whose graph has these fields. */
export const model = (graph, opset = 21, domains = ['']) =>
  Buffer.concat([
    integer(1, 8),
    ...domains.map((domain) => bytes(8, [bytes(1, domain), integer(2, domain === '' ? opset : 1)])),
    bytes(7, [...graph, bytes(2, 'graph')]),
  ]);

/** A model that copies its float32 input to outputs of these names. */
export const copies = (names) =>
  model([
    ...names.map((name) => node('Identity', ['x'], [name])),
    input('x', 1, ['n']),
    ...names.map((name) => output(name, 1, ['n'])),
  ]);

/** A .npy file with any header. */
export function npy(header, elements = Buffer.alloc(0), version = 1) {
  const text = `${header}\n`;
  const length = Buffer.alloc(version === 1 ? 2 : 4);
  if (version === 1) length.writeUInt16LE(text.length);
  else length.writeUInt32LE(text.length);
  return Buffer.concat([
    Buffer.from(`\x93NUMPY`, 'latin1'),
    Buffer.from([version, 0]),
    length,
    Buffer.from(text),
    elements,
  ]);
}
export const header = (descr, shape, fortran = 'False') =>
  `{'descr': ${descr}, 'fortran_order': ${fortran}, 'shape': ${shape}, }`;
