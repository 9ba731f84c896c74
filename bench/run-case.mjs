// Runs one case: checks each contender's result, then measures.
import { measure } from './measure.mjs';
import { plainJs } from './peers/plain-js.mjs';

/**
 * Prepares a contender and checks its result. A peer that refuses the case, fails or is wrong is left out, and the reason is
 * reported.
 */
async function prepareChecked(contender, item, expected) {
  const prepared = await contender.prepare(item);
  if ((await prepared.digest()) === expected) return { name: contender.name, ...prepared };
  await prepared.dispose();
  throw new Error('wrong result');
}

async function preparePeers(peers, item, expected) {
  const prepared = [];
  const refused = {};
  for (const peer of peers) {
    try {
      prepared.push(await prepareChecked(peer, item, expected));
    } catch (error) {
      refused[peer.name] = error.message;
    }
  }
  return { prepared, refused };
}

/** @returns the case with its measurements: see `measure`; `peers` and `refused` are by name */
export async function runCase(item, { subject, limit, peers }, effort) {
  const reference = plainJs.prepare(item);
  const expected = reference.digest();
  reference.dispose();
  const ours = await prepareChecked(subject, item, expected).catch((error) => {
    throw new Error(`${subject.name}, ${item.name}: ${error.message}`);
  });
  const { prepared, refused } = await preparePeers(peers, item, expected);
  const result = await measure(
    { subject: ours, limit: { name: limit.name, time: limit.prepare(item.bytes) }, peers: prepared },
    effort,
  );
  for (const contender of [ours, ...prepared]) await contender.dispose();
  const byName = Object.fromEntries(result.peers.map(({ name, ...rest }) => [name, rest]));
  return { ...item, ...result, peers: byName, refused };
}
