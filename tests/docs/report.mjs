// Receives the reports of the documents' programs, and formats values. Loaded in the child process that runs a program.
import { writeFileSync } from 'node:fs';
import { format, inspect } from 'node:util';

const records = [];

function isTensor(value) {
  return typeof value === 'object' && value !== null && 'strides' in value && 'unpack' in value;
}

function headOf({ type, dims }) {
  return `${type} [${dims.join(', ')}]`;
}

/** Shows as much of a tensor as `expected` needs, because printing elements writes out a lazy tensor. */
function shown(value, expected) {
  if (isTensor(value)) {
    const head = headOf(value);
    return expected === head || expected.startsWith(`${head} (`) ? head : String(value).replace(/\n\s*/g, ' ');
  }
  if (Array.isArray(value) && value.some(isTensor)) return `[${value.map(headOf).join(', ')}]`;
  const text = inspect(value, { breakLength: Number.POSITIVE_INFINITY, compact: true, depth: 8 });
  return text
    .replace(/([[{]) /g, '$1')
    .replace(/ ([\]}])/g, '$1')
    .replace(/ {2,}/g, ' ');
}

export function value(line, expected, actual) {
  records.push({ line, text: shown(actual, expected) });
  return actual;
}

export function printed(line, ...values) {
  records.push({ line, text: format(...values) });
}

export async function throws(line, work) {
  try {
    await work();
    records.push({ line, text: 'nothing was thrown' });
  } catch (error) {
    records.push({ line, text: `${error.code ?? error.name}: ${error.message}` });
  }
}

export function finish() {
  writeFileSync(process.env.DOCS_REPORT, JSON.stringify(records));
}
