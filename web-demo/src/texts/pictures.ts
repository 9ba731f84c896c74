// The pictures of operators: their frame, and the words of each family.
import { texts } from './texts.js';

const list = (positions: readonly (number | string)[], separator: string): string => positions.join(separator);

export const pictureTexts = texts({
  en: {
    title: 'How it works',
    play: '▶ Play',
    pause: '⏸ Pause',
    label: (operator: string) => `Picture of ${operator}: arrow keys choose an element`,
    channel: 'Input channel',
    padding: 'Striped cells are padding.',
    nothingReaches: 'No element of the input reaches this place.',
    photograph: 'The same on a photograph',
    photographAfter: 'after',
    requantised: '× x_scale × w_scale ÷ y_scale + y_zero_point, rounded:',
    mean: 'mean',
    before: 'before',
    after: 'after',
    sumIsOne: 'all of them sum to 1',
    hardmax: (from: string, to: string) => `${from} becomes ${to}: the first greatest element is 1, all others are 0`,
    overRoot: (from: string, root: string, isMean: boolean, to: string) =>
      isMean
        ? `${from} ÷ ${root} (the root of the mean of squares), times scale = ${to}`
        : `${from} ÷ ${root} (the norm) = ${to}`,
    normalised: (from: string, mean: string, spread: string, count: number, to: string) =>
      `(${from} − mean ${mean}) ÷ deviation ${spread}, then scale and bias = ${to}; normalised together: ${count}`,
    scores: (sample: number, head: number) => `weights after softmax, batch ${sample}, head ${head}`,
    key: 'key',
    query: 'query',
    takes: (weight: string, key: number) => `${weight} of key ${key}`,
    attends: (query: number, taken: readonly string[], hidden: number) =>
      `query ${query} takes ${taken.join(', ')}${hidden > 0 ? `; ${hidden} hidden` : ''}`,
    filled: (place: string, text: string) => `${place} = ${text}, filled in`,
    joined: (place: string, reduction: string) => `${place} joins the element before by ${reduction}`,
    and: '; ',
    index: 'index',
    rank: 'in order',
    axis: 'axis',
    ranked: (rank: number, value: string, index: string) => `rank ${rank}: ${value}, at index ${index}`,
    extreme: (isGreatest: boolean, value: string, index: string) =>
      `the ${isGreatest ? 'greatest' : 'least'} element is ${value}, at index ${index}`,
    repeated: (value: string, at: readonly number[]) => `${value} occurs at ${list(at, ', ')}`,
    isNotZero: (place: string, value: string, column: number) =>
      `${place} = ${value} is not zero: its index is column ${column}`,
    soFar: 'so far',
    round: 'round',
    clipped: (value: string) => `clipped to ${value}`,
    scaleOf: (index: number) => `scale ${index}`,
    valuesOfType: 'each mark is a value of the type',
    samples: (place: string, row: string, column: string, value: string) =>
      `${place} samples row ${row}, column ${column}: ${value}`,
    gates: {
      i: 'input gate',
      o: 'output gate',
      f: 'forget gate',
      c̃: 'new content',
      z: 'update gate',
      r: 'reset gate',
      h̃: 'new state',
    } as {
      readonly [gate: string]: string;
    },
    input: 'input',
    state: 'hidden state',
    direction: 'direction',
    atTime: (time: number, unit: number, values: readonly string[]) =>
      `t = ${time}, unit ${unit}: ${list(values, ', ')}`,
    boxesOf: (sample: number, label: number) => `batch ${sample}, class ${label}`,
    kept: 'kept',
    dropped: 'not kept',
    keptBox: (box: number, score: string) => `box ${box}, score ${score}: kept`,
    droppedBox: (box: number, score: string) => `box ${box}, score ${score}: not kept`,
    overlap: (rival: number, share: string) => `IoU with box ${rival}, which is kept: ${share}`,
    region: (roi: number, row: number, column: number, isMax: boolean, result: string) =>
      `region ${roi}, bin ${row}, ${column}: the ${isMax ? 'greatest' : 'mean'} of the points, ${result}`,
    sample: 'sample',
    wave: 'and the part of it that has this frequency',
    spectrum: 'size of each frequency',
    frequency: 'frequency',
    bin: (bin: number, value: string, size: string) => `frequency ${bin}: ${value}, size ${size}`,
    weight: 'weight',
    mel: (band: number, bin: number, value: string) => `mel band ${band}, frequency ${bin}: ${value}`,
    frame: (frame: number) => `frame ${frame}`,
    spectrogram: 'frequency over time',
    time: 'frame →',
  },
  zh: {
    title: '图解',
    play: '▶ 播放',
    pause: '⏸ 暂停',
    label: (operator: string) => `${operator} 图解：用方向键选择元素`,
    channel: '输入通道',
    padding: '条纹格是填充。',
    nothingReaches: '没有输入元素到达这个位置。',
    photograph: '同样的计算用在照片上',
    photographAfter: '之后',
    requantised: '× x_scale × w_scale ÷ y_scale + y_zero_point，舍入后为',
    mean: '均值',
    before: '之前',
    after: '之后',
    sumIsOne: '全部之和为 1',
    hardmax: (from: string, to: string) => `${from} 变为 ${to}：第一个最大元素为 1，其余为 0`,
    overRoot: (from: string, root: string, isMean: boolean, to: string) =>
      isMean ? `${from} ÷ ${root}（均方根），再乘以 scale = ${to}` : `${from} ÷ ${root}（范数）= ${to}`,
    normalised: (from: string, mean: string, spread: string, count: number, to: string) =>
      `(${from} − 均值 ${mean}) ÷ 标准差 ${spread}，再缩放和平移 = ${to}；共 ${count} 个元素一起归一化`,
    scores: (sample: number, head: number) => `softmax 之后的权重，批次 ${sample}，头 ${head}`,
    key: '键',
    query: '查询',
    takes: (weight: string, key: number) => `键 ${key} 的 ${weight}`,
    attends: (query: number, taken: readonly string[], hidden: number) =>
      `查询 ${query} 取${taken.join('、')}${hidden > 0 ? `；${hidden} 个被遮挡` : ''}`,
    filled: (place: string, text: string) => `${place} = ${text}，是填入的元素`,
    joined: (place: string, reduction: string) => `${place} 以 ${reduction} 与原来的元素合并`,
    and: '；',
    index: '下标',
    rank: '按次序',
    axis: '轴',
    ranked: (rank: number, value: string, index: string) => `第 ${rank} 位：${value}，下标 ${index}`,
    extreme: (isGreatest: boolean, value: string, index: string) =>
      `${isGreatest ? '最大' : '最小'}元素是 ${value}，下标 ${index}`,
    repeated: (value: string, at: readonly number[]) => `${value} 出现在 ${list(at, '、')}`,
    isNotZero: (place: string, value: string, column: number) =>
      `${place} = ${value} 不为零：它的下标在第 ${column} 列`,
    soFar: '累计',
    round: 'round',
    clipped: (value: string) => `截断为 ${value}`,
    scaleOf: (index: number) => `第 ${index} 个 scale`,
    valuesOfType: '每条竖线是该类型的一个值',
    samples: (place: string, row: string, column: string, value: string) =>
      `${place} 在第 ${row} 行、第 ${column} 列取样：${value}`,
    gates: { i: '输入门', o: '输出门', f: '遗忘门', c̃: '候选内容', z: '更新门', r: '重置门', h̃: '新状态' } as {
      readonly [gate: string]: string;
    },
    input: '输入',
    state: '隐藏状态',
    direction: '方向',
    atTime: (time: number, unit: number, values: readonly string[]) =>
      `t = ${time}，单元 ${unit}：${list(values, '，')}`,
    boxesOf: (sample: number, label: number) => `批次 ${sample}，类别 ${label}`,
    kept: '保留',
    dropped: '未保留',
    keptBox: (box: number, score: string) => `框 ${box}，得分 ${score}：保留`,
    droppedBox: (box: number, score: string) => `框 ${box}，得分 ${score}：未保留`,
    overlap: (rival: number, share: string) => `与保留的框 ${rival} 的 IoU：${share}`,
    region: (roi: number, row: number, column: number, isMax: boolean, result: string) =>
      `区域 ${roi}，格 ${row}, ${column}：各采样点的${isMax ? '最大值' : '平均值'}，${result}`,
    sample: '样本',
    wave: '以及其中该频率的成分',
    spectrum: '各频率的幅度',
    frequency: '频率',
    bin: (bin: number, value: string, size: string) => `频率 ${bin}：${value}，幅度 ${size}`,
    weight: '权重',
    mel: (band: number, bin: number, value: string) => `第 ${band} 个梅尔频带，频率 ${bin}：${value}`,
    frame: (frame: number) => `第 ${frame} 帧`,
    spectrogram: '频率随时间的变化',
    time: '帧 →',
  },
});
