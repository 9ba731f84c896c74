// The picture or the sound that a sample begins with. It is fetched when the sample is open.
import { readSource } from '../runtime/files-given.js';
import { change, current } from '../state.js';
import type { KeptModel } from './kept.js';
import { beginningOf } from './sample-models.js';
import { currentSession, onOther } from './session.js';

async function feedMedia(model: KeptModel): Promise<void> {
  const { media } = beginningOf(model);
  if (media === undefined) return;
  const { input, file: name, dims, values } = media;
  const blob = await readSource(new URL(`media/${name}`, document.baseURI).href);
  const { feeds } = current();
  // Somebody may have opened another model meanwhile, or given the input another value.
  if (!(blob instanceof Blob) || currentSession().source !== model || Object.hasOwn(feeds, input)) return;
  const file = new File([blob], name, { type: values.kind === 'sound' ? 'audio/wav' : 'image/jpeg' });
  change({ feeds: { ...feeds, [input]: { type: 'float32', dims, values: { ...values, file } } } });
}

onOther(() => {
  const { opened, source } = currentSession();
  if (opened.status === 'open' && source !== undefined) void feedMedia(source);
});
