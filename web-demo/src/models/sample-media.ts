// The picture that a sample begins with. It is fetched when the sample is open.
import { readSource } from '../runtime/files-given.js';
import { change, current } from '../state.js';
import type { KeptModel } from './kept.js';
import { beginningOf } from './sample-models.js';
import { currentSession, onOther } from './session.js';

async function feedPicture(model: KeptModel): Promise<void> {
  const { picture } = beginningOf(model);
  if (picture === undefined) return;
  const { input, file: name, dims, fit, scale } = picture;
  const blob = await readSource(new URL(`samples/${name}`, document.baseURI).href);
  const { feeds } = current();
  // Somebody may have opened another model meanwhile, or given the input another value.
  if (!(blob instanceof Blob) || currentSession().source !== model || Object.hasOwn(feeds, input)) return;
  const file = new File([blob], name, { type: 'image/jpeg' });
  const values = { kind: 'picture', file, layout: 'NCHW', fit, scale } as const;
  change({ feeds: { ...feeds, [input]: { type: 'float32', dims, values } } });
}

onOther(() => {
  const { opened, source } = currentSession();
  if (opened.status === 'open' && source !== undefined) void feedPicture(source);
});
