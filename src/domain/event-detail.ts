import { isRecord } from './record.js';
import type { Text } from '../contract/text.js';
import {
  cancellableEvents,
  detailShapeOf,
  MAX_ITEMS,
  type FieldKind,
  type FieldShape,
} from './event-detail-shape.js';
import { justificationProblem } from './justification.js';

/** A sentence about one field, named by its path, e.g. `detail.gCredito[0].vCredIBS`. */
export interface DetailFinding {
  readonly field: string;
  readonly message: Text;
}

type Fields = Readonly<Record<string, unknown>>;

/** A detail can be wrong in each of 990 entries; a person reads the first ones. */
const MAX_FINDINGS = 20;

/** What keeps a `detail` from fitting its event (§4, check 4; facts §3). Empty: it fits. */
export function detailProblems(code: number, detail: unknown): readonly DetailFinding[] {
  if (!isRecord(detail)) return [{ field: 'detail', message: mustBeObject }];
  const shape = detailShapeOf(code);
  switch (shape.kind) {
    case 'none':
      return strangers(code, detail, []);
    case 'justification':
      return [...strangers(code, detail, ['justification']), ...justified(detail, shape.required)];
    case 'acceptance':
      return [...strangers(code, detail, ['indAceitacao']), ...accepted(detail)];
    case 'items':
      return [
        ...strangers(code, detail, [shape.name]),
        ...entries(`detail.${shape.name}`, detail[shape.name], shape.fields),
      ].slice(0, MAX_FINDINGS);
    case 'cancellation':
      return [...strangers(code, detail, ['tpEventoAut', 'nProtEvento']), ...cancelled(detail)];
  }
}

function strangers(code: number, detail: Fields, known: readonly string[]): readonly DetailFinding[] {
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

function justified({ justification }: Fields, required: boolean): readonly DetailFinding[] {
  if (justification === undefined && !required) return [];
  const message = justification === undefined ? isRequired : justificationProblem(justification);
  return message === undefined ? [] : [{ field: 'detail.justification', message }];
}

function accepted({ indAceitacao }: Fields): readonly DetailFinding[] {
  if (['0', '1'].includes(wordOf(indAceitacao))) return [];
  const message = { en: 'must be 0 or 1', pt: 'deve ser 0 ou 1' };
  return [{ field: 'detail.indAceitacao', message }];
}

function cancelled({ tpEventoAut, nProtEvento }: Fields): readonly DetailFinding[] {
  const findings: DetailFinding[] = [];
  if (!cancellableEvents.some((code) => String(code) === wordOf(tpEventoAut))) {
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

function entries(path: string, list: unknown, fields: readonly FieldShape[]): readonly DetailFinding[] {
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
    const number = isRecord(entry) ? wordOf(entry['nItem']) : '';
    const isRepeated = number !== '' && seen.has(number);
    seen.add(number);
    const repeated = isRepeated ? [{ field: `${at}.nItem`, message: repeatedItem(number) }] : [];
    return [...group(at, entry, fields), ...repeated];
  });
}

function group(path: string, value: unknown, fields: readonly FieldShape[]): readonly DetailFinding[] {
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
  if (field.kind === 'group') return group(path, value, field.fields);
  return fits(field.kind, value) ? [] : [{ field: path, message: expected[field.kind] }];
}

function fits(kind: FieldKind, value: unknown): boolean {
  if (kind === 'item') return /^[1-9]\d{0,2}$/.test(wordOf(value)) && Number(value) <= MAX_ITEMS;
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
  unit: {
    en: 'must be a unit of 1 to 6 characters',
    pt: 'deve ser uma unidade de 1 a 6 caracteres',
  },
  'credit-code': {
    en: 'must be text of one or two digits',
    pt: 'deve ser texto de um ou dois algarismos',
  },
};

function repeatedItem(number: string): Text {
  return { en: `item ${number} stands twice`, pt: `o item ${number} aparece duas vezes` };
}

function wordOf(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}

const mustBeObject: Text = { en: 'must be an object', pt: 'deve ser um objeto' };
const isRequired: Text = { en: 'is required', pt: 'é obrigatório' };
const notAField: Text = { en: 'is not a field of this group', pt: 'não é um campo deste grupo' };
