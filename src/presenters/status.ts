import type { Language, Text } from '../contract/text.js';
import { counted, type Forms, nouns } from '../domain/counted.js';
import { isRecord } from '../domain/record.js';
import { beforeInWords } from '../domain/term-horizon.js';
import { paintedAs, shownText, signed } from './cell.js';
import type { RenderOptions, View } from './render.js';
import { scalarText, valueAt } from './scalar.js';
import { displayWidth, wrapWords } from './width.js';

type Row = Readonly<Record<string, unknown>>;

/** What one figure says: whether it needs a person, and in what words. */
interface Said {
  readonly isUrgent: boolean;
  readonly words: Text;
}

interface Figure {
  readonly field: string;
  readonly title: Text;
  readonly say: (figure: Row, options: RenderOptions) => Said;
}

/** For each figure what it says, what that rests on, and the next command, which has its line to itself to be copied. */
export const statusView: View = (data, options) => {
  const profiles = listOf(data, 'profiles');
  const at = scalarText(valueAt(data, 'at'));
  return profiles.flatMap((profile, index) => [
    ...(index === 0 ? [] : ['']),
    headLine(profile, at, options),
    ...figures.flatMap((figure) => figureLines(figure, profile, options)),
  ]);
};

function headLine(profile: Row, at: string, options: RenderOptions): string {
  const { language, paint, isUtc, isAscii } = options;
  const count = numberAt(profile, 'companies');
  // The account may have companies that this machine has not read.
  const companies = (count === 0 ? noneRead : counted(count, nouns.company))[language];
  const name = { en: 'profile', pt: 'perfil' }[language];
  const time = isUtc === true ? '' : ` (${brasilia[language]})`;
  const parts = [
    `${name} ${scalarText(profile['profile'])}`,
    companies,
    `${shownText({ name: 'at' }, at, options)}${time}`,
  ];
  return paint.strong(parts.join(isAscii === true ? ' | ' : ' · '));
}

const noneRead: Text = { en: 'no company read yet', pt: 'nenhuma empresa consultada ainda' };

const brasilia = { en: 'Brasília time', pt: 'horário de Brasília' };

const figures: readonly Figure[] = [
  {
    field: 'due',
    title: { en: 'Manifestations', pt: 'Manifestações' },
    say: (figure, options) => {
      const open = counted(numberAt(figure, 'terms.open'), nounsHere.due);
      const day = shownText({ name: 'nextDeadline' }, scalarText(valueAt(figure, 'terms.nextDeadline')), options);
      const next = day === '' ? none : { en: `, the next on ${day}`, pt: `, o próximo em ${day}` };
      const needs = ['open', 'lost', 'presumed', 'unknown', 'unreadable'];
      return urgent(
        needs.some((field) => numberAt(figure, `terms.${field}`) > 0),
        joined(open, among(figure, 'terms.open'), next, passed(figure), leftOut(figure)),
      );
    },
  },
  {
    field: 'newDocuments',
    title: { en: 'New since yesterday', pt: 'Novos desde ontem' },
    say: (figure) =>
      urgent(false, joined(counted(numberAt(figure, 'documents'), nouns.document), among(figure, 'documents'))),
  },
  {
    field: 'outstanding',
    title: { en: 'Files missing', pt: 'Arquivos que faltam' },
    say: (figure) => {
      const waiting = counted(numberAt(figure, 'summaries'), nounsHere.summary);
      const more = numberAt(figure, 'summaries') === 0 ? none : { en: `; ${waiting.en}`, pt: `; ${waiting.pt}` };
      return urgent(
        numberAt(figure, 'files') > 0,
        joined(counted(numberAt(figure, 'files'), nounsHere.file), among(figure, 'files'), more),
      );
    },
  },
  {
    field: 'months',
    title: { en: 'Months', pt: 'Meses' },
    say: (figure) => {
      const since = scalarText(figure['since']);
      const closed = counted(numberAt(figure, 'closed'), nounsHere.closed);
      const rest = listed(figure, [
        ['open', nounsHere.openMonth],
        ['broken', nounsHere.broken],
      ]);
      const more = rest.isUrgent ? { en: `, ${rest.words.en}`, pt: `, ${rest.words.pt}` } : none;
      return urgent(rest.isUrgent, joined(closed, more, { en: ` (since ${since})`, pt: ` (desde ${since})` }));
    },
  },
  {
    field: 'jobs',
    title: { en: 'Jobs', pt: 'Lotes' },
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
        ['ending', endingWithin(scalarText(figure['withinDays']))],
        ['missing', nounsHere.missing],
        ['other', nounsHere.other],
      ]),
  },
  {
    field: 'capture',
    title: { en: 'Capture', pt: 'Captura' },
    say: (figure) =>
      listed(figure, [
        ['failed', nounsHere.failedSync],
        ['behind', behindAfter(scalarText(figure['behindAfterHours']))],
        ['inactive', nounsHere.inactive],
        ['unclear', nounsHere.unclear],
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
  due: { en: ['term due', 'terms due'], pt: ['prazo a vencer', 'prazos a vencer'] },
  lost: { en: ['term lost', 'terms lost'], pt: ['fora do prazo', 'fora do prazo'] },
  passed: {
    en: ['# passed, and unknown whether with an event', '# passed, and unknown whether with an event'],
    pt: ['# vencido, sem saber se com evento', '# vencidos, sem saber se com evento'],
  },
  summary: {
    en: ['summary waits for its full XML', 'summaries wait for their full XML'],
    pt: ['resumo aguarda o XML completo', 'resumos aguardam o XML completo'],
  },
  closed: { en: ['closed', 'closed'], pt: ['fechado', 'fechados'] },
  openMonth: { en: ['open', 'open'], pt: ['em aberto', 'em aberto'] },
  broken: {
    en: ['closed and no longer proven', 'closed and no longer proven'],
    pt: ['fechado e não mais provado', 'fechados e não mais provados'],
  },
  other: {
    en: ['company with one of another CNPJ', 'companies with one of another CNPJ'],
    pt: ['empresa com certificado de outro CNPJ', 'empresas com certificado de outro CNPJ'],
  },
  failedSync: {
    en: ['company whose last sync failed', 'companies whose last sync failed'],
    pt: ['empresa cuja última sincronização falhou', 'empresas cuja última sincronização falhou'],
  },
  unclear: {
    en: ['company of which it is unknown whether it is on', 'companies of which it is unknown whether it is on'],
    pt: ['empresa que não se sabe se está ligada', 'empresas que não se sabe se estão ligadas'],
  },
  file: { en: ['document or event', 'documents or events'], pt: ['documento ou evento', 'documentos ou eventos'] },
  uncertain: {
    en: ['uncertain item', 'uncertain items'],
    pt: ['item sem confirmação do serviço', 'itens sem confirmação do serviço'],
  },
  failed: { en: ['failed item', 'failed items'], pt: ['item com falha', 'itens com falha'] },
  unfinished: { en: ['unfinished job', 'unfinished jobs'], pt: ['lote por terminar', 'lotes por terminar'] },
  expired: { en: ['expired', 'expired'], pt: ['vencido', 'vencidos'] },
  missing: {
    en: ['company without one', 'companies without one'],
    pt: ['empresa sem certificado', 'empresas sem certificado'],
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

function endingWithin(days: string): Forms {
  return {
    en: [`expires within ${days} days`, `expire within ${days} days`],
    pt: [`vence em ${days} dias`, `vencem em ${days} dias`],
  };
}

function behindAfter(hours: string): Forms {
  return {
    en: [`company not synced for ${hours} hours`, `companies not synced for ${hours} hours`],
    pt: [`empresa sem sincronizar há ${hours} horas`, `empresas sem sincronizar há ${hours} horas`],
  };
}

function urgent(isUrgent: boolean, words: Text): Said {
  return { isUrgent, words };
}

function joined(...parts: readonly Text[]): Text {
  return { en: parts.map(({ en }) => en).join(''), pt: parts.map(({ pt }) => pt).join('') };
}

/** ` at 3 companies`, where any has this count. */
function among(figure: Row, field: string): Text {
  const count = listOf(figure, 'byCompany').filter((row) => numberAt(row, field) > 0).length;
  if (count === 0) return none;
  const { en, pt } = counted(count, nouns.company);
  return { en: ` at ${en}`, pt: ` em ${pt}` };
}

/** `; 113 terms lost since 2026-10-01, and 19 before`. */
function passed(figure: Row): Text {
  const lost = numberAt(figure, 'terms.lost') + numberAt(figure, 'terms.presumed');
  const [unknown, earlier] = [numberAt(figure, 'terms.unknown'), numberAt(figure, 'terms.earlier')];
  const [first, last] = ['since', 'until'].map((field) => scalarText(figure[field]));
  const { en, pt } = counted(lost, nounsHere.lost);
  const before = beforeInWords({ first: first ?? '', last: last ?? '' });
  const doubtful = counted(unknown, nounsHere.passed);
  return joined(
    lost === 0 ? none : { en: `; ${en}`, pt: `; ${pt}` },
    unknown === 0 ? none : { en: `; ${doubtful.en}`, pt: `; ${doubtful.pt}` },
    earlier === 0 ? none : { en: `; ${earlier} more ${before.en}`, pt: `; mais ${earlier} ${before.pt}` },
  );
}

function leftOut(figure: Row): Text {
  const count = numberAt(figure, 'terms.unreadable');
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
  const { language, paint } = options;
  const figure = profile[field];
  if (!isRecord(figure)) return [];
  const { isUrgent, words } = say(figure, options);
  const unknown = listOf(figure, 'unknown').filter(({ reason }) => reason !== 'not_captured');
  const isUnknown = figure['asOf'] === null && !isUrgent;
  const text = `${title[language]}: ${isUnknown ? unknownWord[language] : words[language]}`;
  const isDoubtful = !isUrgent && (unknown.length > 0 || isUnknown);
  const tone = isUrgent ? 'warn' : 'good';
  const said = isDoubtful ? wrapped(`? ${text}`, options) : wrapped(signed(text, tone, options), options);
  const look = isDoubtful ? paint.dim : paintedAs(tone, options);
  const rest = evidenceText(field, figure, unknown, options);
  return [
    ...said.map(look),
    ...failedLines(figure, options),
    ...(rest === undefined ? [] : wrapped(rest, options).map(paint.dim)),
    `${indent}${scalarText(figure['next'])}`,
  ];
}

/** Why the newest of the failed syncs failed. */
function failedLines(figure: Row, options: RenderOptions): readonly string[] {
  const [newest] = listOf(figure, 'byCompany')
    .filter(({ failedAt }) => typeof failedAt === 'string')
    .toSorted((one, other) => (scalarText(one['failedAt']) > scalarText(other['failedAt']) ? -1 : 1));
  if (newest === undefined) return [];
  const { language } = options;
  const name = scalarText(newest['companyName'] ?? newest['companyId']);
  const at = shownText({ name: 'failedAt' }, scalarText(newest['failedAt']), options);
  const why = scalarText(valueAt(newest, `error.${language}`));
  return wrapped(`${indent}${name} (${scalarText(newest['family'])}) ${at}: ${why}`, options);
}

const indent = '  ';

/** In lines of the terminal's width; those after the first are indented. */
function wrapped(text: string, { columns }: RenderOptions): readonly string[] {
  const begin = /^ */.exec(text)?.[0] ?? '';
  const [first = '', ...others] = wrapWords(text.trimStart().split(' '), columns - indent.length, displayWidth);
  return [begin + first, ...others.map((line) => indent + line)];
}

const unknownWord = { en: 'unknown', pt: 'não se sabe' };
/** Figures of what this machine itself did: they are of now. */
const ofNow: ReadonlySet<string> = new Set(['jobs', 'usage']);

/** `as of 22/11/2026 07:10; unknown: Padaria Sol, Mercado Lua and 10 more`, in one line. */
function evidenceText(field: string, figure: Row, unknown: readonly Row[], options: RenderOptions): string | undefined {
  const { language, columns } = options;
  if (ofNow.has(field)) return undefined;
  const asOf = figure['asOf'];
  const source = sources[field === 'certificates' ? 'check' : 'sync'][language];
  const parts = asOf === null ? [] : [`${source} ${shownText({ name: 'asOf' }, scalarText(asOf), options)}`];
  if (unknown.length > 0) {
    const head = { en: 'unknown: ', pt: 'não se sabe de ' }[language];
    const before = [...parts, head].join('; ');
    parts.push(head + namesWithin(unknown, columns - indent.length - displayWidth(before), language));
  }
  return parts.length === 0 ? undefined : `${indent}${parts.join('; ')}`;
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

function numberAt(row: Row, field: string): number {
  const value = valueAt(row, field);
  return typeof value === 'number' ? value : 0;
}

function listOf(value: unknown, field: string): readonly Row[] {
  const list = valueAt(value, field);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
