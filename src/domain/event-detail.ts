import { isRecord } from './record.js';
import { justificationProblem } from './justification.js';
import type { Text } from '../contract/text.js';
import { isNumber } from './json-numbers.js';

/** The shape of `detail` by event (facts §3). Field names other than `justification` are assumed. */

type FieldKind = 'item' | 'money' | 'rate' | 'quantity' | 'unit' | 'credit-code';

type FieldShape =
  | { readonly name: string; readonly kind: FieldKind }
  | {
      readonly name: string;
      readonly kind: 'group';
      readonly optional: boolean;
      readonly fields: readonly FieldShape[];
    };

type DetailShape =
  | { readonly kind: 'none' }
  | { readonly kind: 'justification'; readonly required: boolean }
  /** `indAceitacao` 0 or 1. */
  | { readonly kind: 'acceptance' }
  /** A list of 1 to 990 entries, one per item of the note. */
  | { readonly kind: 'items'; readonly name: string; readonly fields: readonly FieldShape[] }
  /** `tpEventoAut` and `nProtEvento` of the event to cancel. */
  | { readonly kind: 'cancellation' };

/** The most entries of a list, and the highest item number of a note. */
const MAX_ITEMS = 990;

/** Events that 110001 can cancel; never the recipient's 2102xx. */
const cancellableEvents: readonly number[] = [211110, 211124, 211128, 211130, 211140, 211150, 212110, 212120];

const item: FieldShape = { name: 'nItem', kind: 'item' };
const taxes: readonly FieldShape[] = [
  { name: 'vIBS', kind: 'money' },
  { name: 'vCBS', kind: 'money' },
];

/** Items with their taxes and the quantity that leaves the stock. */
function stockItems(name: string, quantity: string, unit: string): DetailShape {
  const fields: readonly FieldShape[] = [
    { name: quantity, kind: 'quantity' },
    { name: unit, kind: 'unit' },
  ];
  const stock: FieldShape = { name: 'gControleEstoque', kind: 'group', optional: false, fields };
  return { kind: 'items', name, fields: [item, ...taxes, stock] };
}

function presumed(name: string): FieldShape {
  const fields: readonly FieldShape[] = [
    { name: 'pCredPres', kind: 'rate' },
    { name: 'vCredPres', kind: 'money' },
  ];
  return { name, kind: 'group', optional: true, fields };
}

const shapes: Readonly<Record<number, DetailShape>> = {
  210220: { kind: 'justification', required: false },
  210240: { kind: 'justification', required: true },
  211110: {
    kind: 'items',
    name: 'gCredPresOper',
    fields: [
      item,
      { name: 'vBCCredPres', kind: 'money' },
      { name: 'cCredPres', kind: 'credit-code' },
      presumed('gIBSCredPres'),
      presumed('gCBSCredPres'),
    ],
  },
  211124: stockItems('gPerecimento', 'qPerecimento', 'uPerecimento'),
  211128: { kind: 'acceptance' },
  211130: stockItems('gImobilizacao', 'qImobilizado', 'uImobilizado'),
  211140: stockItems('gConsumoComb', 'qComb', 'uComb'),
  211150: {
    kind: 'items',
    name: 'gCredito',
    fields: [item, { name: 'vCredIBS', kind: 'money' }, { name: 'vCredCBS', kind: 'money' }],
  },
  212110: { kind: 'acceptance' },
  212120: { kind: 'acceptance' },
  110001: { kind: 'cancellation' },
};

export function detailShapeOf(code: number): DetailShape {
  return shapes[code] ?? { kind: 'none' };
}

/** The shape in one line, for `manifestation codes`. */
export function describeDetail(code: number): string {
  const shape = detailShapeOf(code);
  switch (shape.kind) {
    case 'none':
      return '';
    case 'justification':
      return shape.required ? 'justification' : 'justification?';
    case 'acceptance':
      return 'indAceitacao 0|1';
    case 'items':
      return `${shape.name}[1..${MAX_ITEMS}]{${describeFields(shape.fields)}}`;
    case 'cancellation':
      return 'tpEventoAut, nProtEvento';
  }
}

function describeFields(fields: readonly FieldShape[]): string {
  return fields
    .map((field) =>
      field.kind === 'group'
        ? `${field.name}${field.optional ? '?' : ''}{${describeFields(field.fields)}}`
        : field.name,
    )
    .join(', ');
}

/** A problem of one field, named by its path, e.g. `detail.gCredito[0].vCredIBS`. */
interface DetailFinding {
  readonly field: string;
  readonly message: Text;
}

type Fields = Readonly<Record<string, unknown>>;

/** Up to 990 entries can be wrong; the first problems are enough. */
const MAX_FINDINGS = 20;

/** Checks a `detail` against the shape of its event (§4, check 4; facts §3). An empty list: it is valid. */
export function detailProblems(code: number, detail: unknown): readonly DetailFinding[] {
  if (!isRecord(detail)) return [{ field: 'detail', message: mustBeObject }];
  const shape = detailShapeOf(code);
  switch (shape.kind) {
    case 'none':
      return unknownFields(code, detail, []);
    case 'justification':
      return [...unknownFields(code, detail, ['justification']), ...justificationFindings(detail, shape.required)];
    case 'acceptance':
      return [...unknownFields(code, detail, ['indAceitacao']), ...acceptanceFindings(detail)];
    case 'items':
      return [
        ...unknownFields(code, detail, [shape.name]),
        ...itemFindings(`detail.${shape.name}`, detail[shape.name], shape.fields),
      ].slice(0, MAX_FINDINGS);
    case 'cancellation':
      return [...unknownFields(code, detail, ['tpEventoAut', 'nProtEvento']), ...cancellationFindings(detail)];
  }
}

function unknownFields(code: number, detail: Fields, known: readonly string[]): readonly DetailFinding[] {
  return Object.keys(detail)
    .filter((name) => !known.includes(name))
    .slice(0, MAX_FINDINGS)
    .map((name) => ({
      field: `detail.${name}`,
      message: {
        en: `does not belong to the detail of event ${code}`,
        pt: `não pertence ao detalhe do evento ${code}`,
      },
    }));
}

function justificationFindings({ justification }: Fields, required: boolean): readonly DetailFinding[] {
  if (justification === undefined && !required) return [];
  const message = justification === undefined ? isRequired : justificationProblem(justification);
  return message === undefined ? [] : [{ field: 'detail.justification', message }];
}

function acceptanceFindings({ indAceitacao }: Fields): readonly DetailFinding[] {
  if (['0', '1'].includes(scalarText(indAceitacao))) return [];
  const message = { en: 'must be 0 or 1', pt: 'deve ser 0 ou 1' };
  return [{ field: 'detail.indAceitacao', message }];
}

function cancellationFindings({ tpEventoAut, nProtEvento }: Fields): readonly DetailFinding[] {
  const findings: DetailFinding[] = [];
  if (!cancellableEvents.some((code) => String(code) === scalarText(tpEventoAut))) {
    const list = cancellableEvents.join(', ');
    findings.push({
      field: 'detail.tpEventoAut',
      message: { en: `must be one of ${list}`, pt: `deve ser um de ${list}` },
    });
  }
  if (typeof nProtEvento !== 'string' || !/^(?:\d{15}|\d{17})$/.test(nProtEvento)) {
    findings.push({
      field: 'detail.nProtEvento',
      message: {
        en: 'must be the protocol of the event: text of 15 or 17 digits',
        pt: 'deve ser o protocolo do evento: texto de 15 ou 17 algarismos',
      },
    });
  }
  return findings;
}

function itemFindings(path: string, list: unknown, fields: readonly FieldShape[]): readonly DetailFinding[] {
  if (!Array.isArray(list) || list.length < 1 || list.length > MAX_ITEMS) {
    const message = {
      en: `must be a list of 1 to ${MAX_ITEMS} entries`,
      pt: `deve ser uma lista de 1 a ${MAX_ITEMS} entradas`,
    };
    return [{ field: path, message }];
  }
  const seen = new Set<string>();
  return list.flatMap((entry: unknown, index) => {
    const at = `${path}[${index}]`;
    const number = isRecord(entry) ? scalarText(entry['nItem']) : '';
    const isRepeated = number !== '' && seen.has(number);
    seen.add(number);
    const repeated = isRepeated ? [{ field: `${at}.nItem`, message: repeatedItem(number) }] : [];
    return [...groupFindings(at, entry, fields), ...repeated];
  });
}

function groupFindings(path: string, value: unknown, fields: readonly FieldShape[]): readonly DetailFinding[] {
  if (!isRecord(value)) return [{ field: path, message: mustBeObject }];
  const names = fields.map((field) => field.name);
  const unknown = Object.keys(value)
    .filter((name) => !names.includes(name))
    .map((name) => ({ field: `${path}.${name}`, message: notAField }));
  const known = fields.flatMap((field) => fieldFindings(`${path}.${field.name}`, value[field.name], field));
  return [...unknown, ...known];
}

function fieldFindings(path: string, value: unknown, field: FieldShape): readonly DetailFinding[] {
  if (value === undefined) {
    return field.kind === 'group' && field.optional ? [] : [{ field: path, message: isRequired }];
  }
  if (field.kind === 'group') return groupFindings(path, value, field.fields);
  return fits(field.kind, value) ? [] : [{ field: path, message: expected[field.kind] }];
}

function fits(kind: FieldKind, value: unknown): boolean {
  if (kind === 'item') return /^[1-9]\d{0,2}$/.test(scalarText(value)) && Number(value) <= MAX_ITEMS;
  return typeof value === 'string' && patterns[kind].test(value);
}

const patterns: Readonly<Record<Exclude<FieldKind, 'item'>, RegExp>> = {
  money: /^(?:0|[1-9]\d{0,12})\.\d{2}$/,
  rate: /^(?:0|[1-9]\d{0,2})\.\d{2,4}$/,
  quantity: /^(?:0|[1-9]\d{0,10})(?:\.\d{1,4})?$/,
  unit: /^[\u0021-\u00ff](?:[\u0020-\u00ff]{0,4}[\u0021-\u00ff])?$/,
  'credit-code': /^\d{1,2}$/,
};

const expected: Readonly<Record<FieldKind, Text>> = {
  item: {
    en: `must be the number of an item, 1 to ${MAX_ITEMS}`,
    pt: `deve ser o número de um item, de 1 a ${MAX_ITEMS}`,
  },
  money: {
    en: 'must be text with two decimals, e.g. "10.00"',
    pt: 'deve ser texto com duas casas decimais, p. ex. "10.00"',
  },
  rate: {
    en: 'must be text with two to four decimals, e.g. "1.5000"',
    pt: 'deve ser texto com duas a quatro casas decimais, p. ex. "1.5000"',
  },
  quantity: {
    en: 'must be text with at most four decimals, e.g. "2.5"',
    pt: 'deve ser texto com no máximo quatro casas decimais, p. ex. "2.5"',
  },
  unit: { en: 'must be a unit of 1 to 6 characters', pt: 'deve ser uma unidade de 1 a 6 caracteres' },
  'credit-code': { en: 'must be text of one or two digits', pt: 'deve ser texto de um ou dois algarismos' },
};

function repeatedItem(number: string): Text {
  return { en: `item ${number} occurs twice`, pt: `o item ${number} aparece duas vezes` };
}

function scalarText(value: unknown): string {
  return isNumber(value) || typeof value === 'string' ? String(value) : '';
}

const mustBeObject: Text = { en: 'must be an object', pt: 'deve ser um objeto' };
const isRequired: Text = { en: 'is required', pt: 'é obrigatório' };
const notAField: Text = { en: 'is not a field of this group', pt: 'não é um campo deste grupo' };
