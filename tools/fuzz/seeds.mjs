// Seeds of the fuzzers: the official tests, the playground's samples, and what the tests' generators make. Small files only: most
// of what a fuzzer does with a file takes time in proportion to its size.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedModels } from '../models/generated.mjs';
import { officialFolder } from '../models/official.mjs';
import { sampleModels, simplifyModels } from '../models/samples.mjs';
import { run } from '../run.mjs';
import { build, emptied, programOf, seedsOf } from './targets.mjs';

const most = { model: 20000, simplify: 20000, tensor: 2000 };

/** All files below a folder whose names end so. */
const filesBelow = (place, end) =>
  existsSync(place)
    ? readdirSync(place, { recursive: true })
        .filter((name) => name.endsWith(end))
        .map((name) => join(place, name))
        .sort()
    : [];

/** Writes the seeds of all targets to build/fuzz/seeds. */
export function makeSeeds() {
  for (const name of ['model', 'simplify', 'tensor']) emptied(seedsOf(name));
  build('fuzz_seeds');
  run(programOf('seeds'), [join(seedsOf('model'), '..')], { quiet: true });
  let number = 0;
  const add = (target, bytes) => {
    mkdirSync(seedsOf(target), { recursive: true });
    if (bytes.length <= most[target]) writeFileSync(join(seedsOf(target), `seed-${number++}`), bytes);
  };
  const made = [...Object.values(sampleModels()), ...Object.values(simplifyModels())];
  for (const make of Object.values(generatedModels)) made.push(make({ layers: 1 }));
  for (const bytes of made) add('model', bytes);
  const official = officialFolder();
  for (const file of filesBelow(official, '.onnx'))
    if (statSync(file).size <= most.model) add('model', readFileSync(file));
  for (const file of filesBelow(official, '.pb'))
    if (statSync(file).size <= most.tensor) add('tensor', readFileSync(file));
  // Bytes that lead to each operator, with choices at random.
  for (const name of ['operator', 'image', 'sound']) {
    emptied(seedsOf(name));
    for (let seed = 0; seed < 400; seed++) {
      const bytes = Buffer.concat(
        ['a', 'b'].map((part) => createHash('sha512').update(`${name} ${seed} ${part}`).digest()),
      );
      bytes[0] = seed;
      writeFileSync(join(seedsOf(name), `seed-${seed}`), bytes);
    }
  }
  // Options of zeros ask for nothing, options of ones for everything.
  for (const file of filesBelow(seedsOf('model'), '')) {
    const model = readFileSync(file);
    const options =
      number % 3 === 0 ? Buffer.alloc(8) : Buffer.from([number % 256, number % 64, 0xff, 0x55, 3, 1, 9, 4]);
    add('simplify', Buffer.concat([options, model]));
  }
}
