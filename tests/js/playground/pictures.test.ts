// The pictures of operators, as they are made of calls: each stop of each of ONNX's examples can be drawn and told.
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { defaultDraft } from '../../../web-demo/src/default-draft.js';
import type { CallDraft } from '../../../web-demo/src/drafts.js';
import { exampleDraft } from '../../../web-demo/src/example-draft.js';
import { examplesOf, newestOpset } from '../../../web-demo/src/facts.js';
import type { Compute } from '../../../web-demo/src/pictures/compute.js';
import { families } from '../../../web-demo/src/pictures/families.js';
import type { Drawing, Plan } from '../../../web-demo/src/pictures/plan.js';
import { CallAttributes } from '../../../web-demo/src/pictures/values.js';
import { computeCall, makeCall } from '../../../web-demo/src/runtime/call.js';
import { presetCalls } from '../../../web-demo/src/stage/presets.js';
import { someOf } from '../../depth.mjs';

const ops = await load();

const compute: Compute = async (draft) => {
  try {
    return computeCall(ops, draft);
  } catch {
    return undefined;
  }
};

async function planOf(draft: CallDraft, drawing: Drawing): Promise<Plan | undefined> {
  const call = makeCall(ops, draft, () => {});
  return drawing({ call, compute, language: 'en', attributes: new CallAttributes(draft) });
}

/** Some of the stops, the first and the last one among them. */
const stopsOf = ({ stops }: Plan): number[] =>
  [...new Set([0, 1, Math.floor(stops / 2), stops - 1])].filter((stop) => stop >= 0 && stop < stops);

/** The calls of the page of an operator that are not refused: its presets, and ONNX's examples. */
function callsOf(name: string): CallDraft[] {
  const isMade = (draft: CallDraft): boolean => {
    try {
      return makeCall(ops, draft, () => {}).ok;
    } catch {
      return false; // a preset that shows an error
    }
  };
  return [...presetCalls(name), ...examplesOf(name).map((one) => exampleDraft(one))].filter(isMade);
}

/** Whether a number of a drawing is NaN, such as the height of a bar: browsers complain about it, and leave it out. */
function hasNaN(part: unknown): boolean {
  if (typeof part === 'number') return Number.isNaN(part);
  if (typeof part === 'string') return /^M.*NaN/.test(part);
  if (Array.isArray(part)) return part.some(hasNaN);
  return part instanceof Object && 'values' in part && hasNaN(part.values);
}

const operators = families.flatMap(([names, load]) => names.split(' ').map((name) => ({ name, load })));

test.each(operators)(
  'the first call of $name has a picture, whose stops are the elements that it points at',
  async ({ name, load }) => {
    const { drawing } = await load();
    const plan = (await planOf(defaultDraft(name, newestOpset), drawing)) as Plan;
    expect(plan).toBeDefined();
    expect(plan.stops).toBeGreaterThan(0);
    for (const stop of stopsOf(plan)) {
      const place = plan.placeOf(stop);
      expect(place && plan.stopOf(place)).toBe(stop);
    }
  },
);

test.each(someOf(operators, 20))('every preset and example of $name can be drawn and told', async ({ name, load }) => {
  const { drawing } = await load();
  for (const draft of callsOf(name)) {
    const plan = await planOf(draft, drawing);
    for (const stop of plan ? stopsOf(plan) : []) {
      const moment = { stop, progress: 1, chosen: () => 0 };
      const drawn = plan?.draw(moment);
      expect(drawn).toBeDefined();
      expect(hasNaN(drawn)).toBe(false);
      expect(plan?.describe(moment)).not.toMatch(/undefined|NaN/);
    }
  }
});

/** A written sum as a number. */
const evaluate = (sum: string): number =>
  Number(new Function(`return ${sum.replaceAll('×', '*').replaceAll('÷', '/').replaceAll('−', '-')}`)());

const written =
  'Conv ConvInteger ConvTranspose AveragePool GlobalAveragePool MatMul MatMulInteger Gemm Einsum ReduceSum ReduceMean CumSum CumProd';

test.each(written.split(' '))('the sum that is written for an element of %s is the element', async (name) => {
  const { load } = operators.find((one) => one.name === name) as (typeof operators)[number];
  const { drawing } = await load();
  let count = 0;
  for (const draft of callsOf(name)) {
    const plan = await planOf(draft, drawing);
    for (let stop = 0; stop < Math.min(plan?.stops ?? 0, 64); stop++) {
      const text = plan?.describe({ stop, progress: 1, chosen: () => 0 }) ?? '';
      const [sum = '', result = ''] = text.split(' = ');
      if (text.includes('…') || !/^-?[\d.e+-]+$/.test(result)) continue; // long sums, complex numbers
      const scale = Math.max(1, ...[...sum.matchAll(/[\d.]+/g)].map(([number]) => Number(number) ** 2));
      expect(Math.abs(evaluate(sum) - Number(result))).toBeLessThan(0.02 * scale); // factors have three digits
      count++;
    }
  }
  expect(count).toBeGreaterThan(1);
});

test.each([0, 1])('the gates of GRU mix its last state and the new one, linear_before_reset %i', async (isLinear) => {
  const [draft] = presetCalls('GRU') as [CallDraft];
  const attributes = { ...draft.attributes, linear_before_reset: { kind: 'text', text: String(isLinear) } as const };
  const { drawing } = await (families.find(([names]) => names.split(' ').includes('GRU')) as (typeof families)[0])[1]();
  const plan = (await planOf({ ...draft, attributes }, drawing)) as Plan;
  const told = [0, 1].map((stop) => {
    const text = plan.describe({ stop, progress: 1, chosen: () => 0 });
    return Object.fromEntries(
      [...text.matchAll(/(\S+) = (-?[\d.]+)/g)].map(([, name, value]) => [name, Number(value)]),
    );
  });
  const [first, second] = told as { [name: string]: number }[];
  expect(Object.keys(second ?? {})).toEqual(['t', 'z', 'r', 'h̃', 'h']);
  const mixed = (1 - (second?.z ?? 0)) * (second?.h̃ ?? 0) + (second?.z ?? 0) * (first?.h ?? 0);
  expect(mixed).toBeCloseTo(second?.h ?? Number.NaN, 2);
});
