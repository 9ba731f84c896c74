// The button at the top that shares what is shown: by what the device has for that, else as a link that was copied.
import { html, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { addressOf } from '../address.js';
import { change, current, type State } from '../state.js';
import { siteTexts } from '../texts/site.js';
import { copyText } from './copy.js';
import { pageTitle } from './title.js';

/** The outcome; forgotten after a while. */
let said: 'linkCopied' | 'copyFailed' | 'linkTooLong' | 'fileStays' | undefined;
let forgetting: ReturnType<typeof setTimeout> | undefined;

function say(what: typeof said): void {
  said = what;
  clearTimeout(forgetting);
  if (what !== undefined) forgetting = setTimeout(() => say(undefined), what === 'fileStays' ? 15_000 : 5000);
  change({});
}

async function share(): Promise<void> {
  const state = current();
  const address = addressOf(state);
  if (address === undefined) return say('linkTooLong');
  const isWithoutFile = state.unlinked !== undefined && /^(?:models|simplify)$/.test(state.route.page);
  const url = location.href.replace(/#.*|$/, address);
  if (navigator.share !== undefined) {
    // Whoever closes the list of targets does not want a message about it.
    const failure = await navigator.share({ title: pageTitle(state), url }).catch((error: Error) => error);
    if (failure === undefined) return say(isWithoutFile ? 'fileStays' : undefined);
    if (failure.name === 'AbortError') return;
  }
  say((await copyText(url)) ? (isWithoutFile ? 'fileStays' : 'linkCopied') : 'copyFailed');
}

export function shareButton({ language, unlinked }: State): TemplateResult {
  const t = siteTexts[language];
  return html`<button class="button quiet" id="share" type="button" @click=${() => void share()}>${t.share}</button>
    <span class="share-said" role="status">${said === undefined ? '' : said === 'fileStays' ? t.fileStays(visible(unlinked ?? '')) : t[said]}</span>`;
}
