// Where a file is opened: a field for files, the samples, and what is seen while a file is dragged over the page.
import { html, nothing, type TemplateResult } from 'lit-html';
import './open-card.css';

export interface OpenCard {
  /** The id of the field for files. */
  readonly id: string;
  readonly texts: { readonly choose: string; readonly orDrop: string; readonly drop: string; readonly samples: string };
  /** The types of files that the field is for; otherwise .onnx files, or any with `isMultiple`. */
  readonly accept?: string;
  /** Whether a model may come with files beside it. */
  readonly isMultiple?: boolean;
  readonly open: (files: readonly File[]) => void;
  /** Other ways to open something. */
  readonly more?: TemplateResult;
  readonly samples: readonly { readonly name: string; readonly label: string; readonly open: () => void }[];
}

export function openCard({
  id,
  texts: t,
  isMultiple = false,
  accept = isMultiple ? '' : '.onnx,application/octet-stream',
  open,
  more,
  samples,
}: OpenCard): TemplateResult {
  const choose = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    open([...(input.files ?? [])]);
    input.value = ''; // the same file can be chosen again
  };
  return html`<div class="models-open card">
      <p>
        <label class="button models-choose">
          ${t.choose}
          <input
            id=${id}
            class="visually-hidden"
            type="file"
            ?multiple=${isMultiple}
            accept=${accept}
            @change=${choose}
          />
        </label>
        ${t.orDrop}
      </p>
      ${more ?? nothing}
      <p id="models-samples">${t.samples}</p>
      <ul class="models-samples" role="list" aria-labelledby="models-samples">
        ${samples.map(
          ({ name, label, open: openSample }) => html`<li>
            <button class="button quiet" type="button" data-sample=${name} @click=${openSample}>${label}</button>
          </li>`,
        )}
      </ul>
    </div>
    <div class="models-drop" aria-hidden="true"><p>${t.drop}</p></div>`;
}
