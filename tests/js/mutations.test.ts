// Damaged files: cut at every byte, or with random changes. Each is refused with an OnnxError or is a valid model;
// nothing else is thrown, memory is freed, and the runtime stays usable.
import { expect, test } from '@jest/globals';
import { load, OnnxError, type Runtime } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { announceSeed, cases, generator, seed } from './helpers/random.js';
import { counters, expectUsable } from './helpers/runtime.js';
import { typedTensor } from './helpers/typed-tensor.js';
import { sampleDims, types } from './helpers/types.js';

announceSeed('mutations.test.ts');
// A limit on memory makes sizes of gigabytes fail early, as on a small machine.
const ops = await load({ maximumMemory: 2 ** 25 });

const { attribute, value } = proto;
const sparse = proto.sparseTensor(
  proto.tensor('float32', [2], [5, 7], 's'),
  proto.tensor('int64', [2, 2], [0, 1, 1, 0]),
  [2, 2],
);

const sparseShape = proto.sparseTensor(
  proto.tensor('int64', [2], [5, 1], 'sparse'),
  proto.tensor('int64', [2], [0, 1]),
  [2],
);

/** One model with every feature of the reader. */
const everything: Uint8Array = proto.model({
  opset: [
    ['', 25],
    ['com.example', 1],
  ],
  nodes: [
    {
      op: 'Shape',
      inputs: ['x'],
      outputs: ['dims'],
      attributes: [attribute.int('start', 0), attribute.int('end', 2)],
      name: 'n0',
    },
    {
      op: 'ConstantOfShape',
      inputs: ['dims'],
      outputs: ['fill'],
      attributes: [attribute.tensor('value', proto.tensor('int4', [1], [3]))],
    },
    { op: 'Constant', outputs: ['c'], attributes: [attribute.strings('value_strings', ['a', '\u00e9'])] },
    { op: 'Constant', outputs: ['f'], attributes: [attribute.floats('value_floats', [1, 2], false)] },
    { op: 'Constant', outputs: ['to'], attributes: [attribute.ints('value_ints', [2, 1, 3])], domain: 'ai.onnx' },
    { op: 'Constant', outputs: ['d'], attributes: [attribute.sparse('sparse_value', sparse)] },
    { op: 'Expand', inputs: ['w', 'to'], outputs: ['y'], attributes: [attribute.string('__note', 'n')] },
    { op: 'Identity', inputs: ['y'], outputs: ['z'] },
  ],
  inputs: [value('x', 'float32', [2, 'n', null]), value('w', 'int16', [3])],
  initializers: [proto.tensor('int16', [3], [1, 2, 3], 'w'), typedTensor('float16', [2], Uint16Array.of(1, 2))].map(
    (message, i) => (i === 0 ? message : proto.concat(message, proto.bytes(8, 'h'))),
  ),
  sparseInitializers: [sparse],
  values: [value('y', 'int16', [2, 3, 3])],
  outputs: [
    value('z', 'int16'),
    value('fill', 'int4'),
    value('c', 'string'),
    value('d', 'float32'),
    value('f', 'float32'),
    value('h', 'float16'),
  ],
});

/** One model with all that only allowUnsupported accepts. */
const strange: Uint8Array = proto.model({
  opset: 13,
  nodes: [
    {
      op: 'Weave',
      name: 'w',
      inputs: ['x', '', 'far'],
      outputs: ['a', '', 's'],
      attributes: [attribute.raw('body', 5)],
    },
    { op: 'Shape', domain: 'com.example', inputs: ['s'], outputs: ['b'] },
    { op: 'Identity', inputs: ['four'], outputs: ['five'] },
    { op: 'Shape', inputs: ['a'], outputs: ['sizes'] },
    { op: 'ConstantOfShape', inputs: ['sizes'], outputs: ['fill'] },
    { op: 'Expand', inputs: ['fill', 'to'], outputs: ['y'] },
  ],
  inputs: [value('x', 'float32', [2, 'n', null]), value('to', 'int64', [1])],
  initializers: [
    proto.tensor('int4', [2], [1], 'four'),
    proto.concat(
      proto.tensorHead('float32', [2 ** 40], 'far'),
      proto.bytes(13, proto.concat(proto.bytes(1, 'location'), proto.bytes(2, 'weights.bin'))),
      proto.integer(14, 1),
    ),
  ],
  values: [
    value('a', 'float16', [1, 'm', null]),
    value('five', 'int4', [2]),
    proto.concat(proto.bytes(1, 's'), proto.bytes(2, proto.bytes(4, ''))),
  ],
  outputs: [value('y', 'float32'), value('b', 'int64')],
});

/** If, Loop, Scan, a sparse shape, and a subgraph that reads an outer value; nodes are out of order. */
const graphs: Uint8Array = (() => {
  const any = (name: string) => value(name, 0);
  const loop = proto.graph({
    nodes: [{ op: 'ConstantOfShape', inputs: ['sparse'], outputs: ['item'] }],
    inputs: [any('i'), any('go'), any('state')],
    outputs: [any('go'), any('state'), any('i'), value('item', 'float32', [5, null])],
  });
  const scan = proto.graph({
    nodes: [{ op: 'Shape', inputs: ['slice'], outputs: ['s'] }],
    inputs: [any('state'), any('slice')],
    outputs: [any('slice'), any('s'), any('x')],
  });
  const then = proto.graph({
    nodes: [
      { op: 'Loop', inputs: ['m', '', 'late'], outputs: ['a', '', 'b'], attributes: [attribute.graph('body', loop)] },
    ],
    outputs: [any('a'), any('b')],
  });
  return proto.model({
    nodes: [
      {
        op: 'If',
        inputs: ['cond'],
        outputs: ['y', 'z'],
        attributes: [
          attribute.graph('then_branch', then),
          attribute.graph('else_branch', proto.graph({ outputs: [any('x'), any('x')] })),
        ],
      },
      { op: 'Identity', inputs: ['x'], outputs: ['late'] },
      {
        op: 'Scan',
        inputs: ['x', 'x'],
        outputs: ['last', 'shapes', 'xs'],
        attributes: [
          attribute.graph('body', scan),
          attribute.int('num_scan_inputs', 1),
          attribute.ints('scan_output_directions', [1, 1]),
        ],
      },
      { op: 'Identity', inputs: ['true'], outputs: ['cond'] },
    ],
    inputs: [value('x', 'float32', [2, 'n', null])],
    initializers: [proto.tensor('int64', [1], [2], 'm'), proto.tensor('bool', [1], [1], 'true')],
    sparseInitializers: [sparseShape],
    outputs: ['y', 'z', 'last', 'shapes', 'xs'].map((name) => value(name, name === 'shapes' ? 'int64' : 'float32')),
  });
})();

const tensors: Uint8Array[] = types.flatMap(({ name, sample }) => [
  proto.tensor(name, sampleDims, sample),
  typedTensor(name, sampleDims, sample),
]);

/** Whether the work was refused with an OnnxError. Any other exception fails the test. */
function refused(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof OnnxError && error.message !== '' && error.code !== undefined) return true;
    throw error;
  }
}

function useModel(runtime: Runtime, file: Uint8Array): boolean {
  const strictly = use(runtime, file, false);
  const refusedAtAll = use(runtime, file, true);
  if (refusedAtAll && !strictly) throw new Error('what a strict reader takes was refused');
  return strictly;
}

function use(runtime: Runtime, file: Uint8Array, allowUnsupported: boolean): boolean {
  return refused(() => {
    const model = runtime.loadModel(file, { allowUnsupported });
    try {
      // A valid model describes itself, and runs or says why not.
      const typed = ({ type }: { type: string | null }) =>
        types.some((row) => row.name === type) || (allowUnsupported && type === null);
      expect(model.inputs.every((input) => input.name !== '' && typed(input))).toBe(true);
      refused(() => {
        for (const { operator, version, unsupported } of model.nodes) {
          // A node that cannot run only because of a node in its graphs has its version.
          const isItself = unsupported !== null && !/^a node in its \S+ cannot run$/.test(unsupported);
          expect([operator === '', version === null]).toEqual([false, isItself]);
        }
      });
      refused(() => {
        runtime.scope(() => {
          for (const output of Object.values(model.run({ x: { type: 'float32', dims: [2, 1, 1], data: [1, 2] } })))
            if (output.size < 1e6) output.toArray();
        });
      });
    } finally {
      model.dispose();
    }
  });
}

function useTensor(runtime: Runtime, file: Uint8Array): boolean {
  return refused(() => {
    runtime.scope(() => {
      const tensor = runtime.readTensor(file);
      const copy = runtime.readTensor(runtime.writeTensor(tensor));
      expect([copy.type, ...copy.dims]).toEqual([tensor.type, ...tensor.dims]);
    });
  });
}

/** Makes a few random changes: changes a byte or a bit, removes or inserts bytes, or moves a piece. */
function mutate(file: Uint8Array, random: () => number): Uint8Array {
  let bytes = [...file];
  for (let changes = 1 + (random() % 4); changes > 0; changes--) {
    const at = random() % (bytes.length + 1);
    const length = 1 + (random() % 6);
    const kind = random() % 6;
    if (kind === 0) bytes[at] = random() & 255;
    else if (kind === 1) bytes[at] = (bytes[at] ?? 0) ^ (1 << (random() % 8));
    else if (kind === 2) bytes.splice(at, length);
    else if (kind === 3)
      bytes.splice(at, 0, ...Array.from({ length }, () => [0, 1, 127, 128, 255, random() & 255][random() % 6]));
    else if (kind === 4) bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random() % 5];
    else
      bytes = [
        ...bytes.slice(0, at),
        ...bytes.slice(random() % (bytes.length + 1), random() % (bytes.length + 1)),
        ...bytes.slice(at),
      ];
  }
  return Uint8Array.from(bytes);
}

test('the undamaged model runs', () => {
  expect(useModel(ops, everything)).toBe(false);
});

test('the undamaged model with unsupported parts is read with allowUnsupported', () => {
  expect([use(ops, strange, false), use(ops, strange, true)]).toEqual([true, false]);
});

test('a model cut at any byte is refused or valid, and leaves nothing behind', () => {
  const before = counters(ops);
  const accepted: number[] = [];
  for (let length = 0; length < everything.length; length++) {
    if (!useModel(ops, everything.subarray(0, length))) accepted.push(length);
    expect(counters(ops)).toEqual(before);
  }
  // The graph is the last field of the file, so a cut file never contains a complete one.
  expect(accepted).toEqual([]);
  expectUsable(ops);
});

test('a model with any one byte replaced by 0x00, 0x7f, 0x80 or 0xff is refused or valid', () => {
  const before = counters(ops);
  for (let at = 0; at < everything.length; at++) {
    for (const byte of [0x00, 0x7f, 0x80, 0xff]) {
      const file = everything.slice();
      file[at] = byte;
      useModel(ops, file);
    }
    expect(counters(ops)).toEqual(before);
  }
  expectUsable(ops);
});

test('randomly damaged models are refused or valid, and leave nothing behind', () => {
  const before = counters(ops);
  const random = generator(seed);
  let refusals = 0;
  for (let i = 0; i < cases(6000); i++) {
    const file = mutate(everything, random);
    if (useModel(ops, file)) refusals++;
    if (JSON.stringify(counters(ops)) !== JSON.stringify(before))
      throw new Error(`mutation ${i} leaves memory behind: ${Buffer.from(file).toString('hex')}`);
  }
  expect(refusals).toBeGreaterThan(cases(1000));
  expectUsable(ops);
});

test('the undamaged model with subgraphs runs', () => {
  expect(useModel(ops, graphs)).toBe(false);
  ops.scope(() => {
    const model = ops.loadModel(graphs);
    const { z, xs } = model.run({ x: { type: 'float32', dims: [2, 1, 1], data: [1, 2] } });
    // Memory runs out below, and a live model would then free the memory of its plans.
    model.dispose();
    expect([z.dims, xs.dims]).toEqual([
      [2, 5, 1],
      [2, 2, 1, 1],
    ]);
  });
});

test('randomly damaged models with subgraphs are refused or valid, and leave nothing behind', () => {
  const before = counters(ops);
  const random = generator(seed + 4);
  let refusals = 0;
  for (let i = 0; i < cases(4000); i++) {
    const file = mutate(graphs, random);
    if (useModel(ops, file)) refusals++;
    if (JSON.stringify(counters(ops)) !== JSON.stringify(before))
      throw new Error(`mutation ${i} leaves memory behind: ${Buffer.from(file).toString('hex')}`);
  }
  expect(refusals).toBeGreaterThan(cases(500));
  expectUsable(ops);
});

test('randomly damaged models with unsupported parts are refused or valid, and leave nothing behind', () => {
  const before = counters(ops);
  const random = generator(seed + 3);
  let refusals = 0;
  for (let i = 0; i < cases(3000); i++) {
    const file = mutate(strange, random);
    if (use(ops, file, true)) refusals++;
    if (JSON.stringify(counters(ops)) !== JSON.stringify(before))
      throw new Error(`mutation ${i} leaves memory behind: ${Buffer.from(file).toString('hex')}`);
  }
  expect(refusals).toBeGreaterThan(cases(500));
  expect(refusals).toBeLessThan(cases(3000));
  expectUsable(ops);
});

test('randomly damaged tensor files are refused or valid, and leave nothing behind', () => {
  const before = counters(ops);
  const random = generator(seed + 1);
  let refusals = 0;
  for (let i = 0; i < cases(6000); i++) {
    const file = mutate(tensors[random() % tensors.length], random);
    if (useTensor(ops, file)) refusals++;
    if (JSON.stringify(counters(ops)) !== JSON.stringify(before))
      throw new Error(`mutation ${i} leaves memory behind: ${Buffer.from(file).toString('hex')}`);
  }
  expect(refusals).toBeGreaterThan(cases(1000));
  expectUsable(ops);
});

test('files of random bytes are refused or valid', () => {
  const random = generator(seed + 2);
  for (let i = 0; i < cases(2000); i++) {
    const file = Uint8Array.from({ length: random() % 60 }, () => random() & 255);
    useTensor(ops, file);
    useModel(ops, file);
  }
  expectUsable(ops);
});

test('a message nested as deep as the file allows is refused or valid', () => {
  let graph = proto.graph({});
  for (let depth = 0; depth < 5000; depth++) graph = proto.bytes(6, proto.concat(proto.bytes(1, 'g'), graph));
  const node = proto.concat(
    proto.bytes(4, 'Identity'),
    proto.bytes(5, proto.concat(proto.bytes(1, '__graph'), proto.integer(20, 5), graph)),
  );
  const file = proto.concat(proto.integer(1, 8), proto.opsetImport('', 25), proto.bytes(7, proto.bytes(1, node)));
  expect(useModel(ops, file)).toBe(true);
});
