import type { Language, Text } from '../contract/text.js';
import { counted, type Forms, nouns } from '../domain/counted.js';
import { isRecord } from '../domain/record.js';
import type { RenderOptions, View } from './render.js';
import { scalarText, valueAt } from './scalar.js';
import { displayWidth, fit } from './width.js';

type Row = Readonly<Record<string, unknown>>;

/** What one figure says: whether it needs a person, and in what words. */
interface Said {
  readonly isUrgent: boolean;
  readonly words: Text;
}

interface Figure {
  readonly field: string;
  readonly title: Text;
  readonly say: (figure: Row) => Said;
}

/** Three lines per figure: what it says, what that rests on, and the next command. */
export const statusView: View = (data, options) => {
  const profiles = listOf(data, 'profiles');
  const at = scalarText(valueAt(data, 'at'));
  return profiles.flatMap((profile, index) => [
    ...(index === 0 ? [] : ['']),
    headLine(profile, at, options),
    ...figures.flatMap((figure) => figureLines(figure, profile, options)),
  ]);
};

function headLine(profile: Row, at: string, { language, columns, paint }: RenderOptions): string {
  const companies = counted(numberAt(profile, 'companies'), nouns.company)[language];
  const name = { en: 'profile', pt: 'perfil' }[language];
  const line = `${name} ${scalarText(profile['profile'])} · ${companies} · ${momentOf(at, language)} (${brasilia[language]})`;
  return paint.strong(fit(line, columns));
}

const brasilia = { en: 'Brasília time', pt: 'horário de Brasília' };

const figures: readonly Figure[] = [
  {
    field: 'due',
    title: { en: 'Due within 7 days', pt: 'Vencem em 7 dias' },
    say: (figure) => {
      const { en, pt } = counted(numberAt(figure, 'terms'), nounsHere.term);
      const day = scalarText(figure['nextDeadline']);
      const until =
        day === '' ? none : { en: `, the next on ${day}`, pt: `, o próximo em ${dayIn(day, 'pt')}` };
      return urgent(
        numberAt(figure, 'terms') + numberAt(figure, 'unreadable') > 0,
        joined({ en, pt }, among(figure), until, leftOut(figure)),
      );
    },
  },
  {
    field: 'newDocuments',
    title: { en: 'New since yesterday', pt: 'Novos desde ontem' },
    say: (figure) =>
      urgent(false, joined(counted(numberAt(figure, 'documents'), nouns.document), among(figure))),
  },
  {
    field: 'outstanding',
    title: { en: 'Files missing', pt: 'Arquivos que faltam' },
    say: (figure) =>
      urgent(
        numberAt(figure, 'files') > 0,
        joined(counted(numberAt(figure, 'files'), nounsHere.file), among(figure)),
      ),
  },
  {
    field: 'jobs',
    title: { en: 'Jobs', pt: 'Trabalhos' },
    say: (figure) =>
      listed(figure, [
        ['uncertain', nounsHere.uncertain],
        ['failed', nounsHere.failed],
        ['unfinished', nounsHere.unfinished],
      ]),
  },
  {
    field: 'certificates',
    title: { en: 'Certificates', pt: 'Certificados' },
    say: (figure) =>
      listed(figure, [
        ['expired', nounsHere.expired],
        ['ending', nounsHere.ending],
        ['missing', nounsHere.missing],
      ]),
  },
  {
    field: 'capture',
    title: { en: 'Capture', pt: 'Captura' },
    say: (figure) =>
      listed(figure, [
        ['behind', nounsHere.behind],
        ['inactive', nounsHere.inactive],
      ]),
  },
  {
    field: 'usage',
    title: { en: 'Billed this month by this machine', pt: 'Cobradas no mês por esta máquina' },
    say: (figure) => {
      const unknown = numberAt(figure, 'unknown');
      const billed = counted(numberAt(figure, 'billed'), nouns.billedCall);
      const more = counted(unknown, nounsHere.perhaps);
      return urgent(false, joined(billed, unknown === 0 ? none : { en: `, ${more.en}`, pt: `, ${more.pt}` }));
    },
  },
];

const none: Text = { en: '', pt: '' };

const nounsHere = {
  term: { en: ['term', 'terms'], pt: ['prazo', 'prazos'] },
  file: {
    en: ['document or event', 'documents or events'],
    pt: ['documento ou evento', 'documentos ou eventos'],
  },
  uncertain: { en: ['uncertain item', 'uncertain items'], pt: ['item incerto', 'itens incertos'] },
  failed: {
    en: ['failed item in 7 days', 'failed items in 7 days'],
    pt: ['item com falha em 7 dias', 'itens com falha em 7 dias'],
  },
  unfinished: {
    en: ['unfinished job', 'unfinished jobs'],
    pt: ['trabalho por terminar', 'trabalhos por terminar'],
  },
  expired: { en: ['expired', 'expired'], pt: ['vencido', 'vencidos'] },
  ending: {
    en: ['expires within 30 days', 'expire within 30 days'],
    pt: ['vence em 30 dias', 'vencem em 30 dias'],
  },
  missing: {
    en: ['company without one', 'companies without one'],
    pt: ['empresa sem certificado', 'empresas sem certificado'],
  },
  behind: {
    en: ['company not synced for 24 hours', 'companies not synced for 24 hours'],
    pt: ['empresa sem sincronizar há 24 horas', 'empresas sem sincronizar há 24 horas'],
  },
  inactive: {
    en: ['company switched off', 'companies switched off'],
    pt: ['empresa desligada', 'empresas desligadas'],
  },
  unreadable: {
    en: ['document left out: unreadable', 'documents left out: unreadable'],
    pt: ['documento de fora: ilegível', 'documentos de fora: ilegíveis'],
  },
  perhaps: { en: ['without an answer', 'without an answer'], pt: ['sem resposta', 'sem resposta'] },
} as const satisfies Readonly<Record<string, Forms>>;

function urgent(isUrgent: boolean, words: Text): Said {
  return { isUrgent, words };
}

function joined(...parts: readonly Text[]): Text {
  return { en: parts.map(({ en }) => en).join(''), pt: parts.map(({ pt }) => pt).join('') };
}

/** ` at 3 companies`, where there are any. */
function among(figure: Row): Text {
  const count = listOf(figure, 'byCompany').length;
  if (count === 0) return none;
  const { en, pt } = counted(count, nouns.company);
  return { en: ` at ${en}`, pt: ` em ${pt}` };
}

function leftOut(figure: Row): Text {
  const count = numberAt(figure, 'unreadable');
  const { en, pt } = counted(count, nounsHere.unreadable);
  return count === 0 ? none : { en: `; ${en}`, pt: `; ${pt}` };
}

/** The counts that are not 0, or that there is nothing. */
function listed(figure: Row, counts: readonly (readonly [field: string, forms: Forms])[]): Said {
  const found = counts.flatMap(([field, forms]) => {
    const count = numberAt(figure, field);
    return count === 0 ? [] : [counted(count, forms)];
  });
  if (found.length === 0) return { isUrgent: false, words: { en: 'nothing to do', pt: 'nada a fazer' } };
  return {
    isUrgent: true,
    words: { en: found.map(({ en }) => en).join(', '), pt: found.map(({ pt }) => pt).join(', ') },
  };
}

/** The words of a figure that rests on nothing would be a claim, so it is unknown. */
function figureLines({ field, title, say }: Figure, profile: Row, options: RenderOptions): readonly string[] {
  const { language, columns, paint } = options;
  const figure = profile[field];
  if (!isRecord(figure)) return [];
  const { isUrgent, words } = say(figure);
  const unknown = listOf(figure, 'unknown').filter(({ reason }) => reason !== 'not_captured');
  const isUnknown = figure['asOf'] === null && !isUrgent;
  const quiet = unknown.length > 0 || isUnknown ? '?' : '✓';
  const sign = isUrgent ? '!' : quiet;
  const said = isUnknown ? unknownWord[language] : words[language];
  const line = fit(`${sign} ${title[language]}: ${said}`, columns);
  const look = { '!': paint.warn, '?': paint.dim, '✓': paint.good }[sign] ?? paint.dim;
  const rest = evidenceText(field, figure, unknown, options);
  return [look(line), ...(rest === undefined ? [] : [paint.dim(rest)]), `  → ${scalarText(figure['next'])}`];
}

const unknownWord = { en: 'unknown', pt: 'não se sabe' };
/** Figures of what this machine itself did: they are of now. */
const ofNow: ReadonlySet<string> = new Set(['jobs', 'usage']);

/** `as of 22/11/2026 07:10; unknown: Padaria Sol, Mercado Lua and 10 more`, in one line. */
function evidenceText(
  field: string,
  figure: Row,
  unknown: readonly Row[],
  { language, columns }: RenderOptions,
): string | undefined {
  if (ofNow.has(field)) return undefined;
  const asOf = figure['asOf'];
  const source = sources[field === 'certificates' ? 'check' : 'sync'][language];
  const parts = asOf === null ? [] : [`${source} ${momentOf(scalarText(asOf), language)}`];
  if (unknown.length > 0) {
    const head = `${{ en: 'unknown', pt: 'não se sabe de' }[language]}${language === 'en' ? ': ' : ' '}`;
    const before = ['  ', ...parts, ''].join(parts.length === 0 ? '' : '; ').replace('  ; ', '  ');
    parts.push(head + namesWithin(unknown, columns - displayWidth(before) - head.length, language));
  }
  return parts.length === 0 ? undefined : fit(`  ${parts.join('; ')}`, columns);
}

const sources = {
  sync: { en: 'as of the sync of', pt: 'da sincronização de' },
  check: { en: 'as of the check of', pt: 'da verificação de' },
} as const;

/** As many names as there is room for, and the number of the others. */
function namesWithin(companies: readonly Row[], room: number, language: Language): string {
  const names = companies.map((row) => scalarText(row['companyName'] ?? row['companyId']));
  const text = (count: number): string => {
    const left = names.length - count;
    const more = { en: `and ${left} more`, pt: `e mais ${left}` }[language];
    if (count === 0) return counted(names.length, nouns.company)[language];
    return left === 0 ? names.join(', ') : `${names.slice(0, count).join(', ')} ${more}`;
  };
  let count = Math.min(names.length, 10);
  while (count > 0 && displayWidth(text(count)) > room) count -= 1;
  return text(count);
}

const BRASILIA_MS = -3 * 3_600_000;

/** `22/11/2026 07:10` in Portuguese, `2026-11-22 07:10` in English; Brasília. */
function momentOf(iso: string, language: Language): string {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return iso;
  const [day = '', time = ''] = new Date(ms + BRASILIA_MS).toISOString().split('T');
  return `${dayIn(day, language)} ${time.slice(0, 5)}`;
}

function dayIn(day: string, language: Language): string {
  return language === 'pt' ? day.split('-').toReversed().join('/') : day;
}

function numberAt(row: Row, field: string): number {
  const value = row[field];
  return typeof value === 'number' ? value : 0;
}

function listOf(value: unknown, field: string): readonly Row[] {
  const list = valueAt(value, field);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
