// A call as a program in JavaScript that runs its one-node model with onnxruntime-web.

import { toBase64 } from '../base64.js';
import type { CallDraft } from '../drafts.js';
import { randomFunction } from './javascript.js';
import { modelInputs } from './model-inputs.js';
import { inputFile, isIdentifier } from './names.js';
import { elementsCode, hasTensors, helpers } from './onnxruntime-data.js';
import { attributesOf, sourceOf } from './source.js';

/** The types in a call that onnxruntime-web has no tensors of. */
function missingTypes(draft: CallDraft): string[] {
  const inAttributes = attributesOf(draft).flatMap(([, source]) =>
    source.kind === 'TENSOR' ? [source.value.type] : source.kind === 'SPARSE_TENSOR' ? [source.values.type] : [],
  );
  const types = [...draft.inputs.flatMap((input) => (input ? [input.type] : [])), ...inAttributes];
  return [...new Set(types)].filter((type) => !hasTensors(type));
}

/**
 * The program for a call.
 *
 * @param model - the call as a model of one node, as `Runtime.nodeModel` writes it
 */
export function onnxruntime(draft: CallDraft, model: Uint8Array): string {
  const names = modelInputs(model);
  const inputs = draft.inputs.flatMap((input, i) =>
    input ? [{ source: sourceOf(input), file: inputFile(draft, i) }] : [],
  );
  const feeds = inputs.flatMap(({ source, file }, i) => {
    const { code, comment } = elementsCode(source, file);
    const name = names[i] ?? `input_${i}`;
    const tensor = `new ort.Tensor(${JSON.stringify(source.type)}, ${code}, [${source.dims.join(', ')}])`;
    return [
      ...(comment === undefined ? [] : [`  // ${comment}`]),
      `  ${isIdentifier(name) ? name : JSON.stringify(name)}: ${tensor},`,
    ];
  });
  const text = feeds.join('\n');
  const calls = (name: string): boolean => new RegExp(`\\b${name}\\(`).test(text.replace(/"(?:\\.|[^"\\])*"/g, '""'));
  const missing = missingTypes(draft);
  return [
    ...(missing.length > 0
      ? [`// onnxruntime-web has no tensors of ${missing.join(', ')}: it refuses to make or run this.`]
      : []),
    `import * as ort from 'onnxruntime-web';`,
    '',
    ...(calls('random') ? [randomFunction(false)] : []),
    ...Object.entries(helpers).flatMap(([name, code]) => (calls(name) ? [code] : [])),
    `const model = Uint8Array.from(atob('${toBase64(model)}'), (character) => character.charCodeAt(0));`,
    'const session = await ort.InferenceSession.create(model);',
    ...(feeds.length === 0 ? ['const outputs = await session.run({});'] : ['const feeds = {', text, '};']),
    ...(feeds.length === 0 ? [] : ['const outputs = await session.run(feeds);']),
    'for (const [name, { type, dims, data }] of Object.entries(outputs)) console.log(name, type, dims, data);',
    '',
  ].join('\n');
}
