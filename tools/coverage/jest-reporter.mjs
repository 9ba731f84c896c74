// Writes what V8 covered in each test file of Jest as Node writes it for a process: Jest's modules are not in Node's own files.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CoverageReporter } from '@jest/reporters';

export default class extends CoverageReporter {
  #folder;

  constructor(config, { folder }, context) {
    super(config, context);
    this.#folder = folder;
  }

  async onRunComplete() {
    for (const [number, modules] of this._v8CoverageResults.entries()) {
      const result = modules.map((one) => ({ ...one.result, url: pathToFileURL(one.result.url).href }));
      writeFileSync(join(this.#folder, `jest-${number}.json`), JSON.stringify({ result }));
    }
  }
}
