// The folder in which the programs and commands of a document run. It has what a reader would have there.
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load } from '../../dist/inline.js';
import { root } from '../../tools/run.mjs';

/** Writes the playground's sample models, a folder `tests` in ONNX's layout, and packages with real models. */
export async function fillFolder(folder) {
  const samples = join(root, 'web-demo/public/samples');
  const write = (path, content) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  cpSync(samples, folder, { recursive: true });
  cpSync(join(root, 'web-demo/public/simplify/parts.onnx'), join(folder, 'parts.onnx'));
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
  for (const scope of ['@ricky0123', '@gutenye'])
    symlinkSync(join(root, 'tests/models/node_modules', scope), join(folder, 'node_modules', scope));
}
