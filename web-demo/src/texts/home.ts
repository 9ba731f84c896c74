// The texts of the first page, and of the search over everything.
import { counted } from '../../../shared/counted.js';
import { type Language, texts } from './texts.js';

const en = {
  title: 'Broadloom: ONNX operators and models in the browser',
  heading: 'Broadloom runs ONNX operators and models in your browser.',
  intro: 'See what an operator does, look inside a model, and prepare its input. Nothing leaves your computer.',
  ways: 'Where to begin',
  doors: {
    operator: ['Learn an operator', 'Change its inputs, and see which elements each result is computed from.'],
    models: [
      'Open a model',
      'See its graph and weights, run it, and find its slowest layer. Or drop an .onnx file here.',
    ],
    prepare: ['Prepare an input', 'Turn a picture or a sound into the tensor that a model expects.'],
  } as { readonly [D in 'operator' | 'models' | 'prepare']: readonly [name: string, note: string] },
  drop: 'Drop a model, a picture or a sound to open it',
  search: {
    label: 'Search everything',
    hint: 'Search: torch.expand, 卷积, yolo',
    hits: 'Results',
    kinds: {
      operator: 'Operator',
      foreign: 'ONNX operator',
      page: 'Page',
      sample: 'Model',
      preset: 'Preset',
      guide: 'Guide',
    },
    found: (count: number) => counted(count, 'result'),
    nothing: 'Nothing matches. Try the name of the function in NumPy or PyTorch.',
  },
  example: {
    heading: 'A convolution in five seconds',
    note: 'A filter of nine numbers slides over the picture. At each place, the numbers below it are multiplied and added. The sum is one element of the output.',
    label: 'Place of the filter',
    place: (row: number, column: number, sum: string) => `Row ${row}, column ${column}: the sum is ${sum}`,
    input: 'Input',
    filter: 'Filter',
    output: 'Output',
    play: 'Play',
    pause: 'Pause',
    learn: 'Learn Conv with your own numbers',
  },
  more: {
    heading: 'Use it in your program',
    install: 'Install it:',
    copy: 'Copy',
    copied: 'Copied',
    source: 'The source code',
    guides: 'Read the documentation:',
    started: 'Getting started',
    first: 'First model: from a picture to its label',
    all: 'All guides and the reference',
  },
};

const zh: typeof en = {
  title: 'Broadloom：浏览器中的 ONNX 算子与模型',
  heading: 'Broadloom 在浏览器里运行 ONNX 算子和模型。',
  intro: '看懂算子做什么，看清模型的内部，准备模型的输入。数据不会离开你的电脑。',
  ways: '从哪里开始',
  doors: {
    operator: ['学习算子', '修改输入，看看每个结果由哪些元素算出。'],
    models: ['打开模型', '查看计算图和权重，运行模型，找到最慢的一层。也可以把 .onnx 文件拖到这里。'],
    prepare: ['准备输入', '把图片或声音变成模型需要的张量。'],
  },
  drop: '松开即可打开模型、图片或声音',
  search: {
    label: '搜索全部内容',
    hint: '搜索：torch.expand、卷积、yolo',
    hits: '搜索结果',
    kinds: {
      operator: '算子',
      foreign: 'ONNX 算子',
      page: '页面',
      sample: '模型',
      preset: '预设',
      guide: '指南',
    },
    found: (count: number) => `${count} 个结果`,
    nothing: '没有匹配的内容。试试 NumPy 或 PyTorch 中的函数名。',
  },
  example: {
    heading: '五秒看懂卷积',
    note: '由九个数组成的滤波器在图片上滑动。在每个位置，它与下面的数逐个相乘再相加，和就是输出的一个元素。',
    label: '滤波器的位置',
    place: (row: number, column: number, sum: string) => `第 ${row} 行第 ${column} 列：和为 ${sum}`,
    input: '输入',
    filter: '滤波器',
    output: '输出',
    play: '播放',
    pause: '暂停',
    learn: '用你自己的数学习 Conv',
  },
  more: {
    heading: '用在你的程序里',
    install: '安装：',
    copy: '复制',
    copied: '已复制',
    source: '源代码',
    guides: '阅读文档（英文）：',
    started: '快速入门',
    first: '第一个模型：从图片到标签',
    all: '所有指南和参考',
  },
};

export const homeTexts = texts({ en, zh });
export type HomeTexts = typeof en;

interface PageText {
  /** The purpose of the page. */
  readonly summary: string;
  /** Words that people look for it by, between commas. */
  readonly words: string;
}

/** The pages, for the search. Their names are in texts/site.ts. */
export const placeTexts = texts<{ readonly [page: string]: PageText }>({
  en: {
    operator: {
      summary: 'All operators in groups, each with a lesson.',
      words: 'list of operators, learn, versions, changes and differences between versions, opset',
    },
    try: {
      summary: 'Call any operator with inputs of your own, and take the code.',
      words: 'editor, run an operator, playground, embed in a blog, iframe, share a link, copy Python code, export',
    },
    models: {
      summary: 'Open an .onnx file: graph, weights, a run, the time of each node, and a comparison with another file.',
      words:
        'open a model, run my model, graph, netron, profile, slowest layer, time, compare two models, diff, weights',
    },
    prepare: {
      summary: 'Turn a picture or a sound into the tensor that a model expects.',
      words:
        'image, picture, pixels, sound, voice, microphone, audio, preprocess, resize, normalize, spectrogram, camera',
    },
    simplify: {
      summary: 'Fix sizes and inputs of an .onnx file, and save a smaller model.',
      words: 'onnxsim, onnxslim, fix the batch size, fixed batch, dynamic axes, static shapes, optimize, shrink',
    },
    benchmark: {
      summary: 'Measure Broadloom and onnxruntime-web in this browser.',
      words: 'speed, fast, performance, onnxruntime-web, memory.fill',
    },
  },
  zh: {
    operator: { summary: '按组列出的所有算子，每个都有讲解。', words: '算子列表, 学习, 版本差异, 版本变化' },
    try: {
      summary: '用你自己的输入调用任意算子，并导出代码。',
      words: '编辑, 调用算子, 嵌入, 嵌入博客, 分享, 分享链接, 复制 Python 代码, 导出代码',
    },
    models: {
      summary: '打开 .onnx 文件：计算图、权重、运行结果、每个节点的时间，以及与另一个文件的比较。',
      words: '打开模型, 运行模型, 计算图, 性能分析, 最慢的层, 比较模型, 比较两个模型, 权重',
    },
    prepare: {
      summary: '把图片或声音变成模型需要的张量。',
      words: '图片, 图像, 像素, 声音, 语音, 麦克风, 音频, 缩放, 频谱, 摄像头, 准备输入',
    },
    simplify: {
      summary: '固定 .onnx 文件的尺寸和输入，保存更小的模型。',
      words: '模型简化, 固定批大小, 固定批次, 动态形状, 静态形状, 优化',
    },
    benchmark: { summary: '在这个浏览器中测量 Broadloom 和 onnxruntime-web。', words: '速度, 基准测试' },
  },
});

/** A preset of the page "Prepare", for the search. */
export const presetTexts: { readonly [L in Language]: (name: string) => string } = texts({
  en: (name: string) => `Prepare a picture as ${name} expects it.`,
  zh: (name: string) => `按 ${name} 的要求准备图片。`,
});
