// The report of `simplify` as text.

import type { DynamicSize, KeptGraph, SimplifyPass, SimplifyReport } from 'broadloom';
import { counted } from '../../shared/counted.js';
import { quote, visible } from '../../shared/visible.js';
import { print, table } from './output.js';

const passes: { readonly [kind in SimplifyPass['kind']]: string } = {
  fold: 'nodes computed',
  shape: 'operands made constant, since all that matters of them is known',
  'no-op': 'nodes that changed nothing',
  merge: 'nodes merged with the one before',
  repeated: 'nodes and constants that were there already',
  if: 'Ifs decided',
  unroll: 'Loops written out',
  inline: 'calls of functions written out',
  dead: 'nodes that nobody reads',
  constant: 'Constant nodes made initializers',
  unused: 'initializers that nobody reads',
  fuse: 'nodes folded into weights, which changes bits of results',
};

/** Names in a warning. */
const mostNamed = 5;
const longestList = 10;
const plainWord = /^[\w.:/@%+,=-]+$/;

/** A word as a shell takes it. */
const shellWord = (text: string): string => (plainWord.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The option that fixes a size; null where none does. */
function flagFor({ fix, axis }: Pick<DynamicSize, 'fix' | 'axis'>): string | null {
  const first = (option: object | undefined) => Object.entries(option ?? {})[0];
  const [size] = first(fix?.dims) ?? [];
  if (size !== undefined) return `--dim ${shellWord(`${size}=N`)}`;
  const [constant] = first(fix?.values) ?? [];
  if (constant !== undefined) return `--value ${shellWord(`${constant}=VALUE`)}`;
  const [input, sizes] = first(fix?.shapes) ?? [];
  if (input === undefined) return null;
  const written = sizes?.map((_: unknown, i: number) => (i === axis ? 'N' : '?'));
  return `--shape ${shellWord(`${input}=${written?.join(',') ?? 'N,...'}`)}`;
}

function dynamicRow(dynamic: DynamicSize): string[] {
  const { from, value, operator, node, axis, name, nodes, shapeNodes, fix } = dynamic;
  const isOfContent = fix?.values !== undefined;
  const size = isOfContent ? 'what it holds' : axis === null ? 'rank' : `axis ${axis}`;
  const of = from === 'input' ? `input ${value}` : `${operator}${node ? ` ${node}` : ''} -> ${value}`;
  const shapes = shapeNodes > 0 ? `, ${shapeNodes} of them for shapes alone` : '';
  const advice = flagFor(dynamic) ?? 'no flag of its own';
  return [`${of}, ${size}${name === null ? '' : ` (${name})`}`, `${counted(nodes, 'node')}${shapes}`, advice];
}

function keptRow(graph: KeptGraph): string[] {
  const { operator, node, reason } = graph;
  const flag = flagFor(graph);
  return [`${operator} ${node}`.trim(), `${reason}${flag === null ? '' : `; ${flag} fixes it`}`];
}

function percent(before: number, after: number): string {
  const change = (((after - before) / Math.max(before, 1)) * 100).toFixed(1);
  if (/^-?0\.0$/.test(change)) return '';
  return `${after > before ? '+' : ''}${change} %`;
}

function section(title: string, rows: string[][]): void {
  if (rows.length > 0) print(`\n${title}\n${table(rows, '  ')}`);
}

/** Prints all but the warnings. */
export function printReport(report: SimplifyReport): void {
  const { before, after, dynamic, kept, verified } = report;
  const row = (name: string, was: number, is: number) => [name, String(was), String(is), percent(was, is)];
  const names = [...new Set([...Object.keys(before.operators), ...Object.keys(after.operators)])].sort();
  const counts = names.map((name) => row(name, before.operators[name] ?? 0, after.operators[name] ?? 0));
  const changed = counts.filter(([, was, is]) => was !== is);
  print(
    table(
      [['', 'before', 'after'], row('nodes', before.nodes, after.nodes), row('bytes', before.bytes, after.bytes)],
      '  ',
    ),
  );
  section('operators', changed.length === 0 ? [] : [['', 'before', 'after'], ...changed]);
  if (counts.length > changed.length && changed.length > 0)
    print(`  and ${counted(counts.length - changed.length, 'operator')} with as many nodes as before`);
  section(
    'passes',
    report.passes.map(({ name, kind, count }) => [
      name,
      String(count),
      passes[kind ?? (name as SimplifyPass['kind'])] ?? '',
    ]),
  );
  const rows = dynamic.map(dynamicRow);
  section('still dynamic: what it comes from, what hangs on it, what fixes it', rows.slice(0, longestList));
  if (rows.length > longestList) print(`  ... and ${rows.length - longestList} more: --json lists all`);
  section('kept', kept.map(keptRow));
  if (verified !== undefined) print(`\nverified: ${visible(verifiedText(verified))}`);
}

type Verified = NonNullable<SimplifyReport['verified']>;

/** The last line of the report. */
export function verifiedText({ ran, equal, reason, compared = [] }: Verified): string {
  if (equal === null) return `no, ${reason ?? 'the models did not run'}`;
  if (!equal) return `${ran ? 'the outputs' : 'values'} differ${reason === null ? '' : `: ${reason}`}`;
  return ran ? 'the outputs are equal' : `${counted(compared.length, 'value')} equal, the rest did not run: ${reason}`;
}

/** The warning where the models did not run as a whole. */
export function partlyVerified({ equal, reason, compared = [] }: Verified): string {
  if (equal === null) return `not verified: ${reason}`;
  const rest = compared.length > mostNamed ? `, ... (${counted(compared.length, 'value')})` : '';
  return `verified only ${compared.slice(0, mostNamed).map(quote).join(', ')}${rest}: ${reason}`;
}
