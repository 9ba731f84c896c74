// Prints the tables of cases.
import { byteCount, duration, table, times, title } from './format.mjs';
import { geometricMean } from './statistics.mjs';
import { isLarge, reasonFor } from './targets.mjs';

const print = (text) => console.log(text);
const speed = ({ bytes, time }) => (bytes / time).toFixed(1);

/** Prints why peers are left out: one line per reason, with the peers and cases. */
function legend(rows) {
  const reasons = new Map();
  for (const { name, type, group, refused } of rows) {
    for (const [peer, reason] of Object.entries(refused)) {
      const key = `${peer}: ${reason}`;
      reasons.set(key, (reasons.get(key) ?? new Set()).add(group === 'table' ? name : type));
    }
  }
  if (reasons.size > 0) print('\n-: not done, because of');
  for (const [reason, where] of reasons) print(`   ${reason} (${[...where].join('; ')})`);
}

function comparison(rows, names, last) {
  const peerCell = (row, name) => (row.peers[name] ? duration(row.peers[name].time) : '-');
  const body = rows.map((row) => [
    row.name,
    byteCount(row.bytes),
    duration(row.time),
    duration(row.limitTime),
    row.ratio.toFixed(2),
    speed(row),
    ...names.map((name) => peerCell(row, name)),
  ]);
  const means = names.map((name) => {
    const slower = rows.filter(({ peers }) => peers[name]).map(({ peers }) => peers[name].slower);
    return slower.length > 0 ? times(geometricMean(slower)) : '-';
  });
  body.push([last, '', '', '', '', '', ...means]);
  print(table(['case', 'output', 'Broadloom', 'memory.fill', 'of limit', 'GB/s', ...names], body));
}

export function reportTable(rows, names) {
  title('The table: medians of one call');
  comparison(rows, names, 'Broadloom is faster by (geometric mean)');
  legend(rows);
}

const groupBy = (rows, key) => {
  const groups = new Map();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row]);
  return groups;
};

const meanRatio = (rows) => (rows.length > 0 ? geometricMean(rows.map(({ ratio }) => ratio)).toFixed(2) : '-');

/** @param overhead - nanoseconds of a call that do not depend on the size */
export function reportFamily(rows, names, overhead, stores) {
  title('The family: share of the limit');
  const summary = [...groupBy(rows, ({ pattern }) => pattern)].map(([pattern, members]) => {
    const large = members.filter(isLarge);
    const low = large.length > 0 ? Math.min(...large.map(({ ratio }) => ratio)).toFixed(2) : '-';
    return [pattern, members.length, large.length, meanRatio(large), low];
  });
  print(table(['pattern', 'cases', '65 kB and larger', 'geometric mean', 'lowest'], summary));
  const types = [...groupBy(rows.filter(isLarge), ({ type }) => type)];
  print(
    `\n${table(
      ['type', 'geometric mean'],
      types.map(([type, members]) => [type, meanRatio(members)]),
    )}`,
  );

  const small = rows.filter((row) => !isLarge(row)).map((row) => [row.name, byteCount(row.bytes), duration(row.time)]);
  if (small.length > 0) print(`\nSmall outputs\n${table(['case', 'output', 'Broadloom'], small)}`);

  const low = rows.filter((row) => isLarge(row) && row.ratio < 0.75).sort((a, b) => a.ratio - b.ratio);
  const lowRows = low.map((row) => [
    row.name,
    byteCount(row.bytes),
    row.ratio.toFixed(2),
    reasonFor(row, overhead, stores),
  ]);
  print(`\nBelow 0.75 of the limit: ${low.length} of ${rows.filter(isLarge).length}`);
  if (low.length > 0) print(table(['case', 'output', 'of limit', 'reason'], lowRows, ['reason']));

  const shared = rows.filter(({ peers, refused }) => Object.keys(peers).length + Object.keys(refused).length > 0);
  title(`The family with peers: ${shared.length} of ${rows.length} cases (the others: Broadloom and the limit alone)`);
  if (shared.length > 0) comparison(shared, names, 'Broadloom is faster by (geometric mean)');
  legend(shared);
}
