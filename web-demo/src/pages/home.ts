// The first page: what Broadloom is, three ways to begin, a search over everything, and a convolution that runs.
import { html, nothing, type TemplateResult } from 'lit-html';
import { documents, guideAddress } from '../documents.js';
import { homeOperator } from '../facts.js';
import { searchBox } from '../home/search-box.js';
import '../home/sliding-window.js';
import { acceptDrops } from '../models/drop.js';
import '../models/open-card.css';
import { hashOf } from '../router.js';
import { isMedia } from '../runtime/files-given.js';
import { change, current, type State } from '../state.js';
import { type HomeTexts, homeTexts } from '../texts/home.js';
import { siteTexts } from '../texts/site.js';
import { copyText } from '../views/copy.js';
import './home.css';

/** Opens dropped files where they belong: pictures and sounds in "Prepare", all else in "Models". */
async function takeFiles(files: readonly File[]): Promise<void> {
  const [first] = files;
  const page = first !== undefined && files.every(isMedia) ? 'prepare' : 'models';
  location.assign(hashOf({ page }));
  try {
    if (page === 'models') (await import('./models.js')).takeFiles(files);
    else await (await import('../prepare/session.js')).openFile(first as File);
  } catch {} // the page itself says that it does not come
}

acceptDrops(
  () => current().route.page === 'home',
  (files) => void takeFiles(files),
);

const doors = [
  ['operator', hashOf({ page: 'operator', operator: homeOperator })],
  ['models', hashOf({ page: 'models' })],
  ['prepare', hashOf({ page: 'prepare' })],
] as const;

export function homePage(state: State): TemplateResult {
  const t = homeTexts[state.language];
  return html`<div class="home">
    <div class="home-top">
      <h1>${t.heading}</h1>
      <p class="summary">${t.intro}</p>
      ${searchBox(state)}
    </div>
    <nav class="home-doors" aria-label=${t.ways}>
      ${doors.map(([door, address]) => {
        const [name, note] = t.doors[door];
        return html`<a class="card" id=${`door-${door}`} href=${address}><b>${name}</b><span>${note}</span></a>`;
      })}
    </nav>
    <section class="home-example card" aria-labelledby="home-example">
      <h2 id="home-example">${t.example.heading}</h2>
      <p>${t.example.note}</p>
      <sliding-window .given=${{ language: state.language }}></sliding-window>
    </section>
    ${morePart(state, t.more)}
    <div class="models-drop" aria-hidden="true"><p>${t.drop}</p></div>
  </div>`;
}

const install = 'npm install broadloom';
let copied: 'copied' | 'failed' | undefined;

async function copyInstall(): Promise<void> {
  copied = (await copyText(install)) ? 'copied' : 'failed';
  change({});
}

/** The package, its documents, and its source where package.json names it. */
function morePart({ language }: State, t: HomeTexts['more']): TemplateResult {
  const said = copied === 'failed' ? siteTexts[language].copyFailed : copied && t.copied;
  const guides = [
    [t.started, guideAddress('Getting started')],
    [t.first, guideAddress('First model')],
    [t.all, documents],
  ] as const;
  return html`<section class="home-more" aria-labelledby="home-more">
    <h2 id="home-more">${t.heading}</h2>
    <p class="home-install">
      ${t.install} <code>${install}</code>
      <button class="button quiet" id="copy-install" type="button" @click=${() => void copyInstall()}>${t.copy}</button>
      <span role="status">${said ?? nothing}</span>
    </p>
    ${sourceAddress === null ? nothing : html`<p><a href=${sourceAddress}>${t.source}</a></p>`}
    <p id="home-guides">${t.guides}</p>
    <ul aria-labelledby="home-guides">
      ${guides.map(([name, address]) => html`<li><a href=${address} hreflang="en">${name}</a></li>`)}
    </ul>
  </section>`;
}
