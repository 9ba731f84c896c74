// A file that is not opened, on every page that opens models.
import { texts } from './texts.js';

export const refusedTexts = texts({
  en: {
    unreadable: 'The file could not be read.',
    refused: (name: string) => `${name} could not be opened.`,
    media: 'It is a picture or a sound, not a model.',
    unknown: 'No ONNX model can be read from it: it is a file of another kind, or damaged.',
    wanted: 'This page opens ONNX models: .onnx files, as torch.onnx.export and tf2onnx write them.',
    stillOpen: (name: string) => `${name} is still open.`,
  },
  zh: {
    unreadable: '无法读取该文件。',
    refused: (name: string) => `无法打开 ${name}。`,
    media: '这是图片或声音，不是模型。',
    unknown: '从中读不出 ONNX 模型：它是其他类型的文件，或已损坏。',
    wanted: '本页打开的是 ONNX 模型，即 torch.onnx.export、tf2onnx 等工具导出的 .onnx 文件。',
    stillOpen: (name: string) => `${name} 仍处于打开状态。`,
  },
});
