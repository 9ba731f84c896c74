// Time and memory of the nodes of a model.
import { counted } from '../../../shared/counted.js';
import { texts } from './texts.js';

const percent = (part: number): string => `${(100 * part).toFixed(part < 0.0995 ? 1 : 0)} %`;

export const profileTexts = texts({
  en: {
    title: 'Time and memory by node',
    measure: 'Measure each node',
    measureHint: 'The model runs twice more.',
    measuring: 'Measuring each node …',
    stop: 'Stop',
    stopped: 'Stopped.',
    total: (time: string, bytes: string, runs: number) =>
      `All nodes: ${time}, mean of ${counted(runs, 'run', 'runs')}. Their outputs: ${bytes}; views of other values take none.`,
    plan: (bytes: string) => `Block between nodes: ${bytes}`,
    inUse: (bytes: string) => `All tensors: ${bytes}`,
    heap: (bytes: string) => `Wasm memory: ${bytes}`,
    rows: 'Rows of the table',
    groupings: { nodes: 'Nodes', operators: 'Operators' },
    columns: { nodes: 'Node', operators: 'Operator' },
    caption: 'Nodes by time and memory',
    time: 'Time',
    memory: 'Memory',
    calls: 'Calls',
    percent,
    fused: (node: string) => `computed with ${node}`,
    more: (count: number, all: number) => `Show ${count} more of ${all}`,
    idle: (count: number) =>
      `${counted(count, 'node does', 'nodes do')} not run: constants, and what need not be computed.`,
    heat: 'Time of the node',
  },
  zh: {
    title: '各节点的时间和内存',
    measure: '测量各节点',
    measureHint: '模型会再运行两次。',
    measuring: '正在测量各节点……',
    stop: '停止',
    stopped: '已停止。',
    total: (time: string, bytes: string, runs: number) =>
      `所有节点：${time}（${runs} 次运行的平均值）。输出共占 ${bytes}；其他值的视图不占内存。`,
    plan: (bytes: string) => `节点之间的内存块：${bytes}`,
    inUse: (bytes: string) => `所有张量：${bytes}`,
    heap: (bytes: string) => `Wasm 内存：${bytes}`,
    rows: '表格的行',
    groupings: { nodes: '节点', operators: '算子' },
    columns: { nodes: '节点', operators: '算子' },
    caption: '各节点的时间和内存',
    time: '时间',
    memory: '内存',
    calls: '次数',
    percent,
    fused: (node: string) => `与 ${node} 一起计算`,
    more: (count: number, all: number) => `再显示 ${count} 个，共余 ${all} 个`,
    idle: (count: number) => `${count} 个节点没有运行：它们是常量，或无需计算。`,
    heat: '节点耗时',
  },
});
