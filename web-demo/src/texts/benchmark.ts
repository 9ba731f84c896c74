// Texts of the page that measures.
import { counted } from '../../../shared/counted.js';
import { texts } from './texts.js';

const enNames = {
  limit: 'memory.fill (limit)',
  broadloom: 'Broadloom',
  loops: 'plain loops',
  onnxruntime: 'onnxruntime-web',
};
const zhNames = { ...enNames, limit: 'memory.fill（上限）', loops: '普通循环' };

export const benchmarkTexts = texts({
  en: {
    title: 'Benchmark',
    intro:
      'This page runs the same calls with Broadloom, with plain JavaScript loops and, if you add it, with onnxruntime-web. ' +
      'The limit is WebAssembly’s memory.fill on the same number of bytes. All numbers are measured in your browser.',
    patterns: 'Patterns',
    sizes: 'Size of the output',
    type: 'Element type',
    onnxruntime: 'onnxruntime-web',
    addOnnxruntime: (bytes: string) => `Add onnxruntime-web (downloads ${bytes})`,
    addNote: 'Servers that compress files send less. Your browser keeps the download for later visits, also offline.',
    loading: 'Loading onnxruntime-web …',
    added: (version: string) => `onnxruntime-web ${version} is added: wasm backend, one thread.`,
    notAdded: 'onnxruntime-web could not start. You can measure the others without it.',
    run: (count: number) => `Measure ${counted(count, 'case')}`,
    stop: 'Stop',
    nothingChosen: 'Choose at least one pattern and one size.',
    progress: 'Progress',
    measuring: (done: number, total: number, pattern: string, size: string) =>
      `${done + 1} of ${total}: ${pattern}, ${size}`,
    running: (percent: number) => (percent === 0 ? 'Measuring.' : `Measuring: ${percent} % done.`),
    done: (count: number) => `Done: ${counted(count, 'case')} measured.`,
    stopped: (done: number, total: number) => `Stopped: ${done} of ${total} cases measured.`,
    failed: 'An error ended the run.',
    results: 'Results',
    noResults: 'There are no results yet. Choose cases and measure them.',
    chart: {
      size: 'size of the output',
      speed: 'GB/s',
      limit: 'limit: memory.fill',
      names: enNames as { readonly [name: string]: string },
    },
    logarithmic: 'Logarithmic scale: slow implementations are easier to tell apart',
    chartLabel: (pattern: string) =>
      `${pattern}: speed in GB/s by size of the output. The table below has the numbers.`,
    caption: (pattern: string, type: string) => `${pattern}, ${type}`,
    tableLabel: (pattern: string) => `Table: ${pattern}`,
    sizeColumn: 'Size',
    speedColumn: 'GB/s',
    shareColumn: 'of limit',
    share: (percent: string) => `${percent} %`,
    differs: (place: number) => `differs from Broadloom at byte ${place}; not timed`,
    couldNotRun: 'failed:',
    about: 'Meaning of the numbers',
    notes: [
      'The numbers are for this browser on this machine, with everything else that runs on it. Compare the columns of one run. Do not compare different runs.',
      'Each result is compared with Broadloom’s byte by byte before it is timed. The table says so if one differs.',
      'The implementations take turns. Speeds are medians. The share of the limit is the median of samples taken side by side, so it can differ from the quotient of two speeds. One call of Broadloom includes the call, reading data (this writes the result) and dispose().',
      'onnxruntime-web runs a model of one node on one thread, and its result is read too. It copies each result from its WebAssembly memory to a new array. Broadloom gives a view. Plain loops make a new array.',
      'memory.fill writes the same byte again and again, with any instruction that the browser has. Other results are stored in vectors of 16 bytes, and large ones are limited by the machine’s memory. Most patterns cannot reach 100 %.',
      'The inputs are small compared with most outputs and stay in the processor’s caches. The page does not measure what a program does with the results.',
    ],
    clock: (step: string) =>
      `Browsers round their clocks. The clock of this one ticks every ${step} ms. Calls are repeated until a sample takes at least ten ticks.`,
    clockUnknown:
      'Browsers round their clocks. Calls are repeated until a sample takes at least ten ticks of the clock.',
  },
  zh: {
    title: '性能测试',
    intro:
      '本页用 Broadloom、普通 JavaScript 循环以及（按需加载的）onnxruntime-web 执行相同的调用。' +
      '上限是用 WebAssembly 的 memory.fill 填充同样多的字节。所有数字都在你的浏览器中测得。',
    patterns: '模式',
    sizes: '输出大小',
    type: '元素类型',
    onnxruntime: 'onnxruntime-web',
    addOnnxruntime: (bytes: string) => `加入 onnxruntime-web（需下载 ${bytes}）`,
    addNote: '如果服务器压缩文件，实际下载量会更小。下载后会保留，以后访问（包括离线时）可直接使用。',
    loading: '正在加载 onnxruntime-web……',
    added: (version: string) => `onnxruntime-web ${version} 已加入：wasm 后端，单线程。`,
    notAdded: 'onnxruntime-web 无法启动。其他实现仍可测量。',
    run: (count: number) => `测量 ${count} 个用例`,
    stop: '停止',
    nothingChosen: '请至少选择一种模式和一种大小。',
    progress: '进度',
    measuring: (done: number, total: number, pattern: string, size: string) =>
      `第 ${done + 1} 个，共 ${total} 个：${pattern}，${size}`,
    running: (percent: number) => (percent === 0 ? '正在测量。' : `正在测量：已完成 ${percent}%。`),
    done: (count: number) => `完成：已测量 ${count} 个用例。`,
    stopped: (done: number, total: number) => `已停止：共 ${total} 个用例，已测量 ${done} 个。`,
    failed: '出现错误，测量已终止。',
    results: '结果',
    noResults: '还没有数据：请选择用例并开始测量。',
    chart: { size: '输出大小', speed: 'GB/s', limit: '上限：memory.fill', names: zhNames },
    logarithmic: 'GB/s 用对数刻度，便于区分较慢的实现',
    chartLabel: (pattern: string) => `${pattern}：GB/s 随输出大小的变化。数值见随后的表格。`,
    caption: (pattern: string, type: string) => `${pattern}，${type}`,
    tableLabel: (pattern: string) => `表格：${pattern}`,
    sizeColumn: '大小',
    speedColumn: 'GB/s',
    shareColumn: '占上限',
    share: (percent: string) => `${percent}%`,
    differs: (place: number) => `从第 ${place} 字节起与 Broadloom 不同；未计时`,
    couldNotRun: '失败：',
    about: '如何理解这些数字',
    notes: [
      '这些数字只代表当前机器上的当前浏览器，也受机器上其他负载的影响。请比较同一次测量中的各列，不要比较不同次的测量。',
      '计时之前，每个结果都与 Broadloom 的结果逐字节比较；不一致时会如实显示。',
      '各实现逐轮交替运行。速度取中位数；“占上限”是相邻样本之比的中位数，因此可能与两个速度之商不同。Broadloom 的一次调用包括：调用算子、读取 data（此时写出结果）和 dispose()。',
      'onnxruntime-web 用单线程运行只含一个节点的模型，同样读取结果。它把每个结果从 WebAssembly 内存复制到新数组中，而 Broadloom 给出视图。普通循环也会创建新数组。',
      'memory.fill 反复写入同一个字节，可以使用浏览器所能使用的任何指令。字节各不相同的结果只能以 16 字节的向量写入，大的结果又受内存带宽限制，因此多数模式达不到 100%。',
      '与多数输出相比，输入很小，始终在处理器缓存中。程序如何使用结果不在测量之内。',
    ],
    clock: (step: string) =>
      `浏览器会降低时钟精度。当前浏览器的时钟每 ${step} 毫秒跳动一次；调用会重复执行，直到每个样本至少跨越十次跳动。`,
    clockUnknown: '浏览器会降低时钟精度：调用会重复执行，直到每个样本至少跨越时钟的十次跳动。',
  },
});
