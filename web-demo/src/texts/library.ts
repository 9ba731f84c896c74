// Sentences of the library in Chinese, as far as pages show them among their own: what a file is instead of a model, why a graph
// or a node is left. The library's own messages are English.
import type { Language } from './texts.js';

type Rule = readonly [pattern: RegExp, chinese: (...parts: string[]) => string];

/** The rest of a sentence that begins with `not an ONNX file, but`. */
const formats: readonly Rule[] = [
  [/^a Git LFS pointer/, () => '是 Git LFS 指针，里面没有模型：请先运行 git lfs pull'],
  [/^an? (.+) file: unpack it$/, (format) => `是 ${format} 压缩包：请先解压`],
  [/^(?:an HDF5|a Keras) file/, () => '是 Keras 文件：请用 tf2onnx 转换'],
  [/^a NumPy array|^NumPy arrays/, () => '是 NumPy 数组'],
  [/^a (GGUF|safetensors) file/, (format) => `是 ${format} 文件，其中只有权重，没有计算图`],
  [/^a TensorFlow Lite file/, () => '是 TensorFlow Lite 文件：请用 tf2onnx 转换'],
  [/^a TensorFlow SavedModel/, () => '是 TensorFlow SavedModel：请用 tf2onnx 转换它的文件夹'],
  [/^a TensorFlow graph/, () => '是 TensorFlow 计算图：请用 tf2onnx 转换'],
  [/^a Core ML file/, () => '是 Core ML 文件：请从原来的框架导出为 ONNX'],
  [/^an (ORT|OpenVINO) file/, (format) => `是 ${format} 文件：请使用生成它的那个 ONNX 文件`],
  [/^a picture \((\w+)\)$/, (format) => `是 ${format} 图片`],
  [/^a sound or a picture/, () => '是声音或图片（RIFF）'],
  [/^a PyTorch file|^a Python pickle/, () => '是 PyTorch 文件：请用 torch.onnx.export 导出'],
  [/^an HTML page/, () => '是 HTML 网页：请检查下载地址'],
  [/^ONNX written as a text/, () => '是文本形式的 ONNX：请用 onnx.save 存为二进制文件'],
  [/^JSON$/, () => '是 JSON'],
  [/^a text: (.*)$/s, (start) => `是文本：${start}`],
];

const whats: { readonly [what: string]: string } = { 'its trip count': '循环次数', 'its condition': '条件' };
const what = '(its trip count|its condition)';
const pattern = (rest: string): RegExp => new RegExp(`^${what} ${rest}$`, 's');

const rules: readonly Rule[] = [
  [/^not an ONNX file, but (.*)$/s, (format) => `这不是 ONNX 文件，而${translated(format, formats) ?? `是 ${format}`}`],
  [/^the file is empty$/, () => '文件是空的'],
  [/^this is a tensor/, () => '这是单个张量（TensorProto），不是模型'],
  [/^this is a sequence/, () => '这是序列或可选值，不是模型'],
  [/^a Scan is never written out$/, () => 'Scan 不会展开'],
  [
    /^its trip count is known: unroll/,
    () => '循环次数已知：如果循环不会提前结束，也不超出限制，可以在选项中允许展开它',
  ],
  [pattern('is not known before a run'), (subject) => `${whats[subject]}在运行前未知`],
  [
    pattern("follows from what the input '(.*)' holds"),
    (subject, input) => `${whats[subject]}取决于输入 ${input} 的值`,
  ],
  [
    pattern('is made by (.*) \\((.*)\\), which tells only when it runs'),
    (subject, operator, node) => `${whats[subject]}由 ${operator}（${node}）产生，运行时才知道`,
  ],
  [
    pattern("follows from the size '(.*)' of the input '(.*)'"),
    (subject, size, input) => `${whats[subject]}取决于输入 ${input} 的尺寸 ${size}`,
  ],
  [
    pattern("follows from the rank of the input '(.*)'"),
    (subject, input) => `${whats[subject]}取决于输入 ${input} 的轴数`,
  ],
  [
    pattern("follows from size (\\d+) of the input '(.*)'"),
    (subject, axis, input) => `${whats[subject]}取决于输入 ${input} 的轴 ${axis} 的尺寸`,
  ],
  [
    /^(\d+) nodes with constant inputs were left/,
    (count) => `有 ${count} 个节点的输入都是常量，但没有提前计算：结果太大，或耗时太长`,
  ],
  [/^the external data '(.*)' was not given/s, (file) => `没有提供外部数据文件 ${file}：依赖它的部分没有计算`],
];

function translated(message: string, all: readonly Rule[]): string | undefined {
  for (const [one, chinese] of all) {
    const found = one.exec(message);
    if (found !== null) return chinese(...found.slice(1));
  }
  return undefined;
}

/** The sentence in the language of the page, if it has one there; else as the library says it. */
export function librarySentence(message: string, language: Language): { readonly text: string; readonly lang: string } {
  const chinese = language === 'zh' ? translated(message, rules) : undefined;
  return chinese === undefined ? { text: message, lang: 'en' } : { text: chinese, lang: 'zh-CN' };
}
