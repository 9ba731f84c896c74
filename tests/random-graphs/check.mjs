// Generates and checks models of consecutive seeds, and tells of the first failures with a smaller graph.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from '../../dist/inline.js';
import { passNames } from '../../tools/tables.mjs';
import { oracleOpset } from '../oracle.mjs';
import { operatorsOf } from '../support/random-graphs/calls.mjs';
import { generate } from '../support/random-graphs/generator.mjs';
import { show, textOfModel, write } from '../support/random-graphs/structure.mjs';
import { Failure } from './runs.mjs';
import { shrink } from './shrink.mjs';
import { checkWays, drawChoices } from './ways.mjs';

/** A runtime; another one after an error in WebAssembly. */
class Runtimes {
  async get() {
    this.ops ??= await load();
    return this.ops;
  }
  end() {
    this.ops = undefined;
  }
}

const optionsOf = ({ values, ...options }) =>
  JSON.stringify({
    ...options,
    values: Object.fromEntries(Object.entries(values).map(([name, one]) => [name, show(one)])),
  });

/** A failure as text, and its model in a file. */
function report(subject, error, folder) {
  const { model, feeds, choices, seed } = subject;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${seed}.onnx`);
  const { file, external } = write(model);
  writeFileSync(path, file);
  if (external !== undefined) writeFileSync(join(folder, 'weights.bin'), external);
  return [
    `seed ${seed}: ${error.message}`,
    textOfModel(model),
    ...choices.simplifications.map(({ options, world }) => `simplify of world ${world}: ${optionsOf(options)}`),
    ...feeds.map(
      (feed, world) =>
        `world ${world}: ${Object.entries(feed)
          .map(([name, one]) => `${name} = ${show(one)}`)
          .join('; ')}`,
    ),
    `file ${path}; again: node tests/random-graphs/run.mjs --seed=${seed}`,
  ].join('\n');
}

/** @returns failures: [{ seed, error, text }], and a summary. */
export async function checkAll({ seed, count, log, most = 1, shrinks = true, oracle }) {
  const runtimes = new Runtimes();
  const folder = join(tmpdir(), 'broadloom-random-graphs');
  const failures = [];
  const used = new Map();
  const refusals = new Map();
  let [nodes, taken, i] = [0, 0, 0];
  const check = async (subject) => {
    const ops = await runtimes.get();
    try {
      const ran = checkWays(ops, subject);
      if (oracle !== undefined) {
        const answer = await oracle(ops, subject, ran);
        if (answer.taken) taken++;
        else refusals.set(answer.why, (refusals.get(answer.why) ?? 0) + 1);
      }
      return undefined;
    } catch (error) {
      if (error instanceof Failure && error.kind !== 'trap') return error;
      runtimes.end();
      return error instanceof Failure ? error : new Failure('trap', error.stack);
    }
  };
  for (; i < count && failures.length < most; i++) {
    const ops = await runtimes.get();
    let subject;
    let error;
    try {
      subject = generate(ops, seed + i, oracleOpset);
      subject.passes = passNames;
      subject.choices = drawChoices(subject);
    } catch (fault) {
      error = new Failure('generator', fault.stack);
      runtimes.end();
    }
    if (subject !== undefined) {
      nodes += subject.model.graph.nodes.length;
      for (const [name, times] of subject.counts) used.set(name, (used.get(name) ?? 0) + times);
      error = await check(subject);
    }
    if (error === undefined) continue;
    let text = `seed ${seed + i}: ${error.message}`;
    if (shrinks && subject !== undefined) {
      const small = await shrink(subject, error.kind, async (one) => (await check(one))?.kind);
      text = report(small, (await check(small)) ?? error, folder);
    }
    failures.push({ seed: seed + i, error, text });
    log(text);
  }
  const missing = operatorsOf(await runtimes.get(), oracleOpset)
    .map(({ name, domain }) => (domain === '' ? name : `${domain}.${name}`))
    .concat(['If', 'Loop', 'Scan', 'local function'])
    .filter((name) => !used.has(name));
  const summary = `${i} models of ${nodes} nodes, ${used.size} operators, ${taken} taken by onnxruntime, ${failures.length} failures; seeds from ${seed}`;
  return { failures, summary, used, missing, refusals, models: i, taken };
}
