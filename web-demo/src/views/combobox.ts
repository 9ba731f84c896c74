// A field with a list of results below it (a combobox). Arrow keys go through the results, Enter opens one, Escape leaves the search.
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { change } from '../state.js';
import './combobox.css';

interface Settings<Hit> {
  /** The id of the field. */
  readonly id: string;
  /** Brings the search, when the field is used first. */
  readonly load: () => Promise<(text: string) => readonly Hit[]>;
  readonly addressOf: (hit: Hit) => string;
  /** Takes a result; without it, its address is followed. */
  readonly take?: (hit: Hit) => void;
}

interface Shown<Hit> {
  readonly label: string;
  /** The text of the field while nobody searches. */
  readonly value?: string;
  readonly hint?: string;
  readonly describedBy?: string;
  readonly keys?: string;
  readonly texts: {
    readonly hits: string;
    readonly nothing: string;
    readonly found: (count: number) => string;
  };
  /** The content of a result. */
  readonly option: (hit: Hit) => TemplateResult;
}

/** The most results that are listed. */
const most = 9;

export class Combobox<Hit> {
  readonly #settings: Settings<Hit>;
  /** The text that is looked for; undefined while nobody searches. */
  #wanted: string | undefined;
  /** The number of the result that Enter opens. */
  #chosen = 0;
  /** Whether the results are shown: they go when the field is left. */
  #isOpen = false;
  #search: ((text: string) => readonly Hit[]) | undefined;
  #failure: Error | undefined;

  constructor(settings: Settings<Hit>) {
    this.#settings = settings;
  }

  /** Loads the search; once, unless it does not come. */
  async #load(): Promise<void> {
    if (this.#search !== undefined) return;
    try {
      this.#search = await this.#settings.load();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error as Error;
    }
    change({});
  }

  view({ label, value = '', hint, describedBy, keys, texts: t, option }: Shown<Hit>): TemplateResult {
    const { id } = this.#settings;
    const hits = this.#isOpen ? this.#hits() : [];
    const isShown = hits.length > 0;
    const isAnswered = this.#isOpen && this.#isAsked() && this.#search !== undefined;
    return html`<div class="search-box" role="search" @keydown=${this.#useKey}>
      <input
        id=${id}
        type="search"
        role="combobox"
        autocomplete="off"
        spellcheck="false"
        aria-label=${label}
        aria-describedby=${describedBy ?? nothing}
        aria-keyshortcuts=${keys ?? nothing}
        aria-autocomplete="list"
        aria-controls=${`${id}-hits`}
        aria-expanded=${isShown}
        aria-activedescendant=${isShown ? `${id}-hit-${this.#chosen}` : nothing}
        placeholder=${hint ?? ''}
        .value=${live(this.#wanted ?? value)}
        @focus=${this.#begin}
        @input=${(event: Event) => this.#set((event.target as HTMLInputElement).value, true)}
        @click=${this.#click}
        @blur=${this.#leave}
      />
      ${keys === undefined ? nothing : html`<kbd aria-hidden="true">${keys}</kbd>`}
      <div class="search-hits" id=${`${id}-hits`} role="listbox" aria-label=${t.hits} ?hidden=${!isShown} @pointerdown=${keepFocus}>
        ${hits.map((hit, number) => this.#option(hit, number, option))}
      </div>
      ${isAnswered && !isShown ? html`<p class="search-hits search-nothing">${t.nothing}</p>` : nothing}
      ${this.#failure === undefined ? nothing : html`<p class="problem" lang="en">${this.#failure.message}</p>`}
      <p class="visually-hidden" role="status">${isAnswered ? (isShown ? t.found(hits.length) : t.nothing) : nothing}</p>
    </div>`;
  }

  #option(hit: Hit, number: number, content: (hit: Hit) => TemplateResult): TemplateResult {
    const { id, addressOf } = this.#settings;
    return html`<a
      class="search-hit"
      role="option"
      id=${`${id}-hit-${number}`}
      tabindex="-1"
      href=${addressOf(hit)}
      aria-selected=${number === this.#chosen}
      @click=${(event: Event) => this.#follow(event, hit)}
      >${content(hit)}</a
    >`;
  }

  #isAsked(): boolean {
    return (this.#wanted ?? '').trim() !== '';
  }

  #hits(): readonly Hit[] {
    return this.#isAsked() ? (this.#search?.(this.#wanted as string).slice(0, most) ?? []) : [];
  }

  readonly #begin = ({ target }: Event): void => {
    (target as HTMLInputElement).select();
    void this.#load();
  };

  /** A click begins a search as the key does that comes to the field. */
  readonly #click = ({ target }: Event): void => {
    if (this.#wanted === undefined) (target as HTMLInputElement).select();
    this.#set(this.#wanted, true);
  };

  #set(text: string | undefined, opens: boolean): void {
    this.#wanted = text;
    this.#chosen = 0;
    this.#isOpen = opens;
    change({});
  }

  #choose(number: number): void {
    const count = this.#hits().length;
    if (count === 0) return;
    this.#chosen = (number + count) % count;
    this.#isOpen = true;
    change({});
    document.getElementById(`${this.#settings.id}-hit-${this.#chosen}`)?.scrollIntoView({ block: 'nearest' });
  }

  /** Opens the chosen result, once the search is there. */
  async #open(field: Element): Promise<void> {
    const text = this.#wanted;
    await this.#load();
    const hit = this.#hits()[this.#chosen];
    if (hit === undefined || this.#wanted !== text || !field.isConnected) return;
    this.#set(undefined, false);
    const { take, addressOf } = this.#settings;
    if (take === undefined) location.assign(addressOf(hit));
    else take(hit);
  }

  /** A result is clicked: its link must not go while it is followed. */
  #follow(event: Event, hit: Hit): void {
    this.#wanted = undefined;
    this.#isOpen = false;
    const { take } = this.#settings;
    if (take === undefined) return;
    event.preventDefault();
    take(hit);
    change({});
  }

  readonly #useKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'ArrowDown') this.#choose(this.#isOpen ? this.#chosen + 1 : 0);
    else if (event.key === 'ArrowUp') this.#choose(this.#isOpen ? this.#chosen - 1 : -1);
    else if (event.key === 'Enter' && this.#isAsked()) void this.#open(event.target as Element);
    else if (event.key === 'Escape' && this.#wanted !== undefined) this.#set(undefined, false);
    else return;
    event.preventDefault();
  };

  /** The field may be left because the page goes: nothing is rendered while it does. */
  readonly #leave = (): void => {
    this.#isOpen = false;
    if (!this.#isAsked() || this.#settings.take !== undefined) this.#wanted = undefined;
    queueMicrotask(() => change({}));
  };
}

/** The field is not left by a click on a result. */
function keepFocus(event: Event): void {
  event.preventDefault();
}
