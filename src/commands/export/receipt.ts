import { version } from '../../domain/version.js';
import type { Language, Text } from '../../contract/text.js';
import { counted, type Forms, nouns } from '../../domain/counted.js';
import type { Direction } from '../../domain/direction.js';
import type { CloseFacts, DocumentType } from '../../report/facts.js';
import { shownTaxNumber } from '../../report/figures.js';
import { visible, Words } from '../../report/markup.js';
import { reportTitles, typeNames, typesOf } from '../../report/direction-words.js';
import { verdicts } from '../../report/verdict-section.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { type MonthContents, type PackedFile, type PdfReason, pdfReasons } from './contents.js';
import type { Handover } from './handovers.js';

/** Which package of a company and month this is. */
export interface PackageMark {
  readonly month: string;
  readonly companyId: string;
  readonly direction: Direction;
  /** Of a package with what is new; null: the whole month. */
  readonly number: number | null;
}

export interface ReceiptFacts extends PackageMark, Pick<MonthContents, 'withoutFile'> {
  readonly company: AccountCompany;
  readonly close: CloseFacts;
  readonly files: readonly PackedFile[];
  /** Files of the month that earlier packages have. */
  readonly earlierFiles: number;
  /** The package before this one. */
  readonly follows: Handover | undefined;
  /** Of the list of hashes. */
  readonly sumsSha256: string;
  /** The names of the report and of the list of hashes in the package. */
  readonly names: { readonly report: string; readonly sums: string };
}

interface Counts {
  readonly documents: number;
  readonly summaries: number;
  readonly events: number;
  readonly pdfs: number;
  readonly bytes: number;
}

/** How the receipt of a package begins, by which its zip is known. */
export function markText(mark: PackageMark): string {
  const text = JSON.stringify(markOf(mark), null, 2);
  return text.slice(0, -'\n}'.length);
}

/** Packages of received documents do not name their direction. */
function markOf({ month, companyId, direction, number }: PackageMark) {
  const side = direction === 'issued' ? { direction } : {};
  return { type: 'fiscal-package', month, ...side, companyId, number };
}

/** The counts of a package by type, and those of all types. */
export function countsOf(files: readonly PackedFile[]) {
  const families = [...new Set(files.map(({ family }) => family))].sort();
  const byType = families.map((family) => [family, sumOf(files.filter((file) => file.family === family))]);
  const types: Readonly<Partial<Record<DocumentType, Counts>>> = Object.fromEntries(byType);
  return { types, total: sumOf(files) };
}

function sumOf(files: readonly PackedFile[]): Counts {
  const of = (kind: PackedFile['kind']) => files.filter((file) => file.kind === kind);
  const documents = of('document');
  return {
    documents: documents.length,
    summaries: documents.filter(({ isSummary }) => isSummary === true).length,
    events: of('event').length,
    pdfs: of('pdf').length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The receipt as data, the same in every language. It begins with `markText`. */
export function receiptJson(facts: ReceiptFacts): string {
  const { company, close, follows, files, earlierFiles, withoutFile } = facts;
  const { types, total } = countsOf(files);
  const receipt = {
    ...markOf(facts),
    ...{ companyName: company.name ?? null, companyTaxNumber: company.taxNumber ?? null },
    ...{ verdict: close.verdict, closedAt: close.closedAt ?? null },
    gaps: close.gaps.reduce((sum, { count }) => sum + count, 0),
    sinceClose: close.since,
    follows: follows === undefined ? null : { number: follows.number, sha256: follows.sha256 },
    ...{ types, total, earlierFiles, withoutFile, withoutPdf: pdfCounts(files) },
    manifest: close.manifest ?? null,
    sums: { file: facts.names.sums, sha256: facts.sumsSha256 },
    version: version,
  };
  return `${JSON.stringify(receipt, null, 2)}\n`;
}

function pdfCounts(files: readonly PackedFile[]): Readonly<Record<PdfReason, number>> {
  const counts = { notRequested: 0, outstanding: 0, notAtService: 0, unknown: 0 };
  for (const { withoutPdf } of files) if (withoutPdf !== undefined) counts[withoutPdf] += 1;
  return counts;
}

/** The receipt for people. It claims no more than the close. */
export function receiptText(facts: ReceiptFacts, language: Language): string {
  const words = new Words(language);
  const say = (text: Text): string => words.say(text);
  const { company, month, direction, close, names } = facts;
  const name = visible(company.name ?? company.id);
  const number = company.taxNumber === undefined ? '' : ` (CNPJ ${shownTaxNumber(company.taxNumber)})`;
  const lines = [
    say(texts.title),
    '',
    `${say(texts.company)}: ${name}${number}`,
    `${say(texts.month)}: ${words.month(month)}`,
    ...(direction === 'issued' ? [say(reportTitles.issued)] : []),
    ...numberLines(facts, words),
    '',
    ...verdictLines(facts, words),
    '',
    ...contentLines(facts, words),
    '',
    say(texts.check),
    `  sha256sum -c ${names.sums}`,
    ...(close.manifest === undefined ? [] : [`  fiscal inbound verify --manifest ${close.manifest.path}`]),
    say(close.manifest === undefined ? texts.sumsNote : texts.bothNote),
    '',
    ...(close.manifest === undefined ? [] : [`${say(texts.manifestHash)}: ${close.manifest.sha256}`]),
    `${say(texts.sumsHash)} ${names.sums}: ${facts.sumsSha256}`,
    `fiscal ${version}`,
  ];
  return `${lines.join('\n')}\n`;
}

function numberLines({ number, follows, earlierFiles }: ReceiptFacts, words: Words): readonly string[] {
  if (number === null) return [words.say(texts.whole)];
  if (follows === undefined) return [`${words.say(texts.number)}: ${number}`, words.say(texts.first)];
  const earlier = words.say(counted(earlierFiles, forms.earlier));
  return [
    `${words.say(texts.number)}: ${number}`,
    `${words.say(texts.follows)} ${follows.number} (SHA-256 ${follows.sha256}). ${earlier}`,
  ];
}

function verdictLines({ close, direction }: ReceiptFacts, words: Words): readonly string[] {
  const isProvenIssued = direction === 'issued' && close.verdict === 'complete';
  const gaps = close.gaps.map(({ count, what }) => `  ${count}: ${words.say(what)}`);
  const { added, changed, unknown } = close.since;
  const differs = close.manifest !== undefined && added + changed + unknown > 0;
  return [
    `${words.say(texts.verdict)}: ${words.say(verdicts[close.verdict].title)}`,
    `  ${words.say(isProvenIssued ? completeIssued : meanings[close.verdict])}`,
    ...close.reasons.map((reason) => `  - ${visible(words.say(reason))}`),
    ...gaps,
    ...(close.closedAt === undefined
      ? []
      : [`${words.say(texts.closedAt)}: ${words.moment(close.closedAt)} (${words.say(texts.brasilia)})`]),
    ...(differs ? [words.say(texts.differs)] : []),
  ];
}

function contentLines({ direction, files, withoutFile }: ReceiptFacts, words: Words): readonly string[] {
  const { types, total } = countsOf(files);
  const rows = typesOf[direction].toSorted().flatMap((family) => {
    const counts = types[family];
    return counts === undefined ? [] : [`  ${typeNames[family]}: ${countsText(counts, words)}`];
  });
  const pdfs = pdfCounts(files);
  const reasons = pdfReasons.flatMap((reason) =>
    pdfs[reason] === 0 ? [] : [`  ${pdfs[reason]}: ${words.say(pdfTexts[reason])}`],
  );
  const missing = withoutFile.documents + withoutFile.events;
  return [
    words.say(texts.contents),
    ...rows,
    `  ${words.say(texts.total)}: ${countsText(total, words)}`,
    ...(reasons.length === 0 ? [] : [words.say(texts.withoutPdf), ...reasons]),
    ...(missing === 0 ? [] : [words.say(counted(missing, forms.withoutFile))]),
  ];
}

function countsText({ documents, summaries, events, pdfs }: Counts, words: Words): string {
  const summary = summaries === 0 ? '' : ` (${words.say(counted(summaries, forms.summaries))})`;
  const parts = [counted(events, nouns.event), counted(pdfs, forms.pdfs)].map((text) => words.say(text));
  return [`${words.say(counted(documents, nouns.document))}${summary}`, ...parts].join(', ');
}

const meanings: Readonly<Record<CloseFacts['verdict'], Text>> = {
  complete: {
    en: 'The close proves that every document of the month that the service listed is in the archive with its listed events, as far as its coverage reaches. The report describes the coverage.',
    pt: 'O fechamento prova que todo documento do mês listado pelo serviço está na pasta de documentos com os eventos listados, dentro da sua cobertura. O relatório descreve a cobertura.',
  },
  incomplete: {
    en: 'The close names documents or events that are missing or damaged:',
    pt: 'O fechamento aponta documentos ou eventos que faltam ou estão danificados:',
  },
  'not-provable': {
    en: 'The close found no gap, but it cannot prove that nothing is missing:',
    pt: 'O fechamento não achou divergências, mas não consegue provar que nada falta:',
  },
  'not-closed': {
    en: 'The archive has no close of this month. Nothing proves that this package is complete.',
    pt: 'A pasta de documentos não tem o fechamento deste mês. Nada prova que este pacote esteja completo.',
  },
  older: {
    en: 'The close follows the rules of another version of the program. Its verdict is not repeated here.',
    pt: 'O fechamento segue as regras de outra versão do programa. O resultado dele não é repetido aqui.',
  },
  contradictory: {
    en: 'The close contradicts itself or its manifest. It proves nothing.',
    pt: 'O fechamento contradiz a si mesmo ou ao manifesto. Ele não prova nada.',
  },
};

const completeIssued: Text = {
  en: 'The close proves that every invoice of the month that the service listed as issued or cancelled is in the archive, that their events were asked for after the month, and that the numbers of NF-e and NFC-e have no gap, as far as its coverage reaches. The report describes the coverage.',
  pt: 'O fechamento prova que toda nota do mês que o serviço listou como emitida ou cancelada está na pasta de documentos, que os eventos foram consultados depois do fim do mês e que a numeração de NF-e e NFC-e não tem lacunas, dentro da sua cobertura. O relatório descreve a cobertura.',
};

const pdfTexts: Readonly<Record<PdfReason, Text>> = {
  notRequested: { en: 'the PDF was not fetched', pt: 'o PDF não foi baixado' },
  outstanding: { en: 'the PDF is outstanding', pt: 'o PDF está pendente' },
  notAtService: { en: 'the service has no PDF', pt: 'o serviço não tem o PDF' },
  unknown: { en: 'the manifest of the close lists no PDF', pt: 'o manifesto do fechamento não lista o PDF' },
};

const texts = {
  title: { en: 'DELIVERY RECEIPT', pt: 'PROTOCOLO DE ENTREGA' },
  company: { en: 'Company', pt: 'Empresa' },
  month: { en: 'Month', pt: 'Mês' },
  whole: { en: 'This package has the whole month.', pt: 'Este pacote tem o mês inteiro.' },
  number: { en: 'Package', pt: 'Pacote' },
  first: { en: 'It is the first one of the month.', pt: 'É o primeiro do mês.' },
  follows: { en: 'It follows package', pt: 'Vem depois do pacote' },
  verdict: { en: 'Verdict of the close', pt: 'Resultado do fechamento' },
  closedAt: { en: 'Closed on', pt: 'Fechado em' },
  brasilia: { en: 'Brasília time', pt: 'horário de Brasília' },
  differs: {
    en: 'Documents came or changed after the close. The verdict holds for the time of the close.',
    pt: 'Documentos chegaram ou mudaram depois do fechamento. O resultado vale para o momento do fechamento.',
  },
  contents: { en: 'Contents', pt: 'Conteúdo' },
  total: { en: 'Total', pt: 'Total' },
  withoutPdf: { en: 'Documents without PDF', pt: 'Documentos sem PDF' },
  check: {
    en: 'To check the files, in the folder of this receipt:',
    pt: 'Para conferir os arquivos, na pasta deste protocolo:',
  },
  sumsNote: { en: 'The command is part of the usual systems.', pt: 'O comando faz parte dos sistemas usuais.' },
  bothNote: {
    en: 'The first command is part of the usual systems. The second one compares the files with the close, and reports files that came later as extra. Where the month has several packages, unpack them all into one folder for it, in their order.',
    pt: 'O primeiro comando faz parte dos sistemas usuais. O segundo compara os arquivos com o fechamento e aponta como "extra" os que chegaram depois. Se o mês tem vários pacotes, descompacte todos em uma só pasta para ele, na ordem.',
  },
  manifestHash: { en: 'SHA-256 of the manifest', pt: 'SHA-256 do manifesto' },
  sumsHash: { en: 'SHA-256 of', pt: 'SHA-256 de' },
} as const satisfies Readonly<Record<string, Text>>;

const forms = {
  summaries: { en: ['# summary only', '# summaries only'], pt: ['# só resumo', '# só resumos'] },
  pdfs: { en: ['PDF', 'PDFs'], pt: ['PDF', 'PDFs'] },
  earlier: {
    en: ['# file is in earlier packages.', '# files are in earlier packages.'],
    pt: ['# arquivo está em pacotes anteriores.', '# arquivos estão em pacotes anteriores.'],
  },
  withoutFile: {
    en: [
      '# document or event of the month is known and has no file in the archive.',
      '# documents or events of the month are known and have no file in the archive.',
    ],
    pt: [
      '# documento ou evento do mês é conhecido e não tem arquivo na pasta de documentos.',
      '# documentos ou eventos do mês são conhecidos e não têm arquivo na pasta de documentos.',
    ],
  },
} as const satisfies Readonly<Record<string, Forms>>;
