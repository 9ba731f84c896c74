// What stands around all pages, and on the pages of operators.
import { texts } from './texts.js';

export const siteTexts = texts({
  en: {
    tag: 'en',
    title: (page: string) => `${page} · Broadloom`,
    skip: 'Skip to the content',
    navigation: 'Pages',
    pages: { operator: 'Operators', try: 'Try it', models: 'Models', benchmark: 'Benchmark' },
    language: 'Language',
    theme: 'Colours',
    themes: { auto: 'System', light: 'Light', dark: 'Dark' },
    missing: 'This part of the site could not be loaded. Reload the page to try again.',
    footer:
      'Broadloom runs ONNX operators in WebAssembly. All of it happens in this browser; nothing is sent anywhere.',
  },
  zh: {
    tag: 'zh-CN',
    title: (page: string) => `${page} · Broadloom`,
    skip: '跳到正文',
    navigation: '页面',
    pages: { operator: '算子', try: '动手试', models: '模型', benchmark: '性能测试' },
    language: '语言',
    theme: '配色',
    themes: { auto: '跟随系统', light: '浅色', dark: '深色' },
    missing: '网站的这一部分无法加载。请重新加载页面再试。',
    footer: 'Broadloom 用 WebAssembly 运行 ONNX 算子。一切都在本浏览器内完成，不会向任何地方发送数据。',
  },
});
