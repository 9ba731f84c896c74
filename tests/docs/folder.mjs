// The folder in which the programs and commands of a document run. It has what a reader would have there.
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load } from '../../dist/inline.js';
import { root } from '../../tools/run.mjs';
import { pngFile } from '../cli/png-file.mjs';

/** A WAV file of a second: a tone of 440 Hz, with 16 bits, left and right. */
function toneFile() {
  const rate = 44100;
  const file = Buffer.alloc(44 + 4 * rate);
  file.write('RIFF    WAVEfmt ', 'latin1');
  file.write('data', 36, 'latin1');
  for (const [at, value] of Object.entries({
    4: 36 + 4 * rate,
    16: 16,
    20: 0x20001,
    24: rate,
    28: 4 * rate,
    32: 0x100004,
  }))
    file.writeUInt32LE(value, Number(at));
  file.writeUInt32LE(4 * rate, 40);
  for (let i = 0; i < 2 * rate; i++)
    file.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 440 * (i >> 1)) / rate)), 44 + 2 * i);
  return file;
}

/**
 * Writes the playground's sample models, a sound, a picture, a folder `tests` in ONNX's layout, and node_modules: Broadloom, and
 * packages with real models.
 */
export async function fillFolder(folder) {
  const samples = join(root, 'web-demo/public/samples');
  const write = (path, content) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  cpSync(samples, folder, { recursive: true });
  cpSync(join(root, 'web-demo/public/simplify/parts.onnx'), join(folder, 'parts.onnx'));
  write('speech.wav', toneFile());
  write(
    'picture.png',
    pngFile({ width: 8, height: 6 }, (x, y, i) => (30 * x + 20 * y + 40 * i) & 255),
  );
  const ops = await load();
  const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  for (const [test, wanted] of Object.entries({ expand: [3, 4], expand_other: [3, 2] })) {
    const files = ops.nodeModel('Expand', [x, [3, 4]]);
    for (const [path, content] of Object.entries(files)) write(`tests/${test}/${path}`, content);
    write(`tests/${test}/test_data_set_0/output_0.pb`, ops.writeTensor(ops.expand(x, wanted)));
  }
  mkdirSync(join(folder, 'tests/gelu'));
  cpSync(join(samples, 'unsupported-gelu.onnx'), join(folder, 'tests/gelu/model.onnx'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/broadloom'));
  for (const scope of ['@ricky0123', '@gutenye'])
    symlinkSync(join(root, 'tests/models/node_modules', scope), join(folder, 'node_modules', scope));
}
