import { decodeError } from '../../client/answer-error.js';
import type { Look } from '../../client/client.js';
import { readBody } from '../../client/read-answer.js';
import type { Settings } from '../../config/settings.js';
import type { KeyKind } from '../../contract/operation.js';
import type { OperationId } from '../../contract/operations.js';
import type { Text } from '../../contract/text.js';
import { isOutOfService } from '../../domain/call-end.js';
import { counted } from '../../domain/counted.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { terminalLine } from '../../domain/terminal-text.js';
import {
  type Asked,
  type Asker,
  type Evidence,
  operationOf,
  otherRoutes,
  parametersOf,
  queriesOf,
  shapeOf,
} from './probe-plan.js';
import { parseForeignJson } from '../../domain/json-numbers.js';
import { parseShape } from '../../config/shapes.js';
import { type AnswerShape, bareArray } from '../../contract/answers.js';

/** One line of the probe. */
export interface ProbeRow {
  readonly check: string;
  /** `differs`: the service is not as our table of operations says. `untested`: nothing was proven. */
  readonly status: 'ok' | 'warn' | 'problem' | 'differs' | 'untested';
  readonly found: Text;
  readonly advice?: Text;
  readonly operation?: OperationId;
  readonly evidence: readonly Evidence[];
  /** The settings of the profile with which the program follows the service; `null` removes one. */
  readonly settings?: readonly NeededSetting[];
}

export interface NeededSetting {
  readonly name: string;
  readonly value: string | null;
}

/** What one operation answered. */
export interface OperationVerdict {
  readonly row: ProbeRow;
  /** The rows of a list. */
  readonly rows: readonly unknown[];
  /** The status of the answer that decided; absent when none came. */
  readonly status?: number;
}

interface ProbeInput {
  readonly settings: Pick<Settings, 'paths' | 'shapes'>;
  /** The parameters of the path. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Asks for one operation: at the path of the profile or of the table, and only where that is not found also at the
 * other known ones, of which the first success is the one that the service has. An empty list proves no path.
 */
export async function probeOperation(asker: Asker, id: OperationId, input: ProbeInput): Promise<OperationVerdict> {
  const { path: ofTable } = operationOf(id);
  const own = input.settings.paths[id] ?? ofTable;
  const evidence: Evidence[] = [];
  const ask = async (path: string): Promise<Finding> => await askAt(path, { asker, id, input, evidence });
  const first = await ask(own);
  if (!isAbsent(first.asked)) return { ...first.verdict, row: { ...first.verdict.row, evidence } };
  const others = [...new Set([ofTable, ...(otherRoutes[id] ?? [])])].filter(
    (path) => path !== own && parametersOf(path).every((name) => input.values[name] !== undefined),
  );
  let unproven: OperationVerdict | undefined;
  for (const path of others) {
    const { asked, verdict } = await ask(path);
    if (!isSuccess(asked)) continue;
    const row = moved(verdict.row, { id, path: path === ofTable ? null : path, route: path });
    const found = { ...verdict, row: { ...row, evidence } };
    if (row.status !== 'untested') return found;
    unproven ??= found;
  }
  if (unproven !== undefined) return unproven;
  const found = absentEverywhere(first.asked.look?.status ?? 404, others.length);
  return { ...first.verdict, row: { ...rowOf(id), status: 'untested', found, evidence } };
}

interface Finding {
  readonly asked: Asked;
  readonly verdict: OperationVerdict;
}

/** Asks at one path, with the next query as long as the list comes empty. */
async function askAt(
  path: string,
  question: {
    readonly asker: Asker;
    readonly id: OperationId;
    readonly input: ProbeInput;
    readonly evidence: Evidence[];
  },
): Promise<Finding> {
  const { asker, id, input, evidence } = question;
  const { host, key } = operationOf(id);
  const { values, settings } = input;
  let finding: Finding | undefined;
  for (const query of queriesOf(id)) {
    const asked = await asker.ask({ operation: id, host, key, path, values, query });
    evidence.push(asked.evidence);
    const next = { asked, verdict: verdictOf(id, asked, settings) };
    if (finding === undefined || next.verdict.row.status !== 'untested') finding = next;
    if (finding.verdict.row.status !== 'untested' || !isSuccess(asked)) return finding;
  }
  return finding ?? neverAsked();
}

function neverAsked(): never {
  throw new TypeError('every operation has a query');
}

function verdictOf(id: OperationId, asked: Asked, settings: ProbeInput['settings']): OperationVerdict {
  if (asked.look === undefined) {
    return { row: { ...rowOf(id), status: 'problem', found: asked.failure }, rows: [] };
  }
  const { look } = asked;
  const { status } = look;
  if (isSuccess(asked) || isFileElsewhere(id, status)) return { ...verdictOfSuccess(id, look, settings), status };
  return { row: { ...rowOf(id), ...refusal(id, look) }, rows: [], status };
}

function verdictOfSuccess(id: OperationId, look: Look, { shapes }: ProbeInput['settings']): OperationVerdict {
  const shape = shapeOf(id);
  if (shape.is === 'list') {
    const configured = fieldOf(shapes, id);
    const place = typeof configured === 'string' ? configured : undefined;
    const { status, found, rows, shape: needed } = judgeList(look, shape, place);
    const settings = needed === undefined ? {} : { settings: [{ name: `shapes.${id}`, value: needed }] };
    return { row: { ...rowOf(id), status, found, ...settings }, rows };
  }
  if (shape.is === 'bytes') {
    const isPage = /^\s*<(?:!doctype html|html)/i.test(Buffer.from(look.bytes.subarray(0, 200)).toString('latin1'));
    const verdict = isPage ? ({ status: 'problem', found: aPage } as const) : ({ status: 'ok', found: aFile } as const);
    return { row: { ...rowOf(id), ...verdict }, rows: [] };
  }
  const read = readBody(look, shape);
  if ('reason' in read)
    return {
      row: {
        ...rowOf(id),
        status: 'problem',
        found: {
          en: `the answer cannot be read: ${read.reason.en}`,
          pt: `a resposta não pode ser lida: ${read.reason.pt}`,
        },
      },
      rows: [],
    };
  return { row: { ...rowOf(id), status: 'ok', found: readable }, rows: [] };
}

function rowOf(id: OperationId): Pick<ProbeRow, 'check' | 'operation' | 'evidence'> {
  return { check: id, operation: id, evidence: [] };
}

export function isSuccess({ look }: Asked): boolean {
  return look !== undefined && look.status >= 200 && look.status < 300;
}

/** The route or the thing is not there; nothing in the answer says which. */
function isAbsent({ look }: Asked): boolean {
  return look !== undefined && [404, 405, 410].includes(look.status);
}

/** Files may come by a redirect (published). */
function isFileElsewhere(id: OperationId, status: number): boolean {
  return shapeOf(id).is === 'bytes' && status >= 300 && status < 400;
}

/** What a status other than success means by §7, and what the service says of it. */
function refusal(id: OperationId, look: Look): Pick<ProbeRow, 'status' | 'found'> {
  const { status } = look;
  const { key, role } = operationOf(id);
  const said = saidIn(look);
  if (status === 401)
    return {
      status: 'problem',
      found: told(`401: the ${keyNames[key].en} is refused`, `401: a ${keyNames[key].pt} é recusada`, said),
    };
  if (status === 403) {
    const needs = role === null ? ['the permission', 'a permissão'] : [`the role ${role}`, `o papel ${role}`];
    const en = `403: the key lacks ${needs[0]}, for this company or at all`;
    return { status: 'warn', found: told(en, `403: falta à chave ${needs[1]}, nesta empresa ou em todas`, said) };
  }
  if (status === 429 || isOutOfService(status)) {
    return {
      status: 'problem',
      found: told(
        `${status}: temporary; run the probe again later`,
        `${status}: temporário; execute a verificação mais tarde`,
        said,
      ),
    };
  }
  if (status >= 300 && status < 400) {
    return {
      status: 'warn',
      found: told(
        `${status}: a redirect, which the probe does not follow`,
        `${status}: um redirecionamento, que a verificação não segue`,
        '',
      ),
    };
  }
  return {
    status: 'warn',
    found: told(`${status}: the request is refused`, `${status}: a requisição é recusada`, said),
  };
}

/** The two keys of §5 in words. */
export const keyNames: Readonly<Record<KeyKind, Text>> = {
  invoice: { en: 'invoice key', pt: 'chave de emissão' },
  data: { en: 'data key', pt: 'chave de consulta' },
};

const LONGEST_SAID = 160;

/** The message of the service, safe for one line. The look has no key in it. */
export function saidIn({ bytes }: Look): string {
  const { message = '' } = decodeError(bytes, []);
  const safe = terminalLine(message.replaceAll(/\s+/g, ' '));
  return safe.length > LONGEST_SAID ? `${safe.slice(0, LONGEST_SAID)}…` : safe;
}

function told(en: string, pt: string, said: string): Text {
  return said === '' ? { en, pt } : { en: `${en} ("${said}")`, pt: `${pt} ("${said}")` };
}

/** The verdict of an answer at another path than the program would use. */
function moved(
  row: ProbeRow,
  { id, path, route }: { readonly id: OperationId; readonly path: string | null; readonly route: string },
): ProbeRow {
  const isVersion = route.startsWith('/v3/companies/');
  const found = {
    en: `not found at the path that is set, but at ${route}; ${row.found.en}${isVersion ? othersToo.en : ''}`,
    pt: `não encontrado no caminho definido, mas em ${route}; ${row.found.pt}${isVersion ? othersToo.pt : ''}`,
  };
  if (row.status === 'problem' || row.status === 'untested') return { ...row, found };
  const settings = [{ name: `paths.${id}`, value: path }, ...(row.settings ?? [])];
  return { ...row, status: 'differs', found, settings };
}

const otherPaths = {
  en: ['# other known path', '# other known paths'],
  pt: ['# outro caminho conhecido', '# outros caminhos conhecidos'],
} as const;

function absentEverywhere(status: number, others: number): Text {
  const paths = counted(others, otherPaths);
  const [en, pt] = others === 0 ? ['', ''] : [` here and at ${paths.en}`, ` aqui e em ${paths.pt}`];
  return {
    en: `not tested: ${status}${en}; either the route or what it was asked about does not exist`,
    pt: `não testado: ${status}${pt}; ou a rota, ou o que foi pedido não existe`,
  };
}

const readable: Text = { en: 'the answer is as expected', pt: 'a resposta é a esperada' };
const aFile: Text = {
  en: 'the route answers; the file itself is not examined',
  pt: 'a rota responde; o arquivo em si não é examinado',
};
const aPage: Text = {
  en: 'a web page came instead of a document',
  pt: 'veio uma página da web em vez de um documento',
};
const othersToo: Text = {
  en: '; only this list was asked: the operations below the same path were not, and may need the same version',
  pt: '; só esta lista foi consultada: as operações sob o mesmo caminho não foram, e podem exigir a mesma versão',
};

type ListShape = AnswerShape & { readonly is: 'list' };

/** What an answer shows of the place of its list. */
interface PlaceVerdict {
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
function judgeList(
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
function placeOf(body: unknown, { in: names }: ListShape, configured: string | undefined): string | undefined {
  if (Array.isArray(body)) return bareArray;
  if (!isRecord(body)) return undefined;
  const lists = Object.keys(body).filter((name) => Array.isArray(body[name]) && !/^errors?$/.test(name));
  const known = [...(configured === undefined ? [] : [configured]), ...names].find((name) => lists.includes(name));
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
