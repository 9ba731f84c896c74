// The pages of operators.
import { counted } from '../../../shared/counted.js';
import type { Difference } from '../differences.js';
import type { ForeignRow } from '../facts.js';
import { texts } from './texts.js';

const kindsEn: { [K in Difference['kind']]: string } = { added: 'added', removed: 'removed', changed: 'changed' };
const kindsZh: typeof kindsEn = { added: '新增', removed: '移除', changed: '变更' };
const whatsEn: { [W in Difference['what']]: string } = {
  attribute: 'attribute',
  input: 'input',
  output: 'output',
  types: 'types of',
};
const whatsZh: typeof whatsEn = { attribute: '属性', input: '输入', output: '输出', types: '元素类型：' };

/** How far an operator that does not run by itself is known, in a few words. */
const foreignEn: { [H in ForeignRow['has']]: string } = {
  models: 'runs in models',
  shapes: 'known shapes only',
  nothing: 'not yet',
};
const foreignZh: typeof foreignEn = { models: '在模型中运行', shapes: '仅推导形状', nothing: '尚不支持' };

/** The texts of the operator's own page. */
const foreignPageEn = {
  models: 'This operator holds graphs, so it has no call of its own. Broadloom runs it in models.',
  shapes:
    'Broadloom does not run this operator. It knows the types and shapes of the outputs, and keeps the operator in the models that it simplifies.',
  nothing:
    'Broadloom does not run this operator, and does not know the shapes of its outputs. It keeps the operator in the models that it simplifies.',
  openModels: 'Open a model',
  simplify: 'Simplify a model',
  where: 'Where to run it',
  whereNote: 'onnxruntime runs most operators of ONNX.',
  runtimes: [
    ['onnxruntime-web', 'npm install onnxruntime-web', 'in browsers'],
    ['onnxruntime-node', 'npm install onnxruntime-node', 'in Node.js'],
    ['onnxruntime', 'pip install onnxruntime', 'in Python'],
  ] as readonly (readonly [name: string, install: string, where: string])[],
  reference: (operator: string) => `${operator} in the ONNX documentation`,
};
const foreignPageZh: typeof foreignPageEn = {
  models: '这个算子含有子图，因此不能单独调用。Broadloom 在模型中运行它。',
  shapes: 'Broadloom 不运行这个算子，但知道其输出的类型和形状；简化模型时会保留它。',
  nothing: 'Broadloom 不运行这个算子，也不知道其输出的形状；简化模型时会保留它。',
  openModels: '打开模型',
  simplify: '简化模型',
  where: '在哪里运行',
  whereNote: 'onnxruntime 能运行 ONNX 的大多数算子。',
  runtimes: [
    ['onnxruntime-web', 'npm install onnxruntime-web', '在浏览器中'],
    ['onnxruntime-node', 'npm install onnxruntime-node', '在 Node.js 中'],
    ['onnxruntime', 'pip install onnxruntime', '在 Python 中'],
  ],
  reference: (operator: string) => `ONNX 文档中的 ${operator}`,
};

export const operatorPageTexts = texts({
  en: {
    operators: 'Operators',
    search: 'Search operators',
    searchHint: 'np.tile, cat, @ …',
    found: (count: number, others: number) =>
      others === 0 ? counted(count, 'operator') : `${counted(count, 'operator')}, and ${others} that do not run here`,
    noOperator: 'No operator has this name. Try the name of the function in NumPy or PyTorch.',
    others: 'Do not run here',
    has: foreignEn,
    foreign: foreignPageEn,
    tryIt: 'Try it yourself',
    code: 'Code',
    getCode: 'Get the code',
    codeOf: (operator: string) => `The first call of ${operator} in one line:`,
    codeNote: 'The call above as a program, as a model file, as a link:',
    seeAlso: 'See also',
    inLibraries: 'In other libraries:',
    neighbours: 'Next to it:',
    reference: (operator: string) => `${operator} in the ONNX documentation`,
    document: (operator: string) => `${operator} in the documentation: signature, types and attributes`,
    examples: 'Examples',
    examplesNote:
      'These examples are from the ONNX documentation and tests, or made with NumPy. Your browser runs them now.',
    leftOut: 'left out',
    version: 'Version',
    compared: 'compared with',
    versionOption: (operator: string, version: number) => `${operator}-${version}`,
    since: (version: number, next: number | undefined) =>
      next === undefined
        ? `opset ${version} and later`
        : next - 1 > version
          ? `opsets ${version} to ${next - 1}`
          : `opset ${version}`,
    first: 'the first version',
    signature: 'Inputs, outputs, attributes',
    changes: (from: string, to: string) => `Changes from ${from} to ${to}`,
    noChanges: 'Attributes, inputs, outputs and types did not change.',
    kinds: kindsEn,
    whats: whatsEn,
    types: 'Element types',
    typesOf: (names: string) => `of ${names}`,
    notAllowed: 'not in this version',
    newHere: 'new in this comparison',
    table: {
      name: 'Name',
      type: 'Type',
      about: 'Description',
      input: 'input',
      output: 'output',
      attribute: 'attribute',
    },
    options: { Optional: 'may be left out', Variadic: 'any number' },
    required: 'required',
    default: (value: number | string) => `default ${value}`,
    choices: (words: readonly string[]) => `one of ${words.join(', ')}`,
    elementType: 'an element type',
    call: 'Call',
    expected: 'Expected',
    actual: 'Actual',
    states: {
      running: 'running',
      equal: 'as expected',
      close: 'equal up to rounding',
      different: 'differs',
      failed: 'could not run',
    },
    elements: (count: number, value: number) => `${count} elements, all ${value}`,
    allElements: (count: number) => `Show all ${count} elements`,
    input: 'Input',
  },
  zh: {
    operators: '算子',
    search: '搜索算子',
    searchHint: '转置、np.tile、cat……',
    found: (count: number, others: number) =>
      others === 0 ? `${count} 个算子` : `${count} 个算子，另有 ${others} 个不能在这里运行`,
    noOperator: '没有这个名称的算子。可以试试它在 NumPy 或 PyTorch 中的名称。',
    others: '不能在这里运行',
    has: foreignZh,
    foreign: foreignPageZh,
    tryIt: '自己试一试',
    code: '代码',
    getCode: '导出代码',
    codeOf: (operator: string) => `用一行代码完成 ${operator} 的第一个调用：`,
    codeNote: '把上面的调用导出为程序、模型文件或链接：',
    seeAlso: '另请参阅',
    inLibraries: '在其他库中：',
    neighbours: '相关算子：',
    reference: (operator: string) => `ONNX 文档中的 ${operator}`,
    document: (operator: string) => `${operator} 的文档：函数签名、类型和属性`,
    examples: '示例',
    examplesNote: '这些示例来自 ONNX 文档和 ONNX 测试，或用 NumPy 算出，正由你的浏览器运行。',
    leftOut: '省略',
    version: '版本',
    compared: '对比',
    versionOption: (operator: string, version: number) => `${operator}-${version}`,
    since: (version: number, next: number | undefined) =>
      next === undefined
        ? `opset ${version} 及以后`
        : next - 1 > version
          ? `opset ${version} 到 ${next - 1}`
          : `opset ${version}`,
    first: '第一个版本',
    signature: '输入、输出与属性',
    changes: (from: string, to: string) => `从 ${from} 到 ${to} 的变化`,
    noChanges: '两个版本的属性、输入、输出和元素类型完全相同。',
    kinds: kindsZh,
    whats: whatsZh,
    types: '元素类型',
    typesOf: (names: string) => `用于 ${names}`,
    notAllowed: '此版本不支持',
    newHere: '与所对比的版本相比为新增',
    table: { name: '名称', type: '类型', about: '说明', input: '输入', output: '输出', attribute: '属性' },
    options: { Optional: '可省略', Variadic: '数量不限' },
    required: '必填',
    default: (value: number | string) => `默认 ${value}`,
    choices: (words: readonly string[]) => `${words.join('、')} 之一`,
    elementType: '元素类型',
    call: '调用',
    expected: '期望',
    actual: '实际',
    states: {
      running: '运行中',
      equal: '与期望一致',
      close: '仅舍入不同',
      different: '不一致',
      failed: '无法运行',
    },
    elements: (count: number, value: number) => `${count} 个元素，全为 ${value}`,
    allElements: (count: number) => `显示全部 ${count} 个元素`,
    input: '输入',
  },
});
