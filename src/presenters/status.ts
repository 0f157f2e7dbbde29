import type { Language, Text } from '../contract/text.js';
import { counted, type Forms, nouns } from '../domain/counted.js';
import { isRecord } from '../domain/record.js';
import { paintedAs, shownText, signed } from './cell.js';
import type { RenderOptions, View } from './render.js';
import { scalarText, valueAt } from './scalar.js';
import { displayWidth } from './width.js';
import { wrapWords } from './wrap-words.js';

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
    `${shownText('at', at, options)}${time}`,
  ];
  return paint.strong(parts.join(isAscii === true ? ' | ' : ' · '));
}

const noneRead: Text = { en: 'no company read yet', pt: 'nenhuma empresa consultada ainda' };

const brasilia = { en: 'Brasília time', pt: 'horário de Brasília' };

const figures: readonly Figure[] = [
  {
    field: 'due',
    title: { en: 'Due within 7 days', pt: 'Vencem em 7 dias' },
    say: (figure, options) => {
      const { en, pt } = counted(numberAt(figure, 'terms'), nounsHere.term);
      const day = shownText('nextDeadline', scalarText(figure['nextDeadline']), options);
      const until = day === '' ? none : { en: `, the next on ${day}`, pt: `, o próximo em ${day}` };
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
    en: ['failed item', 'failed items'],
    pt: ['item com falha', 'itens com falha'],
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
    ...(rest === undefined ? [] : wrapped(rest, options).map(paint.dim)),
    `${indent}${scalarText(figure['next'])}`,
  ];
}

const indent = '  ';

/** In lines of the terminal's width; those after the first are indented. */
function wrapped(text: string, { columns }: RenderOptions): readonly string[] {
  const begin = /^ */.exec(text)?.[0] ?? '';
  const [first = '', ...others] = wrapWords(
    text.trimStart().split(' '),
    columns - indent.length,
    displayWidth,
  );
  return [begin + first, ...others.map((line) => indent + line)];
}

const unknownWord = { en: 'unknown', pt: 'não se sabe' };
/** Figures of what this machine itself did: they are of now. */
const ofNow: ReadonlySet<string> = new Set(['jobs', 'usage']);

/** `as of 22/11/2026 07:10; unknown: Padaria Sol, Mercado Lua and 10 more`, in one line. */
function evidenceText(
  field: string,
  figure: Row,
  unknown: readonly Row[],
  options: RenderOptions,
): string | undefined {
  const { language, columns } = options;
  if (ofNow.has(field)) return undefined;
  const asOf = figure['asOf'];
  const source = sources[field === 'certificates' ? 'check' : 'sync'][language];
  const parts = asOf === null ? [] : [`${source} ${shownText('asOf', scalarText(asOf), options)}`];
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
  const value = row[field];
  return typeof value === 'number' ? value : 0;
}

function listOf(value: unknown, field: string): readonly Row[] {
  const list = valueAt(value, field);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
