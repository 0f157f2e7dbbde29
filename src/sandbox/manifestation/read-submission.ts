import { isRecord } from '../core/exact-json.js';
import { invalid, unacceptable } from '../core/refusal.js';
import { join } from '../product/vocabulary.js';

interface NfeSubmissionBody {
  readonly eventCode: number;
  readonly sequence: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** §4, checks 2, 3 and 4, in this order. An absent or null `detail` (§1) is empty. */
export function readNfeSubmission(body: unknown): NfeSubmissionBody {
  if (!isRecord(body)) throw invalid('', 'Must be an object.');
  const { nSequencia: sequence, eventCode } = body;
  const detail = body['detail'] ?? {};
  if (!isWhole(sequence) || sequence < 1) throw invalid('nSequencia', 'Must be an integer of at least 1.');
  if (!isWhole(eventCode)) throw invalid('eventCode', 'Must be an integer.');
  requireAcceptedCode(eventCode);
  if (!isRecord(detail)) throw invalid('detail', 'Must be an object.');
  requireFittingDetail(eventCode, detail);
  return { eventCode, sequence, detail };
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

const amount = text(/^\d{1,13}\.\d{2}$/, 'Must be text with two decimals.');
const percentage = text(/^\d{1,3}\.\d{2,4}$/, 'Must be text with two to four decimals.');
const quantity = text(/^\d{1,11}(\.\d{1,4})?$/, 'Must be text with at most four decimals.');
const unit = text(/^[\u0021-\u00ff][\u0020-\u00ff]{0,5}$/, 'Must be text of 1 to 6 characters.');
const anyText = text(/[^]*/, 'Must be text.');
const cancellable = [211110, 211124, 211128, 211130, 211140, 211150, 212110, 212120];

const justification: Shape = (value, path) => {
  const fault = findJustificationFault(value);
  if (fault !== null) throw invalid(path, fault);
};

const credit = object({ required: { pCredPres: percentage, vCredPres: amount } });
const acceptance: FieldShapes = { required: { indAceitacao: oneOf([0, 1]) } };

/** A list of items with both taxes and the quantity that is lost, immobilised or burnt. */
function stock(group: string, count: string, unitName: string): FieldShapes {
  const control = object({ required: { [count]: quantity, [unitName]: unit } });
  return { required: { [group]: items({ required: { vIBS: amount, vCBS: amount, gControleEstoque: control } }) } };
}

/** The accepted codes (§4) with the shape of their `detail` (facts §3; the names are assumed). */
const details: ReadonlyMap<number, FieldShapes> = new Map<number, FieldShapes>([
  [210200, {}],
  [210210, {}],
  [210220, { optional: { justification } }],
  // Check 6 covers its length.
  [210240, { optional: { justification: anyText } }],
  [
    211110,
    {
      required: {
        gCredPresOper: items({
          required: { vBCCredPres: amount, cCredPres: text(/^\d{1,2}$/, 'Must be text of one or two digits.') },
          optional: { gIBSCredPres: credit, gCBSCredPres: credit },
        }),
      },
    },
  ],
  [211124, stock('gPerecimento', 'qPerecimento', 'uPerecimento')],
  [211128, acceptance],
  [211130, stock('gImobilizacao', 'qImobilizado', 'uImobilizado')],
  [211140, stock('gConsumoComb', 'qComb', 'uComb')],
  [211150, { required: { gCredito: items({ required: { vCredIBS: amount, vCredCBS: amount } }) } }],
  [212110, acceptance],
  [212120, acceptance],
  [
    110001,
    {
      required: {
        tpEventoAut: oneOf(cancellable),
        nProtEvento: text(/^(\d{15}|\d{17})$/, 'Must be text of 15 or 17 digits.'),
      },
    },
  ],
]);

const removed = 211120;
const ofTheAuthority: readonly number[] = [412120, 412130];

/** §4, check 3. */
function requireAcceptedCode(eventCode: number): void {
  if (details.has(eventCode)) return;
  throw invalid('eventCode', reasonAgainst(eventCode));
}

function reasonAgainst(eventCode: number): string {
  if (eventCode === removed) return 'Was removed by NT 2025.002-RTC v1.40.';
  if (ofTheAuthority.includes(eventCode)) return 'Is an event of the tax authority, which is read-only.';
  return `Must be one of: ${[...details.keys()].join(', ')}.`;
}

/** §4, check 4. */
function requireFittingDetail(eventCode: number, detail: Readonly<Record<string, unknown>>): void {
  object(details.get(eventCode) ?? {})(detail, 'detail');
}

/** §4, check 6. */
export function requireJustification(eventCode: number, detail: Readonly<Record<string, unknown>>): void {
  if (eventCode !== 210240) return;
  if (detail['justification'] === undefined) throw invalid('detail.justification', 'Is required.');
  justification(detail['justification'], 'detail.justification');
}

const confirmation = 203202;
const refusal = 203206;
/** §4: valid values of `reasonCode`. */
const reasons: readonly number[] = [1, 2, 3, 4, 5, 9];
const otherReason = 9;

interface NfseSubmissionBody {
  readonly eventCode: number;
  readonly reasonCode: number | null;
  readonly justification: string | null;
}

/**
 * The event code of the body or of the query, the public form. Throws 400 for another event (assumed: §4 names no
 * status).
 */
export function readNfseEventCode(body: unknown, query: URLSearchParams): number {
  const given = [fieldsOf(body)['eventCode'], query.get('eventCode') ?? undefined];
  const codes = given.filter((code) => code !== undefined && code !== null).map(wholeNumber);
  const [eventCode] = codes;
  if (eventCode !== confirmation && eventCode !== refusal) {
    throw invalid('eventCode', `Must be ${confirmation} or ${refusal}.`);
  }
  if (codes.some((code) => code !== eventCode)) {
    throw invalid('eventCode', 'Differs between the body and the query.');
  }
  return eventCode;
}

/** Throws 422 for a missing or unknown reason and for an invalid justification (assumed; facts §2, E1949). */
export function readNfseSubmission(body: unknown, eventCode: number): NfseSubmissionBody {
  const { reasonCode, justification } = fieldsOf(body);
  const reason = readReason(reasonCode ?? undefined, eventCode);
  if (justification === undefined || justification === null) {
    if (reason === otherReason) throw unacceptable('justification', 'Is required for reason 9.');
    return { eventCode, reasonCode: reason, justification: null };
  }
  const fault = findJustificationFault(justification);
  if (fault !== null) throw unacceptable('justification', fault);
  return { eventCode, reasonCode: reason, justification: String(justification) };
}

function readReason(value: unknown, eventCode: number): number | null {
  if (eventCode === confirmation) {
    if (value !== undefined) throw unacceptable('reasonCode', 'Does not belong to a confirmation.');
    return null;
  }
  const reason = wholeNumber(value);
  if (reason !== undefined && reasons.includes(reason)) return reason;
  throw unacceptable('reasonCode', `Must be one of: ${reasons.join(', ')}.`);
}

/** No body has no fields: the event may be in the query alone. */
function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined) return {};
  if (!isRecord(body)) throw invalid('', 'Must be an object.');
  return body;
}

/** §2: 15 to 255 characters; facts §3: no leading or trailing space, U+0020 to U+00FF only. `null`: valid. */
function findJustificationFault(value: unknown): string | null {
  if (typeof value !== 'string') return 'Must be text.';
  if (value.length < 15 || value.length > 255) return 'Must have from 15 to 255 characters.';
  if (value.startsWith(' ') || value.endsWith(' ')) return 'Must not begin or end with a space.';
  if (!/^[\u0020-\u00ff]*$/.test(value)) return 'Must have characters from U+0020 to U+00FF only.';
  return null;
}

/** Checks a value; throws a 400 that names the field. */
type Shape = (value: unknown, path: string) => void;

interface FieldShapes {
  readonly required?: Readonly<Record<string, Shape>>;
  readonly optional?: Readonly<Record<string, Shape>>;
}

/** An object with these fields and no others. */
function object({ required = {}, optional = {} }: FieldShapes): Shape {
  const shapes = new Map(Object.entries({ ...required, ...optional }));
  return (value, path) => {
    if (!isRecord(value)) throw invalid(path, 'Must be an object.');
    for (const name of Object.keys(required)) {
      if (!Object.hasOwn(value, name)) throw invalid(join(path, name), 'Is required.');
    }
    for (const [name, field] of Object.entries(value)) {
      const shape = shapes.get(name);
      if (shape === undefined) throw invalid(join(path, name), 'Does not belong to this event.');
      shape(field, join(path, name));
    }
  };
}

const mostItems = 990;

/** 1 to 990 groups, each with a unique `nItem` (facts §3). */
function items(fields: FieldShapes): Shape {
  const group = object({ ...fields, required: { nItem: itemNumber, ...fields.required } });
  return (value, path) => {
    if (!Array.isArray(value) || value.length < 1 || value.length > mostItems) {
      throw invalid(path, `Must be a list of 1 to ${mostItems} groups.`);
    }
    const seen = new Set<number>();
    for (const [index, element] of value.entries()) {
      const elementPath = `${path}[${index}]`;
      group(element, elementPath);
      const number = Number(element.nItem);
      if (seen.has(number)) throw invalid(`${elementPath}.nItem`, 'Is a duplicate.');
      seen.add(number);
    }
  };
}

function itemNumber(value: unknown, path: string): void {
  const number = wholeNumber(value);
  if (number === undefined || number < 1 || number > mostItems) {
    throw invalid(path, `Must be a whole number from 1 to ${mostItems}.`);
  }
}

/** A whole number, as a number or as digits: the service document does not define the type. */
function wholeNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

function text(form: RegExp, message: string): Shape {
  return (value, path) => {
    if (typeof value !== 'string' || !form.test(value)) throw invalid(path, message);
  };
}

function oneOf(numbers: readonly number[]): Shape {
  return (value, path) => {
    const number = wholeNumber(value);
    if (number === undefined || !numbers.includes(number)) {
      throw invalid(path, `Must be one of: ${numbers.join(', ')}.`);
    }
  };
}
