// A call as a program in JavaScript that runs its one-node model with onnxruntime-web.

import { toBase64 } from '../base64.js';
import type { CallDraft } from '../drafts.js';
import { randomFunction } from './javascript.js';
import { modelInputs } from './model-inputs.js';
import { isIdentifier } from './names.js';
import { elementsCode, elementsFunction, hasTensors } from './onnxruntime-data.js';
import { attributesOf, dimsOf, inputStorage } from './source.js';

/** The most bytes of a model that are written into a program. */
const mostInline = 2 ** 16;

/** The features that onnxruntime-web lacks for a call. */
function warnings(draft: CallDraft): string[] {
  const attributes = attributesOf(draft).map(([, source]) => source);
  const inAttributes = attributes.flatMap((source) =>
    source.kind === 'TENSOR' ? [source.value.type] : source.kind === 'SPARSE_TENSOR' ? [source.values.type] : [],
  );
  const types = [...draft.inputs.flatMap((input) => (input ? [input.type] : [])), ...inAttributes];
  const missing = [...new Set(types)].filter((type) => !hasTensors(type)).map((type) => `tensors of ${type}`);
  if (attributes.some(({ kind }) => kind === 'SPARSE_TENSOR')) missing.push('sparse tensors');
  return missing.map((what) => `// onnxruntime-web has no ${what}: it refuses to make or run this.`);
}

/**
 * The program for a call.
 *
 * @param model - the call as a model of one node, as `Runtime.nodeModel` writes it
 */
export function onnxruntimeCode(draft: CallDraft, model: Uint8Array): string {
  const names = modelInputs(model);
  const inputs = draft.inputs.flatMap((input, i) =>
    input ? [{ input, elements: elementsCode(input, inputStorage(draft, i)) }] : [],
  );
  const feeds = inputs.flatMap(({ input, elements: { code, comment } }, i) => {
    const name = names[i] ?? `input_${i}`;
    const tensor = `new ort.Tensor(${JSON.stringify(input.type)}, ${code}, [${dimsOf(input.dims).join(', ')}])`;
    return [
      ...(comment === undefined ? [] : [`  // ${comment}`]),
      `  ${isIdentifier(name) ? name : JSON.stringify(name)}: ${tensor},`,
    ];
  });
  const used = inputs.map(({ elements }) => elements.uses);
  return [
    ...warnings(draft),
    `import * as ort from 'onnxruntime-web';`,
    '',
    ...(used.includes('random') ? [randomFunction(false)] : []),
    ...(used.includes('elements') ? [elementsFunction] : []),
    ...(model.length > mostInline
      ? [`// ${model.length} bytes: in the playground's downloads`, `const model = 'model.onnx';`]
      : [`const model = Uint8Array.from(atob('${toBase64(model)}'), (character) => character.charCodeAt(0));`]),
    'const session = await ort.InferenceSession.create(model);',
    ...(feeds.length === 0 ? ['const feeds = {};'] : ['const feeds = {', ...feeds, '};']),
    'const outputs = await session.run(feeds);',
    'for (const [name, { type, dims, data }] of Object.entries(outputs)) console.log(name, type, dims, data);',
    '',
  ].join('\n');
}
