// Pictures and sounds as inputs of a model.
import { texts } from './texts.js';

const english = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });
const chinese = (value: number): string => value.toLocaleString('zh', { maximumSignificantDigits: 3 });

type Kinds = readonly ('picture' | 'sound')[];

export const mediaTexts = texts({
  en: {
    hint: (kinds: Kinds) =>
      `Or drop one here: ${kinds.map((kind) => ({ picture: 'a picture', sound: 'a sound' })[kind]).join(', ')}, .npy, .npz, .pb, .json, .csv.`,
    scale: 'Numbers',
    scales: {
      unit: '0 to 1',
      signed: '−1 to 1',
      imagenet: 'ImageNet mean and deviation',
      bytes: '0 to 255',
    },
    fit: 'Fit',
    fits: { stretch: 'Stretch', fill: 'Fill and cut', whole: 'Whole, with a border' },
    layout: 'Layout',
    layouts: { NCHW: 'NCHW', NHWC: 'NHWC' },
    rate: 'Sample rate',
    hertz: (rate: number) => `${rate.toLocaleString('en')} Hz`,
    start: 'From second',
    samples: (seconds: number, whole: number, padding: number) =>
      `${english(seconds)} s of ${english(whole)} s${padding === 0 ? '' : `, the last ${padding.toLocaleString('en')} samples are zeros`}`,
    top: 'The greatest elements',
    probabilities: 'The most probable',
    index: 'Index',
    value: 'Value',
    picture: (black: string, white: string) => `As a picture: ${black} is black, ${white} is white.`,
    reading: 'Reading the output …',
    unreadable: 'The output could not be read.',
  },
  zh: {
    hint: (kinds: Kinds) =>
      `或把文件拖到这里：${kinds.map((kind) => ({ picture: '图片', sound: '声音' })[kind]).join('、')}、.npy、.npz、.pb、.json、.csv。`,
    scale: '数值',
    scales: { unit: '0 到 1', signed: '−1 到 1', imagenet: 'ImageNet 均值与标准差', bytes: '0 到 255' },
    fit: '适配',
    fits: { stretch: '拉伸', fill: '填满并裁剪', whole: '完整显示并留边' },
    layout: '排列',
    layouts: { NCHW: 'NCHW', NHWC: 'NHWC' },
    rate: '采样率',
    hertz: (rate: number) => `${rate.toLocaleString('zh')} Hz`,
    start: '起始秒数',
    samples: (seconds: number, whole: number, padding: number) =>
      `${chinese(whole)} 秒中的 ${chinese(seconds)} 秒${padding === 0 ? '' : `，末尾 ${padding.toLocaleString('zh')} 个采样为零`}`,
    top: '最大的元素',
    probabilities: '概率最高的元素',
    index: '索引',
    value: '值',
    picture: (black: string, white: string) => `按图片显示：${black} 为黑，${white} 为白。`,
    reading: '正在读取输出……',
    unreadable: '无法读取该输出。',
  },
});
