// A call as a program in Python: a model of one node, run by ONNX's own reference implementation.
import type { CallDraft } from '../drafts.js';
import { oldestOpset } from '../facts.js';
import { callNames } from './names.js';
import { array, dtype, pythonFiles, randomFunction, tensorProtoType } from './numpy.js';
import { type OutputInfo, schemaOutputs } from './outputs.js';
import { nodeLines } from './python-node.js';
import { type AttributeSource, attributesOf, inputStorage, type Source, sourceOf, storedFile } from './source.js';

/** The oldest version of ONNX's files that has an opset's types: old ones are read by more programs. */
function irVersion(opset: number): number {
  const first: readonly [opset: number, ir: number][] = [
    [25, 13],
    [24, 12],
    [23, 11],
    [21, 10],
    [19, 9],
  ];
  return first.find(([least]) => opset >= least)?.[1] ?? 8;
}

function valueInfo(name: string, { type, dims }: OutputInfo): string {
  const sizes = dims.map((dim) => dim ?? 'None').join(', ');
  return `helper.make_tensor_value_info(${JSON.stringify(name)}, ${tensorProtoType(type)}, [${sizes}])`;
}

/** All tensors of a call: its inputs, then those in its attributes. */
function allSources(inputs: readonly (Source | null)[], attributes: readonly [string, AttributeSource][]): Source[] {
  const inAttributes = attributes.flatMap(([, source]) =>
    source.kind === 'TENSOR' ? [source.value] : source.kind === 'SPARSE_TENSOR' ? [source.values, source.indices] : [],
  );
  return [...inputs.filter((source) => source !== null), ...inAttributes];
}

/**
 * The program for a call.
 *
 * @param outputs - types and dims of what the call gave, when it was made; without, what the schema tells
 */
export function pythonCode(draft: CallDraft, outputs?: readonly OutputInfo[]): string {
  const attributes = attributesOf(draft);
  const opset = oldestOpset(draft);
  const results =
    outputs ??
    schemaOutputs(
      draft,
      attributes.map(([, source]) => source),
    );
  const names = callNames(draft, results.length);
  const sources = draft.inputs.map((input) => input && sourceOf(input));
  const given = sources.flatMap((source, i) =>
    source ? [{ source, name: names.inputs[i] as string, storage: inputStorage(draft, i) }] : [],
  );
  const all = allSources(sources, attributes);
  const stored = all.filter(({ elements }) => elements.kind === 'stored');
  const usesMlDtypes = all.some(({ type }) => dtype(type).startsWith('ml_dtypes'));
  const node = nodeLines(draft.operator, attributes, names.inputs, names.outputs);
  const inputLines = given.flatMap(({ source, name, storage }) => [
    ...(source.elements.kind === 'stored' ? [`    # ${storedFile(source, storage, pythonFiles).comment}`] : []),
    `    ${JSON.stringify(name)}: ${array(source, storage, '    ')},`,
  ]);
  const usesHelper = /numpy_helper/.test([...node, ...inputLines].join());
  return [
    ...(usesMlDtypes ? ['# The types of ml_dtypes need onnx 1.19 or newer.', 'import ml_dtypes'] : []),
    'import numpy as np',
    'import onnx',
    `from onnx import TensorProto, helper${usesHelper ? ', numpy_helper' : ''}`,
    'from onnx.reference import ReferenceEvaluator',
    '',
    ...(all.some(({ elements }) => elements.kind === 'random') ? [randomFunction] : []),
    ...(given.length === 0 ? ['inputs = {}'] : ['inputs = {', ...inputLines, '}']),
    ...(stored.length > 0 && given.every(({ source }) => source.elements.kind !== 'stored')
      ? ['# Save the tensors of attributes as the files that are loaded.']
      : []),
    ...node,
    'graph = helper.make_graph(',
    '    [node],',
    `    ${JSON.stringify(draft.operator)},`,
    ...(given.length === 0
      ? ['    [],']
      : ['    [', ...given.map(({ source, name }) => `        ${valueInfo(name, source)},`), '    ],']),
    '    [',
    ...results.map((info, i) => `        ${valueInfo(names.outputs[i] as string, info)},`),
    '    ],',
    ')',
    `model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", ${opset})], ir_version=${irVersion(opset)})`,
    'onnx.checker.check_model(model)',
    'for output in ReferenceEvaluator(model).run(None, inputs):',
    '    print(output)',
    '',
  ].join('\n');
}
