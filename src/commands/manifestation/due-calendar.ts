import { resolve } from 'node:path';
import type { Language, Text } from '../../contract/text.js';
import { deadlineWarnings } from '../../domain/deadline.js';
import { eventsOfClass } from '../../domain/deadline-rules.js';
import { addDays } from '../../domain/brasilia-day.js';
import { calendarText, type CalendarEntry } from '../../domain/ics.js';
import type { Context } from '../../services/context.js';
import { replaceFile } from '../../services/write-file.js';
import type { OpenTerm } from '../../services/open-terms.js';

const classWords: Readonly<Record<OpenTerm['eventClass'], Text>> = {
  awareness: { en: 'Ciência', pt: 'Ciência' },
  conclusive: { en: 'Conclusive event', pt: 'Evento conclusivo' },
  taker: { en: 'Taker’s event', pt: 'Evento do tomador' },
};

/** Writes the list as a calendar, one entry per document and class; replaced as a whole. */
export async function writeCalendar(
  context: Context,
  rows: readonly OpenTerm[],
  target: { readonly out: string; readonly language: Language },
): Promise<void> {
  const { out, language } = target;
  const name = { en: 'Manifestations due', pt: 'Manifestações a vencer' }[language];
  const due = rows.filter(({ state }) => state !== 'cancelled');
  const entries = due.map((row) => entryOf(row, language));
  const path = resolve(context.cwd, out);
  const text = calendarText(name, entries, context.clock.now());
  await replaceFile(path, text, `${path}.${context.random.uuid()}.tmp`);
}

function entryOf(row: OpenTerm, language: Language): CalendarEntry {
  const { accessKey, eventClass, events, deadline, supplier, amount, rule, source, warnings = [] } = row;
  const words = { en: ['Supplier', 'Amount', 'Term'], pt: ['Fornecedor', 'Valor', 'Prazo'] }[language];
  const [supplierWord = '', amountWord = '', termWord = ''] = words;
  const isWhole = events.length === eventsOfClass(eventClass).length;
  const type = accessKey.length === 44 ? 'NF-e' : 'NFS-e';
  const description = [
    accessKey,
    `${supplierWord}: ${supplier}`,
    ...(amount === undefined ? [] : [`${amountWord}: ${amount}`]),
    `${termWord}: ${rule} (${source})`,
    ...warnings.map((warning) => deadlineWarnings[warning][language]),
  ];
  return {
    uid: `${accessKey}-${isWhole ? eventClass : events.join('-')}@fiscal`,
    day: deadline,
    nextDay: addDays(deadline, 1),
    summary: `${classWords[eventClass][language]}: ${type} ${supplier}`,
    description: description.join('\n'),
  };
}
