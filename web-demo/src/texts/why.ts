// Why a call fails, and the mends that are offered.
import { counted } from '../../../shared/counted.js';
import { type Language, texts } from './texts.js';

const listed = (numbers: readonly number[]): string => `[${numbers.join(', ')}]`;

export const whyTexts = texts({
  en: {
    title: 'Why this fails',
    mends: 'Calls that run',
    elements: (count: number) => counted(count, 'element'),
    open: '?',
    broadcast: (axis: number, one: number, other: number) =>
      `Axis ${axis}: ${one} and ${other} differ, and neither is 1. Axes are aligned at the right.`,
    inner: (a: string, columns: number, b: string, rows: number) =>
      `${a} has ${counted(columns, 'column')}, and ${b} has ${counted(rows, 'row')}. They must be equal.`,
    channels: (x: string, channels: number, w: string, own: number, group: number) =>
      `${x} has ${counted(channels, 'channel')}. ${w} has ${own}, times group ${group}: ${own * group}. They must be equal.`,
    filters: (x: string, channels: number, w: string, own: number) =>
      `${x} has ${counted(channels, 'channel')}, and ${w} has ${counted(own, 'filter')}. They must be equal.`,
    concat: (axis: number, along: number) =>
      `The sizes of axis ${axis} differ. Only those of axis ${along}, along which the inputs are concatenated, may.`,
    ranks: (ranks: readonly number[]) => `The inputs have ${ranks.join(' and ')} axes. They must have equally many.`,
    perm: (rank: number) =>
      rank === 1 ? 'perm must have axis 0, once.' : `perm must have each axis from 0 to ${rank - 1} once.`,
    squeeze: (axis: number, size: number) => `Axis ${axis} has size ${size}. Only axes of size 1 can go.`,
    notDivisible: (count: number, by: number) => `${count} is not divisible by ${by}: no size fits in the place of -1.`,
    otherCount: (count: number, product: number) =>
      `The sizes multiply to ${product}, but there are ${count} elements.`,
    index: (index: number, axis: number, size: number) =>
      `Index ${index} is outside of axis ${axis}, which has ${counted(size, 'element')}.`,
    image: (at: number, count: number) =>
      `There is no image ${at}: there ${count === 1 ? 'is' : 'are'} ${count}, from 0 on.`,
    axis: (name: string, axis: number, rank: number) =>
      `${name} is ${axis}, but the tensor has ${counted(rank, 'axis', 'axes')}.`,
    within: (name: string, value: number, from: number, to: number) =>
      `${name} is ${value}. It must be from ${from} to ${to}.`,
    atLeast: (name: string, value: number, from: number) => `${name} is ${value}. It must be ${from} or more.`,
    type: (name: string, type: string) => `${name} is ${type}. The operator takes other types.`,
    mixed: (name: string, type: string, other: string) =>
      `${name} is ${type}, and another input is ${other}. They must have one type.`,
    partsSum: (sum: number, size: number) =>
      `The parts sum up to ${sum}, and the axis has ${counted(size, 'element')}. They must be equal.`,
    repeats: (name: string, rank: number, count: number) =>
      `${name} has ${counted(rank, 'axis', 'axes')}, and repeats has ${counted(count, 'number')}. Each axis needs one.`,
    multiple: (axis: number, size: number, of: number) =>
      `Axis ${axis} has size ${size}. It must be a multiple of ${of}.`,
    groups: (channels: number, groups: number) =>
      `${counted(channels, 'channel')} cannot make ${counted(groups, 'group')} of the same size.`,
    mirror: (axis: number, size: number) =>
      `Axis ${axis} has ${counted(size, 'element')}. A mirror at its border shows at most ${size - 1}.`,
    wanted: 'wanted',
    dims: (name: string, dims: readonly number[]) => `${name} must have the dims ${listed(dims)}.`,
    use: (list: readonly number[]) => `Use ${listed(list)}`,
    use1: (word: string) => `Use ${word}`,
    useDims: (name: string, dims: readonly number[]) => `Use ${name} ${listed(dims)}`,
    set: (name: string, value: string) => `Use ${name} = ${value}`,
    transpose: (name: string) => `Transpose ${name}`,
    clamp: (index: number) => `Clamp to ${index}`,
    leaveOut: (name: string) => `Leave out ${name}`,
    outside: (value: number) => `${value} is outside`,
  },
  zh: {
    title: '为什么失败',
    mends: '可以运行的调用',
    elements: (count: number) => `${count} 个元素`,
    open: '?',
    broadcast: (axis: number, one: number, other: number) =>
      `轴 ${axis}：${one} 与 ${other} 不相等，也都不是 1。各轴右对齐。`,
    inner: (a: string, columns: number, b: string, rows: number) =>
      `${a} 有 ${columns} 列，${b} 有 ${rows} 行，两者必须相等。`,
    channels: (x: string, channels: number, w: string, own: number, group: number) =>
      `${x} 有 ${channels} 个通道；${w} 有 ${own} 个，乘以 group ${group} 得 ${own * group}。两者必须相等。`,
    filters: (x: string, channels: number, w: string, own: number) =>
      `${x} 有 ${channels} 个通道，${w} 有 ${own} 个滤波器，两者必须相等。`,
    concat: (axis: number, along: number) => `轴 ${axis} 的大小不一致。只有拼接所沿的轴 ${along} 可以不同。`,
    ranks: (ranks: readonly number[]) => `各输入的轴数为 ${ranks.join('、')}，必须相同。`,
    perm: (rank: number) =>
      rank === 1 ? 'perm 必须恰好包含轴 0。' : `perm 必须包含 0 到 ${rank - 1} 的每个轴，各一次。`,
    squeeze: (axis: number, size: number) => `轴 ${axis} 的大小是 ${size}，只有大小为 1 的轴可以去掉。`,
    notDivisible: (count: number, by: number) => `${count} 不能被 ${by} 整除：-1 处没有合适的大小。`,
    otherCount: (count: number, product: number) => `各轴大小之积是 ${product}，而元素有 ${count} 个。`,
    index: (index: number, axis: number, size: number) =>
      `索引 ${index} 超出轴 ${axis} 的范围，该轴有 ${size} 个元素。`,
    image: (at: number, count: number) => `没有图像 ${at}：共有 ${count} 张图像，从 0 数起。`,
    axis: (name: string, axis: number, rank: number) => `${name} 为 ${axis}，但只有 ${rank} 个轴。`,
    within: (name: string, value: number, from: number, to: number) =>
      `${name} 为 ${value}，应在 ${from} 到 ${to} 之间。`,
    atLeast: (name: string, value: number, from: number) => `${name} 为 ${value}，至少应为 ${from}。`,
    type: (name: string, type: string) => `${name} 的类型是 ${type}，这个算子只接受其他类型。`,
    mixed: (name: string, type: string, other: string) =>
      `${name} 的类型是 ${type}，另一个输入是 ${other}，两者必须一致。`,
    partsSum: (sum: number, size: number) => `各部分之和是 ${sum}，而该轴有 ${size} 个元素，两者必须相等。`,
    repeats: (name: string, rank: number, count: number) =>
      `${name} 有 ${rank} 个轴，repeats 有 ${count} 个数。每个轴必须对应一个数。`,
    multiple: (axis: number, size: number, of: number) => `轴 ${axis} 的大小是 ${size}，必须是 ${of} 的倍数。`,
    groups: (channels: number, groups: number) => `${channels} 个通道无法平均分成 ${groups} 组。`,
    mirror: (axis: number, size: number) => `轴 ${axis} 有 ${size} 个元素，以边界为镜面最多只能映出 ${size - 1} 个。`,
    wanted: '应为',
    dims: (name: string, dims: readonly number[]) => `${name} 的形状必须是 ${listed(dims)}。`,
    use: (list: readonly number[]) => `改用 ${listed(list)}`,
    use1: (word: string) => `改用 ${word}`,
    useDims: (name: string, dims: readonly number[]) => `${name} 改为 ${listed(dims)}`,
    set: (name: string, value: string) => `设 ${name} = ${value}`,
    transpose: (name: string) => `转置 ${name}`,
    clamp: (index: number) => `改为 ${index}`,
    leaveOut: (name: string) => `省略 ${name}`,
    outside: (value: number) => `${value} 超出范围`,
  },
});

export type WhyTexts = (typeof whyTexts)[Language];
