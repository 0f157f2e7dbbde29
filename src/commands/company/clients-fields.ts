import { closestWord } from '../../cli/closest-word.js';
import type { Text } from '../../contract/text.js';
import { isRecord } from '../../domain/record.js';
import type { PathStep } from '../../services/input/field-path.js';

type Leaf = 'text' | 'whole' | 'decimal' | 'flag' | 'list';

/** The fields of an object, or a list of such objects. */
interface Fields {
  readonly [name: string]: Leaf | Fields | readonly [Fields];
}

const captureOfNfe = { startFromNsu: 'text', startFromDate: 'text', environmentSEFAZ: 'text' } as const;

/** The fields of one client, by the names of the service. */
export const clientFields = {
  ...{ cnpj: 'text', name: 'text', tradeName: 'text', taxRegime: 'text', municipalTaxNumber: 'text' },
  address: {
    ...{ street: 'text', number: 'text', additionalInformation: 'text', district: 'text' },
    ...{ city: { code: 'text', name: 'text' }, state: 'text', postalCode: 'text', country: 'text' },
  },
  stateTaxes: [
    {
      ...{ code: 'text', taxNumber: 'text', type: 'text', environmentType: 'text', specialTaxRegime: 'text' },
      ...{ serie: 'whole', number: 'whole', processingDetails: { switchAuthorizerStrategy: 'text' } },
    },
  ],
  municipalTaxes: [
    {
      city: { code: 'text', name: 'text', state: 'text', country: 'text' },
      ...{ taxNumber: 'text', environment: 'text', specialTaxRegime: 'text', email: 'text' },
      ...{ legalNature: 'text', companyRegistryNumber: 'whole', regionalTaxNumber: 'whole' },
      ...{ issRate: 'decimal', federalTaxDetermination: 'text', municipalTaxDetermination: 'text' },
      ...{ rpsSerialNumber: 'text', rpsNumber: 'whole' },
    },
  ],
  certificate: { file: 'text', thumbprint: 'text' },
  capture: {
    nfe: { ...captureOfNfe, webhookVersion: 'text', webhookEvents: 'list', outboundEnabled: 'flag' },
    cte: captureOfNfe,
    nfse: { initialNsu: 'text', startFromDate: 'text', webhookUrl: 'text', outboundEnabled: 'flag' },
  },
} as const satisfies Fields;

export const webhookFields = {
  ...{ uri: 'text', status: 'text', filters: 'list', insecureSsl: 'flag', secretFile: 'text' },
} as const satisfies Fields;

/** A problem with a value, by its path. */
export interface FieldProblem {
  readonly path: readonly PathStep[];
  readonly message: Text;
}

/** The value of a file with the types of its fields; what is empty is left out. Every scalar comes as text. */
export function typed(
  value: unknown,
  fields: Fields,
  report: (problem: FieldProblem) => void,
): Readonly<Record<string, unknown>> {
  return typedObject(value, fields, { path: [], report });
}

interface Place {
  readonly path: readonly PathStep[];
  report(problem: FieldProblem): void;
}

function typedObject(value: unknown, fields: Fields, place: Place): Readonly<Record<string, unknown>> {
  const { path, report } = place;
  if (!isRecord(value)) {
    if (!isEmpty(value)) report({ path, message: mustBeObject });
    return {};
  }
  const entries = Object.entries(value).flatMap(([name, inner]): (readonly [string, unknown])[] => {
    const at = { ...place, path: [...path, name] };
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) {
      report({ path: at.path, message: notTaken(name, Object.keys(fields)) });
      return [];
    }
    const isFamily = path.length === 1 && path[0] === 'capture';
    const result = isFamily ? typedCapture(inner, field, at) : typedValue(inner, field, at);
    return result === undefined ? [] : [[name, result]];
  });
  return Object.fromEntries(entries);
}

/** `nfe: yes` and an empty `nfe:` enable a capture with what the service chooses. */
function typedCapture(value: unknown, field: Leaf | Fields | readonly [Fields], place: Place): unknown {
  if (isRecord(value)) return typedValue(value, field, place);
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (isEmpty(value) || yes.has(word)) return {};
  place.report({ path: place.path, message: no.has(word) ? neverEnded : mustBeObject });
  return undefined;
}

function typedValue(value: unknown, field: Leaf | Fields | readonly [Fields], place: Place): unknown {
  if (typeof field === 'string') return typedLeaf(value, field, place);
  if (!isList(field)) return isEmpty(value) ? undefined : typedObject(value, field, place);
  if (isEmpty(value)) return undefined;
  if (!Array.isArray(value)) return void place.report({ path: place.path, message: mustBeList });
  return value.map((entry: unknown, index) => typedObject(entry, field[0], { ...place, path: [...place.path, index] }));
}

function isList(field: Fields | readonly [Fields]): field is readonly [Fields] {
  return Array.isArray(field);
}

function typedLeaf(value: unknown, kind: Leaf, { path, report }: Place): unknown {
  if (isEmpty(value)) return undefined;
  if (kind === 'list' && Array.isArray(value)) return value.map(String);
  if (typeof value !== 'string') return void report({ path, message: mustBeOne });
  const text = value.trim();
  if (kind === 'text') return text;
  if (kind === 'list') return text.split(/[,;]/).map((word) => word.trim());
  if (kind === 'flag') {
    const word = text.toLowerCase();
    if (yes.has(word) || no.has(word)) return yes.has(word);
    return void report({ path, message: mustBeYesOrNo });
  }
  const number = kind === 'decimal' ? text.replace(',', '.') : text;
  const isNumber = kind === 'whole' ? /^\d{1,15}$/.test(number) : /^\d{1,9}(?:\.\d{1,6})?$/.test(number);
  return isNumber ? Number(number) : void report({ path, message: mustBeNumber });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

const yes: ReadonlySet<string> = new Set(['true', 'yes', 'sim', 's', 'x', '1', 'on']);
const no: ReadonlySet<string> = new Set(['false', 'no', 'não', 'nao', 'n', '0', 'off']);

/** Names under which people look for a place for a secret, or for what manifests by itself. */
const secretNames =
  /^(?:.*password.*|.*senha.*|secret|segredo|token|csc|securityCredential|loginName|authIssueValue|headers)$/i;
const automaticNames = /^(?:automatic|isAutomatic)/i;

function notTaken(name: string, known: readonly string[]): Text {
  if (secretNames.test(name)) return noSecret;
  if (automaticNames.test(name)) return notAutomatic;
  const near = closestWord(name, known);
  const list = known.join(', ');
  return near === undefined
    ? { en: `is not a field here; possible: ${list}`, pt: `não é um campo aqui; possíveis: ${list}` }
    : { en: `is not a field here; did you mean ${near}?`, pt: `não é um campo aqui; você quis dizer ${near}?` };
}

const noSecret: Text = {
  en: 'is a secret, and this file takes none: the password of a certificate comes from --passwords-file or --password-command, the secret of a webhook from the file in secretFile, and the CSC and the credentials of a city hall from company registration update and company registration update',
  pt: 'é um segredo, e este arquivo não aceita nenhum: a senha de um certificado vem de --passwords-file ou --password-command, o segredo de um webhook do arquivo em secretFile, e o CSC e as credenciais da prefeitura de company registration update e company registration update',
};

const notAutomatic: Text = {
  en: 'makes the service manifest by itself, and is not set by a file: fiscal inbound capture update',
  pt: 'faz o serviço manifestar sozinho, e não é definido por arquivo: fiscal inbound capture update',
};

const neverEnded: Text = {
  en: 'a file never ends a capture: fiscal inbound capture disable',
  pt: 'um arquivo nunca encerra uma captura: fiscal inbound capture disable',
};

const mustBeObject: Text = { en: 'must be a mapping (name: value)', pt: 'deve ser um mapa (nome: valor)' };
const mustBeList: Text = { en: 'must be a list', pt: 'deve ser uma lista' };
const mustBeOne: Text = { en: 'must be one value', pt: 'deve ser um único valor' };
const mustBeYesOrNo: Text = { en: 'must be true or false', pt: 'deve ser true ou false' };
const mustBeNumber: Text = { en: 'must be a number', pt: 'deve ser um número' };
