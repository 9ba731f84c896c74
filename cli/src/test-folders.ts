// Folders in the layout of ONNX's own tests: model.onnx, and test_data_set_0/input_0.pb ..., output_0.pb ...
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { quote } from '../../shared/visible.js';
import { Failure } from './errors.js';
import { plainPath, reasonOf } from './files.js';

const byNumber = new Intl.Collator('en', { numeric: true });

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort(byNumber.compare);
  } catch (error) {
    throw new Failure(`cannot read the folder ${quote(folder)}: ${reasonOf(error)}`);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // a link that leads nowhere
  }
}

/** The folders with a model.onnx, in `folder` and below. Each is found once, whatever symbolic links there are. */
export function findCases(folder: string, seen = new Set<string>()): string[] {
  const cases: string[] = [];
  const waiting = [plainPath(folder)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const here = next;
    const entries = entriesOf(here);
    const real = realpathSync(here);
    if (seen.has(real)) continue;
    seen.add(real);
    if (entries.includes('model.onnx')) cases.push(here);
    else
      waiting.push(
        ...entries
          .map((entry) => join(here, entry))
          .filter(isFolder)
          .reverse(),
      );
  }
  return cases;
}

export interface DataSet {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** The paths of `kind`_0.pb, `kind`_1.pb ...; those that are missing are noticed when they are read. */
function numbered(folder: string, kind: string, entries: readonly string[]): string[] {
  const count = entries.filter((entry) => new RegExp(`^${kind}_\\d+\\.pb$`).test(entry)).length;
  return Array.from({ length: count }, (_, i) => join(folder, `${kind}_${i}.pb`));
}

export function dataSetsOf(folder: string): DataSet[] {
  const names = entriesOf(folder).filter((name) => /^test_data_set_\d+$/.test(name));
  return names.map((name) => {
    const path = join(folder, name);
    const entries = entriesOf(path);
    return { name, inputs: numbered(path, 'input', entries), outputs: numbered(path, 'output', entries) };
  });
}
