// Texts of the page "Models".
import { counted } from '../../../shared/counted.js';
import { texts } from './texts.js';

const english = (value: number): string => value.toLocaleString('en');
const chinese = (value: number): string => value.toLocaleString('zh');

/** With what is in inner graphs; the graph itself is one. */
interface Counts {
  readonly nodes: number;
  readonly graphs: number;
}

export const modelsTexts = texts({
  en: {
    title: 'Models',
    intro:
      'Open an .onnx file to see its graph. Each node shows the version of its operator, the types and shapes of its outputs, and whether Broadloom can run it. The file stays on your computer.',
    choose: 'Choose a file',
    orDrop: 'or drop one anywhere on this page.',
    drop: 'Drop the .onnx file to open it',
    samples: 'Or open an example',
    sampleNames: {
      zerosLike: 'Zeros like the input',
      expandLike: 'Broadcast like another tensor',
      batchBias: 'A bias for every item of a batch',
      keepOrClear: 'A choice between two graphs',
      unsupported: 'An operator that cannot run',
    },
    reading: (name: string) => `Reading ${name} …`,
    opened: (name: string, nodes: string) => `${name} is open: ${nodes}`,
    unreadable: 'The file could not be read.',
    refused: (name: string) => `${name} could not be opened.`,
    close: 'Close the model',
    keepings: {
      kept: (_largest: string) => 'This browser keeps the model: a reload of this tab opens it again.',
      tooLarge: (largest: string) =>
        `The model is larger than ${largest}, so this browser does not keep it. After a reload, open it again.`,
      refused: (_largest: string) =>
        'This browser does not keep the model: it stores nothing here, or has no room. After a reload, open it again.',
    },
    nodes: ({ nodes, graphs }: Counts) =>
      `${counted(nodes, 'node', 'nodes', english)}${graphs > 1 ? ` in ${english(graphs)} graphs` : ''}`,
    supported: (count: number) => `${english(count)} supported`,
    unsupportedCount: (count: number) => `${english(count)} unsupported`,
    opset: (opset: number) => `opset ${opset}`,
    missing: 'Unsupported operators',
    showMissing: 'show these nodes',
    inputs: 'Inputs',
    outputs: 'Outputs',
    none: 'none',
    noType: 'not a tensor, or of unknown type',
    warnings: (count: string) => `Warnings (${count})`,
    accepted: 'ONNX does not allow this, but Broadloom accepts it.',
    moreWarnings: (count: string) => `${count} more`,
    graph: 'Graph',
    innerMatches: (matches: number, all: string) => `${english(matches)} of ${all} match`,
    filter: 'Filter',
    filterHint: 'Operator, node or value',
    onlyUnsupported: 'Only unsupported nodes',
    shown: (shown: number, found: number, all: number) =>
      found === all
        ? `${english(shown)} of ${english(all)} nodes shown`
        : `${english(shown)} of ${english(found)} matching nodes shown`,
    noneMatch: 'No node matches.',
    more: (count: number) => `Show ${english(count)} more`,
    number: 'No.',
    operator: 'Operator and node',
    version: (version: number) => `version ${version}`,
    leftOut: 'left out',
    unused: 'not used',
    unknown: 'type and shape unknown',
    declared: 'declared',
    inferred: 'inferred',
    unsupported: 'Cannot run',
    run: 'Run',
    running: 'Running …',
    noInputs: 'This graph has no inputs.',
    cannotRun: (count: number) =>
      count === 1
        ? 'This graph cannot run: one of its nodes is unsupported.'
        : `This graph cannot run: ${english(count)} of its nodes are unsupported.`,
    cannotFeed: (input: string) => `This graph cannot run: its input ${input} is not a tensor, or has no type.`,
    wants: 'declared as',
    notDeclared: 'not what the model declares',
    gave: (outputs: string) => `Outputs: ${outputs}`,
    took: (run: string, write: string) => `Run: ${run}. Writing the outputs: ${write}.`,
    stale: 'The inputs have changed since this run.',
    wrongRun: 'The graph could not run.',
    showNode: (place: string) => `Show node ${place}`,
  },
  zh: {
    title: '模型',
    intro:
      '打开一个 .onnx 文件，查看它的计算图。每个节点都会显示算子版本、输出的类型和形状，以及 Broadloom 能否运行它。文件不会离开你的电脑。',
    choose: '选择文件',
    orDrop: '或把文件拖放到本页任意位置。',
    drop: '松开即可打开 .onnx 文件',
    samples: '或打开一个示例',
    sampleNames: {
      zerosLike: '与输入同形状的零张量',
      expandLike: '广播成另一个张量的形状',
      batchBias: '为批次中的每一项提供偏置',
      keepOrClear: '在两个子图之间选择',
      unsupported: '含有无法运行的算子',
    },
    reading: (name: string) => `正在读取 ${name}……`,
    opened: (name: string, nodes: string) => `已打开 ${name}：${nodes}`,
    unreadable: '无法读取该文件。',
    refused: (name: string) => `无法打开 ${name}。`,
    close: '关闭模型',
    keepings: {
      kept: (_largest: string) => '浏览器会保留这个模型：重新加载本标签页时会再次打开。',
      tooLarge: (largest: string) => `模型超过 ${largest}，浏览器不会保留它。重新加载后请再次打开。`,
      refused: (_largest: string) =>
        '浏览器没有保留这个模型：它在这里不存储任何内容，或者空间不足。重新加载后请再次打开。',
    },
    nodes: ({ nodes, graphs }: Counts) => `${graphs > 1 ? `${chinese(graphs)} 个图中共 ` : ''}${chinese(nodes)} 个节点`,
    supported: (count: number) => `${chinese(count)} 个受支持`,
    unsupportedCount: (count: number) => `${chinese(count)} 个不受支持`,
    opset: (opset: number) => `opset ${opset}`,
    missing: '不支持的算子',
    showMissing: '显示这些节点',
    inputs: '输入',
    outputs: '输出',
    none: '无',
    noType: '不是张量，或类型未知',
    warnings: (count: string) => `警告（${count}）`,
    accepted: '以下内容不符合 ONNX 规范，但 Broadloom 仍会接受。',
    moreWarnings: (count: string) => `另外 ${count} 条`,
    graph: '计算图',
    innerMatches: (matches: number, all: string) => `${all}，匹配 ${chinese(matches)} 个`,
    filter: '筛选',
    filterHint: '算子、节点或值的名称',
    onlyUnsupported: '仅显示不受支持的节点',
    shown: (shown: number, found: number, all: number) =>
      found === all
        ? `共 ${chinese(all)} 个节点，已显示 ${chinese(shown)} 个`
        : `匹配 ${chinese(found)} 个节点，已显示 ${chinese(shown)} 个`,
    noneMatch: '没有匹配的节点。',
    more: (count: number) => `再显示 ${chinese(count)} 个`,
    number: '编号',
    operator: '算子和节点',
    version: (version: number) => `版本 ${version}`,
    leftOut: '省略',
    unused: '未使用',
    unknown: '类型和形状未知',
    declared: '声明',
    inferred: '推断',
    unsupported: '无法运行',
    run: '运行',
    running: '正在运行……',
    noInputs: '该计算图没有输入。',
    cannotRun: (count: number) => `该计算图无法运行：有 ${chinese(count)} 个节点不受支持。`,
    cannotFeed: (input: string) => `该计算图无法运行：输入 ${input} 不是张量，或没有类型。`,
    wants: '声明为',
    notDeclared: '与模型的声明不符',
    gave: (outputs: string) => `输出：${outputs}`,
    took: (run: string, write: string) => `运行：${run}。写出输出：${write}。`,
    stale: '此次运行之后，输入已有改动。',
    wrongRun: '计算图未能运行。',
    showNode: (place: string) => `显示节点 ${place}`,
  },
});
