// Pictures and sounds as inputs of the command.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { model as built, input, node, output, workspace } from './helpers.mjs';
import { pngFile } from './png-file.mjs';

const [float, uint8, int8, int32, bool, float16, bfloat16] = [1, 2, 3, 6, 9, 10, 16];

const identity = (type, dims) =>
  built([node('Identity', ['x'], ['y']), input('x', type, dims), output('y', type, dims)]);

/** A model whose input x has these dims, its output y in JSON for a file, and the options of the call. */
function outputOf(t, type, dims, name, bytes, ...options) {
  const { write, json } = workspace(t);
  write('model.onnx', identity(type, dims));
  write(name, bytes);
  const result = json('run', 'model.onnx', '-i', `x=${name}`, ...options);
  assert.ok(result.outputs, JSON.stringify(result));
  return result.outputs[0];
}

// Two pixels beside each other: red, and a gray of 51.
const png = pngFile({ width: 2, height: 1 }, (x, _, i) => (x === 1 ? 51 : i === 0 ? 255 : 0));

for (const [what, type, dims, wantedDims, wanted, ...options] of [
  ['channels first, of bytes', uint8, [1, 3, 'h', 'w'], [1, 3, 1, 2], [255, 51, 0, 51, 0, 51]],
  ['channels last', uint8, [1, 'h', 'w', 3], [1, 1, 2, 3], [255, 0, 0, 51, 51, 51]],
  [
    'channels last where the first axis has another size',
    uint8,
    [1, 1, 2, 3].with(1, 'h').with(2, 2),
    [1, 1, 2, 3],
    [255, 0, 0, 51, 51, 51],
  ],
  ['no batch', uint8, [3, 'h', 'w'], [3, 1, 2], [255, 51, 0, 51, 0, 51]],
  ['no batch, channels last', uint8, ['h', 'w', 3], [1, 2, 3], [255, 0, 0, 51, 51, 51]],
  ['one channel', uint8, [1, 1, 'h', 'w'], [1, 1, 1, 2], [76, 51]],
  ['rows and columns alone', uint8, ['h', 'w'], [1, 2], [76, 51]],
  ['unknown sizes', uint8, ['n', 'c', 'h', 'w'], [1, 3, 1, 2], [255, 51, 0, 51, 0, 51]],
  ['four channels', uint8, ['n', 4, 'h', 'w'], [1, 4, 1, 2], [255, 51, 0, 51, 0, 51, 255, 255]],
  ['integers of 32 bits', int32, [1, 3, 'h', 'w'], [1, 3, 1, 2], [255, 51, 0, 51, 0, 51]],
  ['floats, which are bytes / 255', float, [1, 3, 'h', 'w'], [1, 3, 1, 2], [1, 0.2, 0, 0.2, 0, 0.2]],
  [
    'numbers of bfloat16, which are bytes / 255',
    bfloat16,
    [1, 3, 'h', 'w'],
    [1, 3, 1, 2],
    [1, 0.200195, 0, 0.200195, 0, 0.200195],
  ],
  [
    'a declared height, and the width in proportion',
    uint8,
    [1, 1, 2, 'w'],
    [1, 1, 2, 4],
    [76, 70, 57, 51, 76, 70, 57, 51],
  ],
  ['another size, to which it is stretched', uint8, [1, 3, 2, 1], [1, 3, 2, 1], [153, 153, 26, 26, 26, 26]],
  ['the size of a preset, which normalises', float, [1, 3, 2, 2], [1, 3, 2, 2], undefined, '--preset', 'vit'],
])
  test(`a picture becomes an input with ${what}`, (t) => {
    const { dims: made, data } = outputOf(t, type, dims, 'x.png', png, ...options);
    assert.deepEqual(made, wantedDims);
    if (wanted)
      assert.deepEqual(
        data.map((value) => Math.round(value * 1e6) / 1e6),
        wanted,
      );
    else assert.ok(Math.min(...data) === -1 && Math.max(...data) === 1, `${data}`);
  });

test('floats of a picture are the quotients of its bytes and 255', (t) => {
  const all = pngFile({ width: 256, height: 1 }, (x) => x);
  const { data } = outputOf(t, float, [1, 3, 'h', 'w'], 'x.png', all);
  assert.deepEqual(
    data.slice(0, 256).map(Math.fround),
    Array.from({ length: 256 }, (_, i) => Math.fround(i / 255)),
  );
});

for (const [name, type] of [
  ['int8', int8],
  ['bool', bool],
])
  test(`a picture for ${name}, which does not hold its bytes, is refused`, (t) => {
    const { write, broadloom } = workspace(t);
    write('model.onnx', identity(type, [1, 3, 'h', 'w']));
    write('x.png', png);
    const { status, stderr } = broadloom('run', 'model.onnx', '-i', 'x=x.png');
    assert.equal(status, 2);
    assert.match(stderr, /a picture needs a type of floats, or of integers up to 255/);
  });

test('--preset and --sample-rate without a picture or a sound are refused', (t) => {
  const { write, broadloom } = workspace(t);
  write('model.onnx', identity(float, [1]));
  for (const [options, message] of [
    [['--preset', 'vit'], /--preset is for pictures: no input is a PNG or JPEG file/],
    [['--sample-rate', '8000'], /--sample-rate is for sounds: no input is a WAV file/],
  ]) {
    const { status, stderr } = broadloom('run', 'model.onnx', '-i', 'x=[1]', ...options);
    assert.equal(status, 2);
    assert.match(stderr, message);
  }
});

test('a picture for float16 is made in float16', (t) => {
  const { type, dims } = outputOf(t, float16, [1, 3, 'h', 'w'], 'x.PNG', png);
  assert.deepEqual([type, dims], ['float16', [1, 3, 1, 2]]);
});

test('op takes pictures, whose type is said', (t) => {
  const { write, prints } = workspace(t);
  write('x.png', png);
  assert.match(prints('op', 'Shape', '-i', 'data:uint8=x.png'), /\[1 3 1 2\]/);
});

test('a picture for an input that is none is refused, and so is a damaged one', (t) => {
  const { write, broadloom } = workspace(t);
  write('x.png', png);
  write('cut.png', png.subarray(0, 60));
  write('flat.onnx', identity(float, [4]));
  const flat = broadloom('run', 'flat.onnx', '-i', 'x=x.png');
  assert.equal(flat.status, 2);
  assert.match(flat.stderr, /input 'x' is float32 \[4\]: a picture needs axes for height, width and channels/);
  const cut = broadloom('run', 'flat.onnx', '-i', 'x=cut.png');
  assert.deepEqual(
    [cut.status, cut.stderr],
    [1, "broadloom run: cannot read 'cut.png': this is no PNG file that can be read: it was cut off\n"],
  );
  assert.match(
    broadloom('run', 'flat.onnx', '-i', 'x=none.png').stderr,
    /cannot read 'none.png': there is no such file/,
  );
});

test('JPEG files are read by sharp of the folder, turned as they say, and without it the package is named', (t) => {
  const { write, json, broadloom } = workspace(t);
  write('model.onnx', identity(uint8, [1, 3, 'h', 'w']));
  write('x.jpg', 'a JPEG');
  const { status, stderr } = broadloom('run', 'model.onnx', '-i', 'x=x.jpg');
  assert.deepEqual(
    [status, stderr],
    [
      1,
      "broadloom run: cannot read 'x.jpg': JPEG files are read by the package sharp, which is not installed here: npm install sharp, or give a PNG file\n",
    ],
  );
  write('node_modules/sharp/package.json', '{ "main": "index.js" }');
  write(
    'node_modules/sharp/index.js',
    `module.exports = (bytes) => {
      if (String(bytes) !== 'a JPEG') throw new Error('Input buffer contains unsupported image format');
      const steps = [];
      const image = new Proxy({}, { get: (_, name) => (argument) => {
        if (name !== 'toBuffer') { steps.push(name + (argument ?? '')); return image; }
        if (steps.join() !== 'rotate,toColourspacesrgb,raw' || !argument.resolveWithObject) throw new Error(steps.join());
        return Promise.resolve({ data: Buffer.from([1, 2, 3, 4, 5, 6]), info: { width: 2, height: 1, channels: 3 } });
      } });
      return image;
    };`,
  );
  const { outputs } = json('run', 'model.onnx', '-i', 'x=x.jpg');
  assert.deepEqual(outputs[0].data, [1, 4, 2, 5, 3, 6]);
  write('y.jpeg', 'something else');
  assert.match(
    broadloom('run', 'model.onnx', '-i', 'x=y.jpeg').stderr,
    /cannot read 'y.jpeg': Input buffer contains unsupported/,
  );
});

/** A WAV file of 16 bits. */
function wav(sampleRate, channels, samples) {
  const file = Buffer.alloc(44 + 2 * samples.length);
  file.write('RIFF    WAVEfmt ', 'latin1');
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(36 + 2 * samples.length, 4);
  file.writeUInt32LE(16, 16);
  for (const [at, value] of [
    [20, 1],
    [22, channels],
    [32, 2 * channels],
    [34, 16],
  ])
    file.writeUInt16LE(value, at);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(2 * channels * sampleRate, 28);
  file.writeUInt32LE(2 * samples.length, 40);
  for (const [i, sample] of samples.entries()) file.writeInt16LE(sample * 32768, 44 + 2 * i);
  return file;
}

const stereo = wav(8000, 2, [0.5, 0, -0.5, 0.25]);

for (const [what, dims, wantedDims, wanted, file = stereo] of [
  ['one axis: a channel, the mean of all', ['n'], [2], [0.25, -0.125]],
  ['a batch', [1, 'n'], [1, 2], [0.25, -0.125]],
  ['a batch and one channel', ['b', 1, 'n'], [1, 1, 2], [0.25, -0.125]],
  ['as many channels', [1, 2, 'n'], [1, 2, 2], [0.5, -0.5, 0, 0.25]],
  ['no samples', [1, 'n'], [1, 0], [], wav(8000, 1, [])],
  ['as many channels without a batch', [2, 'n'], [2, 2], [0.5, -0.5, 0, 0.25]],
])
  test(`a sound becomes an input with ${what}`, (t) => {
    const { dims: made, data } = outputOf(t, float, dims, 'x.wav', file);
    assert.deepEqual([made, data], [wantedDims, wanted]);
  });

test('--sample-rate resamples sounds', (t) => {
  const { dims } = outputOf(t, float, [1, 'n'], 'x.wav', wav(8000, 1, Array(80).fill(0)), '--sample-rate', '16000');
  assert.deepEqual(dims, [1, 160]);
});

test('a sound for integers is refused, and so is a file that is no WAV', (t) => {
  const { write, broadloom } = workspace(t);
  write('model.onnx', identity(int32, ['n']));
  write('float.onnx', identity(float, ['n']));
  write('x.wav', stereo);
  write('y.wav', 'ID3 of another kind');
  assert.match(
    broadloom('run', 'model.onnx', '-i', 'x=x.wav').stderr,
    /input 'x' is int32 \[n\]: a sound needs a type of floats/,
  );
  const { status, stderr } = broadloom('run', 'float.onnx', '-i', 'x=y.wav');
  assert.equal(status, 1);
  assert.match(stderr, /input 'x': y.wav: readWav: these 19 bytes are no WAV file \(but MP3\)/);
});
