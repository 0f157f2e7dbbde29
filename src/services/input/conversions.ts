import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';

const SHOWN_VALUES = 3;
const SHOWN_LENGTH = 40;

const names = {
  column: {
    en: ['# column by its Portuguese name', '# columns by their Portuguese names'],
    pt: ['# coluna pelo nome em português', '# colunas pelos nomes em português'],
  },
  number: {
    en: ['# number with a decimal point', '# numbers with a decimal point'],
    pt: ['# número com ponto decimal', '# números com ponto decimal'],
  },
  code: {
    en: ['# code without its punctuation', '# codes without their punctuation'],
    pt: ['# código sem a pontuação', '# códigos sem a pontuação'],
  },
  date: {
    en: ['# date of the spreadsheet', '# dates of the spreadsheet'],
    pt: ['# data da planilha', '# datas da planilha'],
  },
  percent: {
    en: ['# percentage of the spreadsheet', '# percentages of the spreadsheet'],
    pt: ['# porcentagem da planilha', '# porcentagens da planilha'],
  },
  zeros: {
    en: ['# number with the zeros of its format', '# numbers with the zeros of their format'],
    pt: ['# número com os zeros do seu formato', '# números com os zeros do seu formato'],
  },
  origin: {
    en: ['# origin by its name', '# origins by their names'],
    pt: ['# origem pelo nome', '# origens pelos nomes'],
  },
} as const;

export type ConversionKind = keyof typeof names;

/** What one reading of a table has converted: a count for each kind, with its first different values. */
export class Conversions {
  readonly #groups = new Map<ConversionKind, { count: number; more: boolean; readonly shown: string[] }>();
  #sheet: { readonly name: string; readonly others: readonly string[] } | undefined;
  #example: number | undefined;
  #titles: { readonly count: number; readonly first: string } | undefined;
  #encoding: { readonly name: string; readonly shown: readonly string[] } | undefined;

  /** Forgets an earlier reading of the same table. */
  restart(): void {
    this.#groups.clear();
    this.#encoding = undefined;
    this.#sheet = undefined;
    this.#example = undefined;
    this.#titles = undefined;
  }

  /** The sheet that is read of a workbook with several. */
  sheet(name: string, others: readonly string[]): void {
    this.#sheet = { name, others };
  }

  /** The line of the example of a template. */
  example(line: number): void {
    this.#example = line;
  }

  /** The rows above the header. */
  titles(count: number, first: string): void {
    this.#titles = { count, first };
  }

  add(kind: ConversionKind, from: string, to: string): void {
    const group = this.#groups.get(kind) ?? { count: 0, more: false, shown: [] };
    this.#groups.set(kind, group);
    group.count += 1;
    const value = `${short(from)} → ${short(to)}`;
    if (group.shown.includes(value)) return;
    if (group.shown.length < SHOWN_VALUES) group.shown.push(value);
    else group.more = true;
  }

  /** `shown`: the first words that depend on the encoding. */
  encoding(name: string, shown: readonly string[]): void {
    this.#encoding = { name, shown: shown.slice(0, SHOWN_VALUES).map(short) };
  }

  /** One sentence for each kind. */
  texts(path: string): readonly Text[] {
    const groups = [...this.#groups].map(([kind, { count, more, shown }]): Text => {
      const { en, pt } = counted(count, names[kind]);
      const values = `${shown.join(', ')}${more ? ', …' : ''}`;
      return { en: `${path}: reads ${en} (${values})`, pt: `${path}: lê ${pt} (${values})` };
    });
    return [
      ...(this.#sheet === undefined ? [] : [sheetText(path, this.#sheet)]),
      ...(this.#encoding === undefined ? [] : [encodingText(path, this.#encoding)]),
      ...(this.#titles === undefined ? [] : [titlesText(path, this.#titles)]),
      ...(this.#example === undefined ? [] : [exampleText(path, this.#example)]),
      ...groups,
    ];
  }
}

function sheetText(
  path: string,
  { name, others }: { readonly name: string; readonly others: readonly string[] },
): Text {
  const shown = others.slice(0, SHOWN_VALUES).map((other) => `"${short(other)}"`);
  const list = `${shown.join(', ')}${others.length > shown.length ? ', …' : ''}`;
  return {
    en: `${path}: reads the sheet "${short(name)}"; it also has ${list}: choose with --sheet`,
    pt: `${path}: lê a planilha "${short(name)}"; há também ${list}: escolha com --sheet`,
  };
}

function titlesText(path: string, { count, first }: { readonly count: number; readonly first: string }): Text {
  const { en, pt } = counted(count, { en: ['# row', '# rows'], pt: ['# linha', '# linhas'] });
  return {
    en: `${path}: leaves out ${en} above the table ("${short(first)}")`,
    pt: `${path}: deixa de fora ${pt} acima da tabela ("${short(first)}")`,
  };
}

function exampleText(path: string, line: number): Text {
  return {
    en: `${path}: leaves out the example of the template in row ${line}`,
    pt: `${path}: deixa de fora o exemplo do modelo na linha ${line}`,
  };
}

function encodingText(
  path: string,
  { name, shown }: { readonly name: string; readonly shown: readonly string[] },
): Text {
  const values = shown.length === 0 ? '' : ` (${shown.join(', ')})`;
  return {
    en: `${path}: reads the text as ${name}${values}; if this is wrong, give --encoding`,
    pt: `${path}: lê o texto como ${name}${values}; se não for isso, informe --encoding`,
  };
}

function short(value: string): string {
  return value.length > SHOWN_LENGTH ? `${value.slice(0, SHOWN_LENGTH)}…` : value;
}
