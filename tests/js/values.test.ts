// Tensors are values: no operation on one changes another. Compares random sequences of operations with plain copies.
import { expect, test } from '@jest/globals';
import { type DataType, load, type Runtime, type Tensor } from 'broadloom';
import fc from 'fast-check';
import * as proto from '../../shared/onnx.js';
import { announceSeed, anyNoise, generator, holds, randomWords } from './helpers/random.js';
import { expand, fill, shape, tensorLike, type Words, wordsOf } from './helpers/reference.js';
import { counters, expectWords } from './helpers/runtime.js';
import { bytesOf, types } from './helpers/types.js';

announceSeed('values.test.ts');

/** A tensor, and an independent copy of its expected elements. */
interface Entry {
  tensor: Tensor;
  words: Words;
}

interface World {
  ops: Runtime;
  entries: Entry[];
  random: () => number;
}

type Step = (world: World, chosen: Entry) => void;

const wideOf = (dims: readonly number[], random: () => number): number[] => [
  1 + (random() % 3),
  ...dims.map((dim) => (dim === 1 && random() % 2 ? 3 : dim)),
];
const add = (world: World, tensor: Tensor, words: Words): void => {
  world.entries.push({ tensor, words });
};

const expandable = (type: string): boolean => !/^(float8|float4|u?int[24]$)/.test(type);
const fillable = (type: string): boolean => type !== 'string' && !type.startsWith('complex');

/** Writes random bits or strings into one element, and into its copy. */
function write({ random }: World, { tensor, words }: Entry): void {
  if (words.words.length === 0) return;
  const { type, data } = tensor;
  const fresh = randomWords(type, words.dims, random);
  const position = random() % words.words.length;
  const changed = { ...words, words: words.words.map((word, i) => (i === position ? fresh.words[i] : word)) };
  if (type === 'string') (data as string[])[position] = changed.words[position];
  else bytesOf(data as Uint8Array).set(bytesOf(tensorLike(changed).data as Uint8Array));
  words.words[position] = changed.words[position];
}

const copyOf = (words: Words): Words => ({ ...words, words: [...words.words] });

const identityModel = (type: DataType): Uint8Array =>
  proto.model({
    nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
    inputs: [proto.value('x', type)],
    outputs: [proto.value('x', type), proto.value('y', type)],
  });

const steps: { [name: string]: Step } = {
  make: (world) => {
    const { ops, random } = world;
    const dims = [[], [1], [3, 1], [2, 3], [0, 2], [17]][random() % 6];
    const words = randomWords(types[random() % types.length].name, dims, random);
    add(world, ops.tensor(words.type as 'string', tensorLike(words).data as string[], dims), words);
  },
  read: (_world, { tensor, words }) => expectWords(tensor, words),
  toArray: (_world, { tensor, words }) => {
    const array = tensor.toArray();
    expectWords({ ...words, data: array }, words);
    if (tensor.type !== 'string') bytesOf(array as Uint8Array).fill(1); // a copy: the tensor must not see it
  },
  write,
  expand: (world, { tensor, words }) => {
    if (!expandable(words.type) || words.words.length > 400) return;
    const to = wideOf(words.dims, world.random);
    add(world, world.ops.expand(tensor, to), expand(words, to));
  },
  identity: (world, { tensor, words }) => add(world, world.ops.run('Identity', [tensor])[0], copyOf(words)),
  constant: (world, { tensor, words }) => add(world, world.ops.constant({ value: tensor }), copyOf(words)),
  constantOfShape: (world, { tensor, words }) => {
    if (!fillable(words.type) || words.words.length !== 1) return;
    const dims = [world.random() % 4, 1 + (world.random() % 4)];
    add(world, world.ops.constantOfShape(dims, { value: tensor }), fill(words, dims));
  },
  shape: (world, { tensor, words }) => {
    const dims = shape(words.dims);
    add(
      world,
      world.ops.shape(tensor),
      wordsOf({ type: 'int64', dims: [dims.length], data: BigInt64Array.from(dims, BigInt) }),
    );
  },
  file: (world, { tensor, words }) => add(world, world.ops.readTensor(world.ops.writeTensor(tensor)), copyOf(words)),
  model: (world, { tensor, words }) => {
    const model = world.ops.loadModel(identityModel(tensor.type));
    const { x, y } = model.run({ x: tensor });
    model.dispose();
    add(world, x, copyOf(words));
    add(world, y, copyOf(words));
  },
  dispose: ({ entries }, chosen) => {
    chosen.tensor.dispose();
    entries.splice(entries.indexOf(chosen), 1);
  },
  grow: ({ ops }) => {
    const { heapBytes } = ops.memory();
    if (heapBytes > 64 * 2 ** 20) return;
    ops.empty('uint8', [heapBytes]).dispose();
    expect(ops.memory().heapBytes).toBeGreaterThan(heapBytes);
  },
};

const weighted = (name: string, weight: number) => ({ weight, arbitrary: fc.constant(name) });
const anyStep = fc.oneof(
  ...Object.keys(steps).map((name) =>
    weighted(name, name === 'grow' ? 1 : name === 'write' || name === 'make' ? 12 : 6),
  ),
);
const anySequence = fc.tuple(
  fc.array(fc.tuple(anyStep, fc.nat()), { minLength: 3, maxLength: 40, size: 'max' }),
  anyNoise,
);

async function checkSequences(only: (name: string) => boolean, numRuns: number): Promise<void> {
  const ops = await load({});
  holds(
    anySequence,
    ([sequence, noise]) => {
      const world: World = { ops, entries: [], random: generator(noise) };
      try {
        steps.make(world, world.entries[0]);
        for (const [name, choice] of sequence) {
          if (!only(name)) continue;
          if (world.entries.length === 0) steps.make(world, world.entries[0]);
          steps[name](world, world.entries[choice % world.entries.length]);
        }
        for (const { tensor, words } of world.entries) expectWords(tensor, words);
      } finally {
        for (const { tensor } of world.entries) tensor.dispose();
      }
      expect(counters(ops)).toEqual({ liveTensors: 0, bytesInUse: 0 });
    },
    numRuns,
  );
}

test('in random sequences of operations, every tensor behaves as an independent copy', async () => {
  await checkSequences(() => true, 1500);
});

test('in random sequences without files and models, where storage is shared most, every tensor behaves as an independent copy', async () => {
  await checkSequences((name) => !['file', 'model', 'shape', 'grow'].includes(name), 1500);
});
