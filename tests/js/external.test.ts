// Initializers in other files.
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { counters, errorOf, expectRefusal } from './helpers/runtime.js';

const ops = await load({});

type Entries = readonly (readonly [key: string, value: string])[];

function external(
  name: string,
  type: Parameters<typeof proto.tensorHead>[0],
  dims: number[],
  ...entries: Entries
): Uint8Array {
  const data = entries.map(([key, value]) => proto.bytes(13, proto.concat(proto.bytes(1, key), proto.bytes(2, value))));
  return proto.concat(proto.tensorHead(type, dims, name), ...data, proto.integer(14, 1));
}

const file = (initializers: readonly Uint8Array[], outputs: readonly string[]): Uint8Array =>
  proto.model({
    nodes: outputs.map((name) => ({ op: 'Identity', inputs: [name], outputs: [`${name}_out`] })),
    initializers: [...initializers],
    outputs: outputs.map((name) => proto.value(`${name}_out`, name.startsWith('b') ? 'bool' : 'float32')),
  });

const floats = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);

test('elements come from the place in the file that the model names, and each file is requested once', () => {
  const before = counters(ops);
  const asked: string[] = [];
  const model = ops.loadModel(
    file(
      [
        external('v', 'float32', [2], ['location', 'weights.bin'], ['offset', '8'], ['length', '8']),
        external('w', 'float32', [4], ['location', 'weights.bin']),
        external('z', 'float32', [0, 3], ['location', 'sub/other.bin']),
      ],
      ['v', 'w', 'z'],
    ),
    {
      external(location) {
        asked.push(location);
        return location === 'weights.bin' ? floats : new Uint8Array();
      },
    },
  );
  expect(asked.sort()).toEqual(['sub/other.bin', 'weights.bin']);
  ops.scope(() => {
    const { v_out, w_out, z_out } = model.run();
    expect([[...v_out.data], [...w_out.data], z_out.dims]).toEqual([
      [3, 4],
      [1, 2, 3, 4],
      [0, 3],
    ]);
  });
  model.dispose();
  expect(counters(ops)).toEqual(before);
});

const w = (...entries: Entries) => file([external('w', 'float32', [4], ['location', 'w.bin'], ...entries)], ['w']);

test.each([
  [
    'an offset behind the end',
    w(['offset', '4']),
    "external data of 'w' ends at byte 20, but file 'w.bin' has 16 bytes",
  ],
  ['an offset of 2^53', w(['offset', '9007199254740991']), "external data of 'w' ends at byte"],
  ['another length', w(['length', '12']), "external data of 'w' has length 12, but float32 of dims [4] has 16 bytes"],
  ['an offset that is not a number', w(['offset', '-4']), "offset is '-4', which is not a number of bytes"],
  [
    'bytes other than 0 and 1 for bool',
    file([external('b', 'bool', [1], ['location', 'w.bin'], ['offset', '2'])], ['b']),
    'which bool cannot hold',
  ],
  ['1e9 elements', file([external('w', 'float32', [1e9], ['location', 'w.bin'])], ['w']), 'ends at byte 4000000000'],
])('%s is refused, and nothing is kept', (_, bytes, says) => {
  const heap = ops.memory().heapBytes;
  expectRefusal(ops, () => ops.loadModel(bytes, { external: () => floats }), { code: 'INVALID_MODEL', says: [says] });
  expect(ops.memory().heapBytes).toBe(heap);
});

test.each(['/etc/passwd', '../w.bin', 'a/../../b', 'C:\\w', '\\\\host\\w', '', 'https://example.com/w'])(
  'the location %p is refused before anybody is asked for it',
  (location) => {
    let asked = 0;
    const bytes = file([external('w', 'float32', [4], ['location', location])], ['w']);
    const give = () => {
      asked++;
      return floats;
    };
    expectRefusal(ops, () => ops.loadModel(bytes, { external: give }), {
      code: 'INVALID_MODEL',
      says: ['not a file beside the model'],
    });
    expect(asked).toBe(0);
  },
);

test('an option other than a function, and a function that returns no bytes, are refused', () => {
  for (const wrong of [true, 'w.bin', {}])
    expectRefusal(ops, () => ops.loadModel(w(), { external: wrong as never }), {
      code: 'INVALID_ARGUMENT',
      says: ['wanted a function'],
    });
  expectRefusal(ops, () => ops.loadModel(w(), { external: () => [1] as never }), {
    code: 'INVALID_ARGUMENT',
    says: ["for 'w.bin' it returned", 'wanted a Uint8Array'],
  });
  expectRefusal(ops, () => ops.loadModel(w(), { external: () => undefined }), {
    code: 'INVALID_ARGUMENT',
    says: ["external: there is no file 'w.bin'"],
  });
  expectRefusal(ops, () => ops.loadModel(w(), { external: (async () => floats) as never }), {
    code: 'INVALID_ARGUMENT',
    says: ['wanted a Uint8Array or { size, read }: await it before the call'],
  });
});

test('an error of the function is passed on unchanged, and the model is freed', () => {
  const before = counters(ops);
  const own = new Error('no such file');
  const work = () =>
    ops.loadModel(w(), {
      external() {
        throw own;
      },
    });
  expect(work).toThrow(own);
  expect(counters(ops)).toEqual(before);
});

test('the function may use the runtime', () => {
  using model = ops.loadModel(w(), {
    external() {
      ops.memory();
      ops.expand(ops.tensor('int8', [1], [1]), [100]).dispose();
      return floats;
    },
  });
  expect([...model.run().w_out.data]).toEqual([1, 2, 3, 4]);
});

test('without the option such a model is refused with advice', () => {
  expect(errorOf(() => ops.loadModel(w())).message).toContain('was not given: loadModel takes the option external');
});

test('a sparse initializer and an attribute with elements in a file say that the option is not for them', () => {
  const values = external('w', 'float32', [1], ['location', 'w.bin']);
  const sparse = proto.sparseTensor(values, proto.tensor('int64', [1], [1]), [3]);
  const models = [
    proto.model({ sparseInitializers: [sparse] }),
    proto.model({ nodes: [{ op: 'Constant', outputs: ['w'], attributes: [proto.attribute.tensor('value', values)] }] }),
  ];
  for (const bytes of models) {
    const { message } = errorOf(() => ops.loadModel(bytes, { external: () => floats }));
    expect(message).toContain(
      "data in file 'w.bin': loadModel takes the option external for initializers alone, not for",
    );
  }
});

test('with allowUnsupported, files that are not there leave initializers without elements, and a run that needs one names it', () => {
  const before = counters(ops);
  const parts = ['near', 'far'].map((name) => external(name, 'float32', [4], ['location', `${name}.bin`]));
  const asked: string[] = [];
  const model = ops.loadModel(file(parts, ['near', 'far']), {
    allowUnsupported: true,
    external: (location) => {
      asked.push(location);
      return location === 'near.bin' ? floats : undefined;
    },
  });
  expect(asked.sort()).toEqual(['far.bin', 'near.bin']);
  ops.scope(() => {
    expect([...model.run({}, { outputs: ['near_out'] }).near_out.data]).toEqual([1, 2, 3, 4]);
    expect([...model.initializers[0].read().data]).toEqual([1, 2, 3, 4]);
    const says = ["the external data of 'far', in file 'far.bin', was not given: loadModel takes the option external"];
    expectRefusal(ops, () => model.run(), { code: 'INVALID_MODEL', says });
    expectRefusal(ops, () => model.initializers[1].read(), { code: 'INVALID_MODEL', says });
  });
  model.dispose();
  expect(counters(ops)).toEqual(before);
});
