// Texts of the page "Simplify".
import { counted } from '../../../shared/counted.js';
import { texts } from './texts.js';

const english = (value: number): string => value.toLocaleString('en');
const chinese = (value: number): string => value.toLocaleString('zh');

const many = (count: number, one: string): string => counted(count, one, undefined, english);

/** How much less there is, as a text: `−62 %`; nothing when both are about equal. */
function difference(before: number, after: number): string {
  const percent = before === 0 ? 0 : Math.round((100 * (after - before)) / before);
  if (percent === 0) return '';
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent)} %`;
}

export const simplifyTexts = texts({
  en: {
    title: 'Simplify',
    intro:
      'Open an .onnx file, fix sizes and inputs that never change in your program, and save a smaller model with the same results. The file stays on your computer.',
    sampleNames: {
      ppocrDetection: 'PP-OCRv4: find the text in a photograph',
      ppocr: 'PP-OCRv4: read a line of text',
      silero: 'Silero VAD v5: is somebody speaking?',
      parts: 'A bit of everything, to simplify',
    } as { readonly [name: string]: string },
    licences: 'The models Silero VAD v5 (MIT, Silero Team) and PP-OCRv4 (Apache-2.0, PaddlePaddle Authors):',
    licencesLink: 'licences',
    reading: (name: string) => `Reading ${name} …`,
    opened: (name: string) => `${name} is open.`,
    sizes: 'Sizes',
    sizesNote:
      'Sizes that are the same in all your runs, such as a batch of 1, make the model smaller. The drawing shows the new shapes.',
    noSizes: 'All sizes of the inputs are fixed.',
    setTo: (what: string) => `Set ${what} to`,
    ofInputs: (inputs: readonly string[]) => `A size of ${inputs.join(', ')}. Empty: it stays open`,
    axisHint: 'A number, or a name: equal names are equal sizes',
    shapeHint: 'Such as 1, 3, h, w: names stay open',
    values: 'Inputs that can become constants',
    valuesNote: 'An input with a value here is no longer an input of the result.',
    valueHint: (type: string) => `Declared as ${type}`,
    outputs: 'Outputs to keep',
    options: 'Options',
    fuseInexact: 'Also fold BatchNormalization and the like into Conv and Gemm: changes the last bits of results',
    valueInfo: 'Write the type and shape of every value into the file',
    unroll: 'Unroll loops with at most this many iterations',
    unrollHint: 'Default: 0, none',
    maxGrowth: 'Let the file grow by at most this many bytes',
    maxGrowthHint: 'Default: a quarter of the file, at least 65536',
    run: 'Simplify',
    running: 'Simplifying …',
    stop: 'Stop',
    stale: 'The form has changed since this result.',
    failed: 'The model could not be simplified.',
    result: 'Result',
    done: (before: number, after: number) => `Done: ${many(before, 'node')} before, ${english(after)} after.`,
    took: (time: string) => `It took ${time}.`,
    download: 'Save the simplified model',
    compare: 'Compare before and after',
    beside: 'Files that it needs in its folder',
    before: 'Before',
    after: 'After',
    nodes: 'Nodes',
    file: 'File',
    difference,
    operators: 'Operators',
    operator: 'Operator',
    moreOperators: (count: number) => `${many(count, 'more operator')}`,
    passes: 'Changes',
    noPasses: 'Nothing: these exact steps cannot simplify the model further.',
    passNames: {
      fold: (count: number) => `${many(count, 'node')} computed from constants`,
      shape: (count: number) =>
        `${many(count, 'operand')} made constant, because the elements that are needed are known`,
      'no-op': (count: number) => `${many(count, 'node')} that changed nothing removed`,
      merge: (count: number) => `${many(count, 'node')} merged with the one before`,
      repeated: (count: number) => `${many(count, 'duplicate')} of a node or constant removed`,
      if: (count: number) => `${many(count, 'If')} decided`,
      unroll: (count: number) => `${many(count, 'loop')} unrolled`,
      inline: (count: number) => `${many(count, 'function call')} replaced by what the function does`,
      dead: (count: number) => `${many(count, 'node')} that nobody reads removed`,
      constant: (count: number) => `${many(count, 'Constant node')} turned into initializers`,
      unused: (count: number) => `${many(count, 'unused initializer')} removed`,
      fuse: (count: number) => `${many(count, 'inexact fusion')}`,
    } as { readonly [pass: string]: (count: number) => string },
    otherPass: (name: string, count: number) => `${name}: ${english(count)}`,
    dynamic: 'Still dynamic, and why',
    noDynamic: 'Nothing: every size is known.',
    dynamicInput: (input: string, axis: number | null, name: string | null) =>
      axis === null
        ? `The rank of input ${input} is open.`
        : `Axis ${axis} of input ${input} is open${name === null ? '' : ` (${name})`}.`,
    dynamicOperator: (operator: string, output: string, axis: number | null) =>
      axis === null
        ? `Only a run tells the shape of ${output}, which ${operator} makes.`
        : `Only a run tells axis ${axis} of ${output}, which ${operator} makes.`,
    hanging: (nodes: number, shapeNodes: number) =>
      `${many(nodes, 'node')} ${nodes === 1 ? 'depends' : 'depend'} on it${
        shapeNodes === 0
          ? ''
          : `; ${english(shapeNodes)} of them only ${shapeNodes === 1 ? 'computes' : 'compute'} shapes`
      }.`,
    pass: 'In code, pass',
    set: (what: string, value: string) => (value === '' ? `Set ${what}` : `Set ${what} to ${value}`),
    axisOf: (input: string, axis: number) => `axis ${axis} of ${input}`,
    shapeOf: (input: string) => `the shape of ${input}`,
    setValue: (input: string) => `Give ${input} a value`,
    more: (count: number) => `${english(count)} more`,
    kept: 'Ifs and loops that are left',
    keptGraph: (operator: string, node: string) => (node === '' ? operator : `${operator} ${node}`),
    warnings: 'Warnings',
    graph: 'Graph',
    largeFile: 'The file is too large to draw its graph.',
    manyNodes: 'The graph has more than 4,000 nodes. It is not drawn.',
    drawing: (side: string, nodes: number) =>
      `Drawing: the graph ${side.toLowerCase()}, ${many(nodes, 'node')}. The list below it has the same nodes.`,
    fates: { stays: 'stays', changed: 'becomes another operator', goes: 'goes', comes: 'is new' },
    constantsLeftOut: (before: number, after: number) =>
      `Constant nodes are not drawn: ${english(before)} before, ${english(after)} after.`,
    nothingChosen: 'Choose a node to see what it makes.',
    unnamed: 'no name',
    makes: (outputs: string) => `makes ${outputs}`,
    repeats: (times: number, nodes: { before: number; after: number }) =>
      `${many(times, 'more block')} like the one above: ${many(nodes.before, 'node')} before, ${english(nodes.after)} after`,
    list: 'Nodes as a list',
    show: 'Show',
    showNode: (node: string) => `Show ${node} in the drawing`,
    fate: 'Afterwards',
    name: 'Name',
    outputNames: 'Makes',
  },
  zh: {
    title: '简化',
    intro:
      '打开一个 .onnx 文件，固定那些在你的程序中不会变化的尺寸和输入，然后保存一个更小、结果相同的模型。文件不会离开你的电脑。',
    sampleNames: {
      ppocrDetection: 'PP-OCRv4：找出照片里的文字',
      ppocr: 'PP-OCRv4：识别一行文字',
      silero: 'Silero VAD v5：是否有人说话',
      parts: '各种情形，用于简化',
    },
    licences: '模型 Silero VAD v5（MIT，Silero Team）和 PP-OCRv4（Apache-2.0，PaddlePaddle Authors）：',
    licencesLink: '许可证',
    reading: (name: string) => `正在读取 ${name}……`,
    opened: (name: string) => `已打开 ${name}。`,
    sizes: '尺寸',
    sizesNote: '如果某个尺寸在每次运行时都相同（例如批大小为 1），固定它可以让模型更小。图中会显示新的形状。',
    noSizes: '所有输入的尺寸都是固定的。',
    setTo: (what: string) => `将 ${what} 设为`,
    ofInputs: (inputs: readonly string[]) => `${inputs.join('、')} 的尺寸。留空则保持不定`,
    axisHint: '数字或名称：名称相同表示尺寸相等',
    shapeHint: '例如 1, 3, h, w：名称保持不定',
    values: '可以变为常量的输入',
    valuesNote: '在这里给出值的输入，不再是结果的输入。',
    valueHint: (type: string) => `声明为 ${type}`,
    outputs: '要保留的输出',
    options: '选项',
    fuseInexact: '把 BatchNormalization 等也并入 Conv 和 Gemm：结果的最后几位会改变',
    valueInfo: '把每个值的类型和形状写入文件',
    unroll: '展开不超过这么多轮的循环',
    unrollHint: '默认：0，不展开',
    maxGrowth: '文件最多增大多少字节',
    maxGrowthHint: '默认：文件的四分之一，且不少于 65536',
    run: '简化',
    running: '正在简化……',
    stop: '停止',
    stale: '得到这个结果之后，表单已有改动。',
    failed: '无法简化该模型。',
    result: '结果',
    done: (before: number, after: number) => `完成：简化前 ${chinese(before)} 个节点，简化后 ${chinese(after)} 个。`,
    took: (time: string) => `用时 ${time}。`,
    download: '保存简化后的模型',
    compare: '比较简化前后',
    beside: '须与它放在同一文件夹的文件',
    before: '简化前',
    after: '简化后',
    nodes: '节点',
    file: '文件',
    difference,
    operators: '算子',
    operator: '算子',
    moreOperators: (count: number) => `另外 ${chinese(count)} 个算子`,
    passes: '变化',
    noPasses: '没有变化：用这些精确的步骤，模型已不能再简化。',
    passNames: {
      fold: (count: number) => `计算了 ${chinese(count)} 个只依赖常量的节点`,
      shape: (count: number) => `${chinese(count)} 个操作数变为常量，因为所需的元素都已知`,
      'no-op': (count: number) => `去掉了 ${chinese(count)} 个不起作用的节点`,
      merge: (count: number) => `${chinese(count)} 个节点与前一个节点合并`,
      repeated: (count: number) => `去掉了 ${chinese(count)} 个重复的节点或常量`,
      if: (count: number) => `确定了 ${chinese(count)} 个 If 的分支`,
      unroll: (count: number) => `展开了 ${chinese(count)} 个循环`,
      inline: (count: number) => `${chinese(count)} 处函数调用换成了函数的内容`,
      dead: (count: number) => `去掉了 ${chinese(count)} 个无人读取的节点`,
      constant: (count: number) => `${chinese(count)} 个 Constant 节点变为初始化器`,
      unused: (count: number) => `去掉了 ${chinese(count)} 个未使用的初始化器`,
      fuse: (count: number) => `${chinese(count)} 处不精确的融合`,
    },
    otherPass: (name: string, count: number) => `${name}：${chinese(count)}`,
    dynamic: '仍不确定的尺寸及原因',
    noDynamic: '没有：所有尺寸都已知。',
    dynamicInput: (input: string, axis: number | null, name: string | null) =>
      axis === null
        ? `输入 ${input} 的轴数不定。`
        : `输入 ${input} 的轴 ${axis} 不定${name === null ? '' : `（${name}）`}。`,
    dynamicOperator: (operator: string, output: string, axis: number | null) =>
      axis === null
        ? `${output} 由 ${operator} 产生，其形状只有运行时才知道。`
        : `${output} 由 ${operator} 产生，其轴 ${axis} 只有运行时才知道。`,
    hanging: (nodes: number, shapeNodes: number) =>
      `${chinese(nodes)} 个节点取决于它${shapeNodes === 0 ? '' : `，其中 ${chinese(shapeNodes)} 个只计算形状`}。`,
    pass: '在代码中传入',
    set: (what: string, value: string) => (value === '' ? `设置 ${what}` : `将 ${what} 设为 ${value}`),
    axisOf: (input: string, axis: number) => `${input} 的轴 ${axis}`,
    shapeOf: (input: string) => `${input} 的形状`,
    setValue: (input: string) => `给出 ${input} 的值`,
    more: (count: number) => `另外 ${chinese(count)} 项`,
    kept: '留下的 If 和循环',
    keptGraph: (operator: string, node: string) => (node === '' ? operator : `${operator} ${node}`),
    warnings: '警告',
    graph: '计算图',
    largeFile: '文件太大，无法画出计算图。',
    manyNodes: '计算图超过 4000 个节点，没有画出。',
    drawing: (side: string, nodes: number) =>
      `图：${side}的计算图，${chinese(nodes)} 个节点。下面的列表包含相同的节点。`,
    fates: { stays: '保留', changed: '换成另一个算子', goes: '去掉', comes: '新增' },
    constantsLeftOut: (before: number, after: number) =>
      `Constant 节点没有画出：简化前 ${chinese(before)} 个，简化后 ${chinese(after)} 个。`,
    nothingChosen: '选择一个节点，查看它产生什么。',
    unnamed: '没有名称',
    makes: (outputs: string) => `产生 ${outputs}`,
    repeats: (times: number, nodes: { before: number; after: number }) =>
      `与上面相同的块还有 ${chinese(times)} 个：简化前 ${chinese(nodes.before)} 个节点，简化后 ${chinese(nodes.after)} 个`,
    list: '节点列表',
    show: '显示',
    showNode: (node: string) => `在图中显示 ${node}`,
    fate: '去留',
    name: '名称',
    outputNames: '产生',
  },
});
