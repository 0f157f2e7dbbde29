import { parseForeignJson } from '../../domain/json-numbers.js';
import { readBody } from '../../client/read-answer.js';
import { parseShape } from '../../config/shapes.js';
import { type AnswerShape, bareArray } from '../../contract/answers.js';
import type { Text } from '../../contract/text.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { terminalLine } from '../../domain/terminal-text.js';

type ListShape = AnswerShape & { readonly is: 'list' };

/** What an answer shows of the place of its list. */
export interface PlaceVerdict {
  readonly status: 'ok' | 'differs' | 'problem' | 'untested';
  readonly found: Text;
  readonly rows: readonly unknown[];
  /** What `shapes.<operation>` should be; `null`: nothing, the published place serves. Absent: it stays. */
  readonly shape?: string | null;
}

/**
 * Compares the place of a list with the published ones and the profile's. Only a row proves a place: an empty list
 * may be another one, and its rows may be unreadable. `configured`: the profile's `shapes.<operation>`.
 */
export function judgeList(
  answer: { readonly bytes: Uint8Array; readonly status: number },
  shape: ListShape,
  configured: string | undefined,
): PlaceVerdict {
  const body = jsonOf(answer.bytes);
  if (body === undefined) return { status: 'problem', found: noJson, rows: [] };
  const place = placeOf(body, shape, configured);
  if (place === undefined) return { status: 'problem', found: noList(body), rows: [] };
  const rows = rowsAt(body, place);
  if (rows.length === 0) return { status: 'untested', found: emptyAt(place), rows };
  const isPublished = shape.in.includes(place) || (place === bareArray && shape.bare === true);
  const isExpected = configured === undefined ? isPublished : place === configured;
  const listAt = isPublished ? undefined : place;
  const read = readBody(answer, shape, {
    isLaterPage: false,
    ...(isExpected ? optional(configured) : optional(listAt)),
  });
  if ('reason' in read || (!isExpected && parseShape(place) === undefined)) {
    return { status: 'problem', found: unreadableAt(place, 'reason' in read ? read.reason : badName), rows };
  }
  if (isExpected) return { status: 'ok', found: rowsComeAt(place), rows };
  return { status: 'differs', found: elsewhere(place, shape, configured), rows, shape: listAt ?? null };
}

function optional(listAt: string | undefined): { readonly listAt?: string } {
  return listAt === undefined ? {} : { listAt };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    const body: unknown = parseForeignJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return body;
  } catch {
    return undefined;
  }
}

/** The configured place, a published one, or the only other list; `undefined` when there is none, or several. */
function placeOf(
  body: unknown,
  { in: names }: ListShape,
  configured: string | undefined,
): string | undefined {
  if (Array.isArray(body)) return bareArray;
  if (!isRecord(body)) return undefined;
  const lists = Object.keys(body).filter((name) => Array.isArray(body[name]) && !/^errors?$/.test(name));
  const known = [...(configured === undefined ? [] : [configured]), ...names].find((name) =>
    lists.includes(name),
  );
  if (known !== undefined) return known;
  const filled = lists.filter((name) => rowsAt(body, name).some(isRecord));
  const [only, ...others] = filled.length > 0 ? filled : lists;
  return others.length > 0 ? undefined : only;
}

function rowsAt(body: unknown, place: string): readonly unknown[] {
  const rows = Array.isArray(body) && place === bareArray ? body : fieldOf(body, place);
  return Array.isArray(rows) ? rows : [];
}

/** A field name of the service, safe and short. */
function shownName(name: string): string {
  const safe = terminalLine(name);
  return safe.length > 60 ? `${safe.slice(0, 60)}…` : safe;
}

function at(place: string): Text {
  return place === bareArray
    ? { en: 'as a bare array', pt: 'como array, sem envelope' }
    : { en: `in "${shownName(place)}"`, pt: `em "${shownName(place)}"` };
}

function rowsComeAt(place: string): Text {
  const { en, pt } = at(place);
  return { en: `the rows come ${en}`, pt: `as linhas vêm ${pt}` };
}

function emptyAt(place: string): Text {
  const { en, pt } = at(place);
  return {
    en: `not tested: the list came empty ${en}, and only a row proves where rows come`,
    pt: `não testado: a lista veio vazia ${pt}, e só uma linha prova onde as linhas vêm`,
  };
}

function elsewhere(place: string, { in: names }: ListShape, configured: string | undefined): Text {
  const expected = configured === undefined ? names.map(at) : [at(configured)];
  const [came, en, pt] = [at(place), expected.map((one) => one.en), expected.map((one) => one.pt)];
  return {
    en: `the rows come ${came.en}, and not ${en.join(' or ')}`,
    pt: `as linhas vêm ${came.pt}, e não ${pt.join(' nem ')}`,
  };
}

function unreadableAt(place: string, reason: Text): Text {
  const { en, pt } = at(place);
  return {
    en: `the rows come ${en}, and cannot be read: ${reason.en}`,
    pt: `as linhas vêm ${pt}, e não podem ser lidas: ${reason.pt}`,
  };
}

function noList(body: unknown): Text {
  const names = isRecord(body) ? Object.keys(body) : [];
  const shown = names.slice(0, 8).map(shownName).join(', ');
  if (shown === '') return { en: 'the answer holds no list', pt: 'a resposta não contém uma lista' };
  return {
    en: `no single list is in the answer; its fields: ${shown}`,
    pt: `não há uma única lista na resposta; os campos: ${shown}`,
  };
}

const noJson: Text = { en: 'the answer is not JSON', pt: 'a resposta não é JSON' };
const badName: Text = {
  en: 'the name of the field cannot be set in "shapes"',
  pt: 'o nome do campo não pode ser definido em "shapes"',
};
