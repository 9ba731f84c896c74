// Measures cases that are graphs (movement-cases.mjs, arithmetic-cases.mjs): Broadloom's loadModel and run, with the output read,
// beside onnxruntime, NumPy and memory.copy of as many bytes as the output has.
import { measure } from './measure.mjs';

/** Whether a sample of the elements differs by at most the case's tolerance, relative to the largest element. */
function agree(found, expected, tolerance) {
  const largest = Math.max(...expected.map(Math.abs));
  return (
    found.length === expected.length &&
    found.every((value, i) => Math.abs(value - expected[i]) <= tolerance * Math.max(largest, 1))
  );
}

async function isSame(peer, ours, { tolerance }) {
  if (tolerance === undefined) return (await peer.digest()) === (await ours.digest());
  return agree(await peer.sample(), await ours.sample(), tolerance);
}

/** Prepares a peer. A peer whose result differs from Broadloom's, or that fails, is left out with the reason. */
async function preparePeer(peer, item, ours) {
  const prepared = await peer.prepareGraph(item);
  if (await isSame(prepared, ours, item)) return { name: peer.name, ...prepared };
  await prepared.dispose();
  throw new Error('another result');
}

async function measureOne(item, { subject, limit, peers }, effort) {
  const ours = await subject.prepareGraph(item);
  const prepared = [];
  const refused = {};
  for (const peer of peers) {
    try {
      prepared.push(await preparePeer(peer, item, ours));
    } catch (error) {
      refused[peer.name] = error.message;
    }
  }
  const result = await measure(
    {
      subject: { name: subject.name, time: ours.time },
      limit: { name: 'memory.copy', time: limit.prepareCopies(item.bytes) },
      peers: prepared,
    },
    effort,
  );
  for (const contender of [ours, ...prepared]) await contender.dispose();
  const byName = Object.fromEntries(result.peers.map(({ name, ...rest }) => [name, rest]));
  return { name: item.name, bytes: item.bytes, ...result, peers: byName, refused };
}

/** @returns rows with the measurements of `measure`; their limit is a copy */
export async function measureGraphs(cases, { subject, limit, peers }, effort, after) {
  const rows = [];
  const able = peers.filter(({ prepareGraph }) => prepareGraph !== undefined);
  for (const item of cases) {
    rows.push(await measureOne(item, { subject, limit, peers: able }, effort));
    after();
  }
  return rows;
}
