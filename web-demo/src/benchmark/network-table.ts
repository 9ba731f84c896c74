// The results of networks, as one table.
import { html, nothing, type TemplateResult } from 'lit-html';
import { benchmarkTexts } from '../texts/benchmark.js';
import type { Language } from '../texts/texts.js';
import type { NetworkRow } from './network-contenders.js';
import { numberText } from './results.js';
import type { Benchmark } from './run.js';

type Texts = (typeof benchmarkTexts)[Language];

const milliseconds = (nanoseconds: number): string => numberText(nanoseconds / 1e6);

function peerCells({ operations, onnxruntime: peer }: NetworkRow, t: Texts): TemplateResult {
  if (peer === undefined) return html`<td colspan="3"></td>`;
  if ('failure' in peer) {
    return html`<td class="benchmark-problem" colspan="3">${t.couldNotRun} <span lang="en">${peer.failure}</span></td>`;
  }
  if ('difference' in peer) {
    return html`<td class="benchmark-problem" colspan="3">${t.apart(peer.difference.toExponential(1))}</td>`;
  }
  return html`<td>${milliseconds(peer.time)}</td>
    <td>${numberText(operations / peer.time)}</td>
    <td><b>${numberText(peer.slower)}</b></td>`;
}

export function networkResults({ networkRows: rows }: Benchmark, language: Language): TemplateResult | typeof nothing {
  const t = benchmarkTexts[language];
  if (rows.length === 0) return nothing;
  const hasPeer = rows.some(({ onnxruntime }) => onnxruntime !== undefined);
  const { names } = t.chart;
  return html`<section class="card benchmark-networks">
    <h3>${t.networkTable}</h3>
    <div class="scroll-x" tabindex="0" role="region" aria-label=${t.tableLabel(t.networkTable)}>
      <table class="benchmark-table">
        <thead>
          <tr>
            <th scope="col" rowspan="2">${t.networkColumn}</th>
            <th scope="colgroup" colspan="2">${names.broadloom}</th>
            ${hasPeer ? html`<th scope="colgroup" colspan="3">${names.onnxruntime}</th>` : nothing}
          </tr>
          <tr>
            <th scope="col">${t.timeColumn}</th>
            <th scope="col">${t.rateColumn}</th>
            ${
              hasPeer
                ? html`<th scope="col">${t.timeColumn}</th>
                    <th scope="col">${t.rateColumn}</th>
                    <th scope="col">${t.factorColumn}</th>`
                : nothing
            }
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) => html`<tr data-network=${row.network}>
              <th scope="row">${t.networkNames[row.network]}</th>
              <td>${milliseconds(row.time)}</td>
              <td>${numberText(row.operations / row.time)}</td>
              ${hasPeer ? peerCells(row, t) : nothing}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}
