// The stages on the pages of operators: presets, and the fields of a call.
import { texts } from './texts.js';

/** The labels of fields, by operator and by the id of the field. */
type Labels = { readonly [operator: string]: { readonly [id: string]: string } };

const en: Labels = {
  Expand: { 'input:0:dims': 'Shape of the input', 'input:1:values': 'Wanted shape' },
  ConstantOfShape: { 'input:0:values': 'Sizes of the output' },
  Shape: { 'input:0:dims': 'Shape of the input', 'attribute:start': 'start', 'attribute:end': 'end' },
};

const zh: Labels = {
  Expand: { 'input:0:dims': '输入的形状', 'input:1:values': '目标形状' },
  ConstantOfShape: { 'input:0:values': '输出各轴的大小' },
  Shape: { 'input:0:dims': '输入的形状', 'attribute:start': '起始轴 start', 'attribute:end': '结束轴 end' },
};

export const stageTexts = texts({
  en: {
    label: 'Interactive example',
    presets: 'Examples to begin with',
    free: 'A call of your own. Point at an element of the result to see where it comes from.',
    more: {
      attributes: (count: number) => `More attributes (${count})`,
      inputs: (count: number) => `More inputs (${count})`,
      both: (count: number) => `More inputs and attributes (${count})`,
    },
    elsewhere: 'not given as text: see "Try it"',
    lines: 'In one line',
    languages: { javascript: 'JavaScript', numpy: 'NumPy', torch: 'PyTorch' },
    tryIt: 'Open in "Try it": all types, files, pictures',
    about: (operator: string) => `What ${operator} does`,
    openPage: 'Open in the Broadloom playground',
    operators: en,
  },
  zh: {
    label: '交互示例',
    presets: '可以从这些示例开始',
    free: '你自己的调用。指向结果中的元素，即可看到它的来源。',
    more: {
      attributes: (count: number) => `更多属性（${count} 个）`,
      inputs: (count: number) => `更多输入（${count} 个）`,
      both: (count: number) => `更多输入和属性（${count} 个）`,
    },
    elsewhere: '不是以文本给出：请在“试一试”中查看',
    lines: '一行代码',
    languages: { javascript: 'JavaScript 代码', numpy: 'NumPy 代码', torch: 'PyTorch 代码' },
    tryIt: '在“试一试”中打开：所有类型、文件和图片',
    about: (operator: string) => `${operator} 的作用`,
    openPage: '在 Broadloom 演练场中打开',
    operators: zh,
  },
});
