// The words of operators, in one language each: they come when they are first shown.
import { readOperatorFile } from './facts.js';
import { change } from './state.js';
import type { OperatorText } from './texts/operator-text.js';
import type { Language } from './texts/texts.js';

const known = new Map<string, OperatorText | Error | 'coming'>();

async function read(path: string): Promise<void> {
  known.set(path, 'coming');
  const words = await readOperatorFile<OperatorText>(path).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
  known.set(path, words);
  change({});
}

/** The words of an operator; undefined while they are on their way, an error when they do not come. */
export function wordsOf(operator: string, language: Language): OperatorText | Error | undefined {
  const path = `${language}/${operator}`;
  const words = known.get(path);
  if (words === undefined) void read(path);
  return words === 'coming' ? undefined : words;
}
