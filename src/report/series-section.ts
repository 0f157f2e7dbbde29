import type { Text } from '../contract/text.js';
import { typeNames } from './direction-words.js';
import type { ReportFacts, SerieFacts } from './facts.js';
import { type Html, html, nothing, type Words } from './markup.js';

/** The numbers of each serie, and those that are missing with the command that disables them. */
export function seriesSection({ close }: ReportFacts, words: Words): Html {
  const { series, coverage } = close.issued;
  if (coverage.length === 0) return nothing;
  const rows = series.map((serie) => serieRow(serie, words));
  const missing = series.flatMap(({ family, serie, ranges }) =>
    ranges.map(
      ({ first, last, disable }) =>
        html`<tr><th scope="row">${typeNames[family]}, ${words.say(texts.serie)} ${String(serie)}</th><td class="number">${first === last ? String(first) : `${first}–${last}`}</td><td><pre><code>${disable}</code></pre></td></tr>`,
    ),
  );
  return html`<section aria-labelledby="series"><h2 id="series">${words.say(texts.title)}</h2><p class="note">${words.say(texts.note)}</p>
${
  rows.length === 0
    ? html`<p>${words.say(texts.none)}</p>`
    : html`<div class="scroll" tabindex="0" role="group" aria-labelledby="series"><table><thead><tr><th scope="col">${words.say(texts.serie)}</th><th scope="col" class="number">${words.say(texts.numbers)}</th><th scope="col" class="number">${words.say(texts.used)}</th><th scope="col" class="number">${words.say(texts.disabled)}</th><th scope="col" class="number">${words.say(texts.declared)}</th><th scope="col" class="number">${words.say(texts.missing)}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
${
  missing.length === 0
    ? nothing
    : html`<h3>${words.say(texts.missingTitle)}</h3><p class="note">${words.say(texts.missingNote)}</p><div class="scroll" tabindex="0" role="group" aria-labelledby="series"><table><thead><tr><th scope="col">${words.say(texts.serie)}</th><th scope="col" class="number">${words.say(texts.numbers)}</th><th scope="col">${words.say(texts.disable)}</th></tr></thead><tbody>${missing}</tbody></table></div>`
}</section>`;
}

function serieRow(row: SerieFacts, words: Words): Html {
  const { family, serie, first, last, used, disabled, declared, missing } = row;
  const counts = [used, disabled, declared, missing].map(
    (count) => html`<td class="number">${words.count(count)}</td>`,
  );
  return html`<tr><th scope="row">${typeNames[family]}, ${words.say(texts.serie)} ${String(serie)}</th><td class="number">${String(first)}–${String(last)}</td>${counts}</tr>`;
}

const texts = {
  title: { en: 'Numbers of each serie', pt: 'Numeração das séries' },
  note: {
    en: 'From behind the last number of an earlier month to the last one of this month. Cancelled and denied invoices use their number.',
    pt: 'Do número seguinte ao último de um mês anterior até o último deste mês. Notas canceladas e denegadas usam o seu número.',
  },
  none: { en: 'No NF-e or NFC-e of the month has a number.', pt: 'Nenhuma NF-e ou NFC-e do mês tem número.' },
  serie: { en: 'serie', pt: 'série' },
  numbers: { en: 'Numbers', pt: 'Números' },
  used: { en: 'Used', pt: 'Usados' },
  disabled: { en: 'Disabled', pt: 'Inutilizados' },
  declared: { en: 'Declared as disabled', pt: 'Declarados como inutilizados' },
  missing: { en: 'Missing', pt: 'Faltam' },
  missingTitle: { en: 'Missing numbers', pt: 'Números que faltam' },
  missingNote: {
    en: 'Another program may have issued or disabled them. A number that nobody used is disabled:',
    pt: 'Outro sistema pode tê-los emitido ou inutilizado. Um número que ninguém usou é inutilizado:',
  },
  disable: { en: 'To disable it', pt: 'Para inutilizar' },
} as const satisfies Readonly<Record<string, Text>>;
