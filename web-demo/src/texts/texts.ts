/** The languages of the site. */
export type Language = 'en' | 'zh';

/** Texts of one part of the site in both languages; the Chinese ones must have the same names as the English ones. */
export function texts<T>(both: { en: T; zh: NoInfer<T> }): { readonly [L in Language]: T } {
  return both;
}

/** The colon of a language, with its space. */
export const colonOf = (language: Language): string => (language === 'zh' ? '：' : ': ');

/** The language that the browser asks for. */
export function preferredLanguage(): Language {
  return navigator.languages.find((tag) => /^(en|zh)\b/.test(tag))?.startsWith('zh') ? 'zh' : 'en';
}
