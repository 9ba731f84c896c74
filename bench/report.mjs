// Prints all sections other than the tables of cases.
import { byteCount, duration, fileSize, table, times, title } from './format.mjs';
import { geometricMean } from './statistics.mjs';

const print = (text) => console.log(text);

export function reportMachine(machine) {
  title('Machine');
  for (const [name, value] of Object.entries(machine)) {
    const text =
      typeof value === 'object'
        ? Object.entries(value)
            .map((entry) => entry.join(' '))
            .join(', ')
        : value;
    if (text !== undefined) print(`${name.padEnd(11)} ${text}`);
  }
}

export function reportStores(rows) {
  title('The limit: memory.fill against a loop of v128.store');
  const speedOf = (bytes, time) => `${(bytes / time).toFixed(1)} GB/s`;
  const cells = rows.map(({ name, bytes, limitTime, time, ratio }) => [
    name,
    speedOf(bytes, limitTime),
    speedOf(bytes, time),
    ratio.toFixed(2),
  ]);
  print(table(['bytes', 'memory.fill', 'v128.store', 'of limit'], cells));
}

export function reportGraphs(what, rows, peers) {
  title(`${what}: loadModel and run, the output read; beside memory.copy of the same bytes`);
  const names = peers.filter((name) => rows.some((row) => row.peers[name] !== undefined));
  const cells = rows.map((row) => [
    row.name,
    duration(row.time),
    row.ratio.toFixed(2),
    ...names.map((name) => (row.peers[name] === undefined ? '' : duration(row.peers[name].time))),
  ]);
  print(table(['graph', 'Broadloom', 'of a copy', ...names], cells));
  for (const name of names) {
    const slower = rows.flatMap((row) => row.peers[name]?.slower ?? []);
    print(`${name}: ${times(geometricMean(slower))} the time of Broadloom, in geometric mean of ${slower.length}`);
  }
  for (const { name, refused } of rows) {
    for (const [peer, reason] of Object.entries(refused)) print(`${name}: without ${peer}: ${reason}`);
  }
}

export function reportLaziness({ rows, reading }) {
  title('Laziness: a call and dispose() without reading data');
  print(
    table(
      ['call', 'time'],
      rows.map(({ name, time }) => [name, duration(time)]),
    ),
  );
  print(`\nreading the data of Expand [1000,1] -> [1000,1000000]: ${reading.name} ${reading.code}: ${reading.message}`);
}

export function reportSound({ rows }) {
  title('Sounds of 30 seconds, and the spectra of a million samples; peers as times of Broadloom');
  const cells = rows.map(({ name, time, peers }) => [
    name,
    duration(time),
    peers.map((peer) => `${peer.name} ${peer.slower.toFixed(1)}`).join(', '),
  ]);
  print(table(['', 'Broadloom', 'peers'], cells));
}

export function reportSmallCalls({ rows }) {
  title(
    'Small calls, step by step: Expand [3,1] -> [2,3,6], first through the bare exports, then through the API; and Mul by a number',
  );
  print(
    table(
      ['', 'time'],
      rows.map(({ name, time }) => [name, duration(time)]),
    ),
  );
}

export function reportAllocation({ rounds, bytes, rows }) {
  title(`Allocation: ${rounds} rounds of expanding to ${byteCount(bytes)}, reading data, dispose()`);
  const cells = rows.map(({ when, heapBytes, bytesInUse, liveTensors }) => [when, heapBytes, bytesInUse, liveTensors]);
  print(table(['', 'heapBytes', 'bytesInUse', 'liveTensors'], cells));
}

export function reportColdStart(rows) {
  title('Cold start: from the start of the process to the first result');
  const cells = rows.map(({ name, milliseconds, aboveBare }) => [
    name,
    `${milliseconds.toFixed(1)} ms`,
    aboveBare === null ? '' : `${aboveBare.toFixed(1)} ms`,
  ]);
  print(table(['', 'median', 'above bare Node'], cells));
}

export function reportPageStart(rows) {
  title('Cold start in Chromium: from the start of the navigation to the first result');
  const cells = rows.map(({ name, milliseconds, aboveEmpty }) => [
    name,
    `${milliseconds.toFixed(1)} ms`,
    `${aboveEmpty.toFixed(1)} ms`,
  ]);
  print(table(['', 'median', 'above an empty module'], cells));
}

export function reportDownload(rows) {
  title('Download for one Expand in a browser, gzip -9');
  const cells = rows.map(({ name, javascript, wasm, total, note }) => [
    name,
    fileSize(javascript),
    fileSize(wasm),
    fileSize(total),
    note,
  ]);
  print(table(['', 'JavaScript', 'wasm', 'together', 'note'], cells, ['note']));
}

export function reportModels({ rows, mean, nodes }) {
  title("Models: a run, onnxruntime-web on one thread beside it, and its time in units of Broadloom's");
  const time = (microseconds) => duration(1000 * microseconds);
  const cells = rows.map(({ name, microseconds, onnxruntimeWeb, ratio }) => [
    name,
    time(microseconds),
    time(onnxruntimeWeb),
    ratio.toFixed(2),
  ]);
  print(table(['', 'Broadloom', 'onnxruntime-web', 'ratio'], cells));
  print(`geometric mean of the models: ${mean.toFixed(2)}`);
  const times = nodes.map(({ operator, nanoseconds }) => `${operator} ${nanoseconds.toFixed(0)}`);
  print(`nanoseconds of a node that computes one element: ${times.join(', ')}`);
}

/** A row for each architecture, slowest ratios and means; memory and heap in units of the file. */
export function reportArchitectures({ against, rows, families, mean }) {
  const isBuild = rows.some(({ sameBits }) => sameBits !== undefined);
  title(
    `Architectures: milliseconds of the processor for a run, beside ${isBuild ? `the build in ${against}` : against}`,
  );
  const cells = rows.map((row) => [
    row.name,
    row.family,
    (row.bytes / 1e6).toFixed(1),
    row.milliseconds.toFixed(2),
    row.other.toFixed(2),
    row.ratio.toFixed(2),
    row.memory.toFixed(2),
    row.plan.toFixed(2),
    ...(isBuild ? [row.otherMemory.toFixed(2), row.sameBits ? 'same' : 'other'] : [row.heap.toFixed(2)]),
    row.isWrong ? `WRONG: ${row.difference.toPrecision(2)}` : row.difference.toExponential(0),
  ]);
  const more = isBuild ? ["other's memory", 'bits'] : ['heap'];
  const header = ['', 'family', 'MB', 'Broadloom', 'other', 'ratio', 'memory', 'of it runs', ...more, 'difference'];
  print(table(header, cells, ['family']));
  const means = families.map((one) => `${one.family} ${one.mean.toFixed(2)} (${one.cases})`).join(', ');
  print(`\ngeometric means: ${means}, all ${mean.toFixed(2)} (${rows.length})`);
  const list = (some, text) => some.map((row) => `${row.name} ${text(row)}`).join(', ') || 'none';
  const slower = rows.filter(({ ratio }) => ratio < 1).sort((a, b) => a.ratio - b.ratio);
  print(`slower: ${list(slower, ({ ratio }) => ratio.toFixed(2))}`);
  const large = rows.filter(({ memory }) => memory > 1.5).sort((a, b) => b.memory - a.memory);
  const parts = ({ memory, plan }) => `${memory.toFixed(2)} (weights ${(memory - plan).toFixed(2)})`;
  print(`memory after the first run above 1.5 of the file: ${list(large, parts)}`);
}

/** Sections, and the rows that take more than 1.1 times as long as in onnxruntime-web. */
export function reportCalls({ rows, refused }) {
  title('Single calls beside onnxruntime-web on one thread');
  const isSlower = ({ ratio }) => 1 / ratio > 1.1;
  const summary = [...new Set(rows.map(({ section }) => section))].map((section) => {
    const ofIt = rows.filter((row) => row.section === section);
    return [section, ofIt.length, times(geometricMean(ofIt.map(({ ratio }) => ratio))), ofIt.filter(isSlower).length];
  });
  print(table(['', 'calls', 'as fast', 'slower'], summary));
  const slower = rows.filter(isSlower).sort((a, b) => a.ratio - b.ratio);
  print(`\n${slower.length} of ${rows.length} take more than 1.1 times as long:\n`);
  const time = (microseconds) => duration(1000 * microseconds);
  const cells = slower.map(({ name, microseconds, onnxruntimeWeb, ratio }) => [
    name,
    time(microseconds),
    time(onnxruntimeWeb),
    (1 / ratio).toFixed(2),
  ]);
  print(table(['', 'Broadloom', 'onnxruntime-web', 'of its time'], cells));
  for (const { name, reason } of refused) print(`${name}: ${reason}`);
}

export function reportImages(rows) {
  title("Images: a whole preparation, and its time in units of Broadloom's");
  for (const { name, contenders } of rows) {
    print(name);
    const cells = contenders.map((one) => [one.name, `${one.milliseconds.toFixed(2)} ms`, one.slower.toFixed(2)]);
    print(table(['', 'time', 'ratio'], cells));
  }
}

export function reportTargets(targets) {
  title('Targets');
  print(
    table(
      ['', 'target', 'measured'],
      targets.map(({ name, value, met }) => [met ? 'met' : 'NOT met', name, value]),
      ['target', 'measured'],
    ),
  );
}
