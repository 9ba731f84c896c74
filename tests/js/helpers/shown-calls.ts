// Every call that the pages of operators show or offer, and calls of other types.
import { defaultDraft } from '../../../web-demo/src/default-draft.js';
import { exampleDraft } from '../../../web-demo/src/example-draft.js';
import { examplesOf, newestOpset, operatorIndex, operatorOf, playOf } from '../../../web-demo/src/facts.js';
import { presetCalls } from '../../../web-demo/src/stage/presets.js';
import { attributeDrafts, type NamedDraft, typeDrafts } from './drafts.js';

/** Every example of every operator, the first call of its page, in every version, and what its page offers to play with. */
export const examples: NamedDraft[] = operatorIndex.flatMap(({ name }) =>
  examplesOf(name).map((example) => ({ title: `${name} ${example.name}`, draft: exampleDraft(example) })),
);
const first: NamedDraft[] = operatorIndex.map(({ name }) => ({
  title: `${name}, first call`,
  draft: defaultDraft(name, newestOpset),
}));
const older: NamedDraft[] = operatorIndex.flatMap(({ name, versions }) =>
  versions.slice(0, -1).map((opset) => ({ title: `${name}-${opset}`, draft: defaultDraft(name, opset) })),
);
const played: NamedDraft[] = operatorIndex.flatMap(({ name }) =>
  presetCalls(name).flatMap((draft, i) =>
    playOf(name).presets?.[i]?.fails ? [] : [{ title: `${name}, preset ${i}`, draft }],
  ),
);

/** The first call of each operator with other element types, as a person may choose them. */
const typed: NamedDraft[] = first.flatMap(({ draft }) => {
  const row = operatorOf(draft.operator)?.versions.at(-1);
  const parameter = row?.inputs[0]?.type ?? '';
  const from = draft.inputs[0]?.type;
  const values = { kind: 'range', start: 1, step: 0 } as const;
  return (row?.typeConstraints[parameter] ?? []).map((type) => ({
    title: `${draft.operator} of ${type}`,
    draft: {
      ...draft,
      inputs: draft.inputs.map((input, i) => {
        const same =
          row?.inputs[i]?.type === parameter || (row?.inputs.at(-1)?.type === parameter && i >= row.inputs.length);
        return input && same && input.type === from ? { ...input, type, values } : input;
      }),
    },
  }));
});
export const shownCalls: readonly NamedDraft[] = [
  ...typed,
  ...examples,
  ...first,
  ...older,
  ...played,
  ...attributeDrafts,
  ...typeDrafts,
];
