// The curves of functions of one variable.
import { texts } from './texts.js';

export const curveTexts = texts({
  en: {
    from: 'From',
    to: 'To',
    type: 'Element type',
    nearer: 'Zoom in',
    farther: 'Zoom out',
    first: 'Whole curve',
    label: (operator: string) => `Point on the curve of ${operator}`,
    point: (x: string, xValue: string, y: string, yValue: string) => `${x} ${xValue}, ${y} ${yValue}`,
    note: (x: string, y: string) =>
      x === y
        ? `Broadloom computes every point in ${x}. Zoom in, or choose a smaller type, to see its steps.`
        : `Broadloom computes every point: the input is ${x}, the output is ${y}.`,
  },
  zh: {
    from: '从',
    to: '到',
    type: '元素类型',
    nearer: '放大',
    farther: '缩小',
    first: '整条曲线',
    label: (operator: string) => `${operator} 曲线上的点`,
    point: (x: string, xValue: string, y: string, yValue: string) => `${x} 为 ${xValue}，${y} 为 ${yValue}`,
    note: (x: string, y: string) =>
      x === y
        ? `每个点都由 Broadloom 以 ${x} 算出。放大，或选择更小的类型，就能看到它的台阶。`
        : `每个点都由 Broadloom 算出：输入为 ${x}，输出为 ${y}。`,
  },
});
