// What stands around all pages, and on the pages of operators.
import { texts } from './texts.js';

export const siteTexts = texts({
  en: {
    tag: 'en',
    title: (page: string) => `${page} · Broadloom`,
    skip: 'Skip to the content',
    navigation: 'Pages',
    pages: { operator: 'Operators', try: 'Try it', models: 'Models', benchmark: 'Beside the others' },
    language: 'Language',
    theme: 'Colours',
    themes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
    footer:
      'Broadloom runs ONNX operators in WebAssembly. All of it happens in this browser; nothing is sent anywhere.',
  },
  zh: {
    tag: 'zh-CN',
    title: (page: string) => `${page} · Broadloom`,
    skip: '跳到正文',
    navigation: '页面',
    pages: { operator: '算子', try: '动手试', models: '模型', benchmark: '性能对比' },
    language: '语言',
    theme: '配色',
    themes: { auto: '跟随系统', light: '浅色', dark: '深色' },
    footer: 'Broadloom 用 WebAssembly 运行 ONNX 算子。一切都在本浏览器内完成，不会向任何地方发送数据。',
  },
});
