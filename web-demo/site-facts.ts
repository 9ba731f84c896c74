// What the build writes into the site, so that pages are complete before the wasm module arrives: the package's rows, the
// examples with their expected outputs printed, and the words. What belongs to one operator is a file of its own that the page
// fetches when it shows the operator, and so are its words in each language: what every visitor downloads is the list of names.
import { createHash } from 'node:crypto';
import { operatorExamples } from '../tools/examples.mjs';
import { operatorWords } from './src/texts/operators.js';

/** The operator of the first page: all but its words are known from the start. */
const home = 'Expand';

/** Texts of the modules `virtual:facts` and `virtual:aliases`, and of the files, by their paths in the site. */
export interface SiteFacts {
  readonly facts: string;
  readonly aliases: string;
  readonly files: ReadonlyMap<string, string>;
}

export async function siteFacts(packageFile: string): Promise<SiteFacts> {
  const { load, dataTypes } = await import(packageFile);
  const ops = await load();
  const examples = operatorExamples(ops);
  const rows: { name: string; versions: { sinceVersion: number }[] }[] = ops.operators();
  const wordsOf = (name: string) => {
    const words = operatorWords[name];
    if (words === undefined) throw new Error(`${name} has no words in web-demo/src/texts/operators.ts`);
    return words;
  };
  const known = rows.map((operator) => ({
    operator,
    examples: examples.filter((example: { operator: string }) => example.operator === operator.name),
  }));
  const files = known.flatMap((one): [string, string][] => {
    const { name } = one.operator;
    const { en, zh } = wordsOf(name);
    return [
      [`${name}.json`, JSON.stringify(one)],
      [`en/${name}.json`, JSON.stringify(en)],
      [`zh/${name}.json`, JSON.stringify(zh)],
    ];
  });
  // Files of another build never go with this page.
  const folder = `operators/${createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12)}`;
  const index = rows.map(({ name, versions }) => ({
    ...{ name, group: wordsOf(name).group },
    versions: versions.map(({ sinceVersion }) => sinceVersion),
  }));
  const aliases = rows.map(({ name }) => {
    const { aliases, en, zh } = wordsOf(name);
    return { name, aliases, summary: `${en.summary} ${zh.summary}` };
  });
  const first = known.filter(({ operator }) => operator.name === home);
  return {
    facts: `export default ${JSON.stringify({ folder, home, index, dataTypes, known: first })}`,
    aliases: `export default ${JSON.stringify(aliases)}`,
    files: new Map(files.map(([path, text]) => [`${folder}/${path}`, text])),
  };
}
