import type { Text } from '../contract/text.js';
import { mod11, weights2To9 } from './tax-number.js';
import { isValid, type Issue } from './issue.js';
import { withoutGlyph } from './terminal-text.js';

/** The document that a key of 44 characters identifies, by its model (facts §1). */
type InvoiceKind = 'nfe' | 'nfce' | 'cte' | 'cte-os' | 'mdfe' | 'cfe-sat' | 'nfcom' | 'bpe' | 'gtve' | 'nf3e';

const invoiceModels: Readonly<Record<string, InvoiceKind>> = {
  55: 'nfe',
  65: 'nfce',
  57: 'cte',
  67: 'cte-os',
  58: 'mdfe',
  59: 'cfe-sat',
  62: 'nfcom',
  63: 'bpe',
  64: 'gtve',
  66: 'nf3e',
};

const states: Readonly<Record<string, string>> = {
  11: 'RO',
  12: 'AC',
  13: 'AM',
  14: 'RR',
  15: 'PA',
  16: 'AP',
  17: 'TO',
  21: 'MA',
  22: 'PI',
  23: 'CE',
  24: 'RN',
  25: 'PB',
  26: 'PE',
  27: 'AL',
  28: 'SE',
  29: 'BA',
  31: 'MG',
  32: 'ES',
  33: 'RJ',
  35: 'SP',
  41: 'PR',
  42: 'SC',
  43: 'RS',
  50: 'MS',
  51: 'MT',
  52: 'GO',
  53: 'DF',
};

/** `35` → `SP`, by the codes of IBGE. */
export function stateOfCode(code: string): string | undefined {
  return states[code];
}

/** The fields of a 44-character key (facts §1), as text. */
interface InvoiceKeyParts {
  readonly kind: InvoiceKind | 'unknown';
  readonly stateCode: string;
  readonly state: string | undefined;
  /** `2025-05`. */
  readonly yearMonth: string;
  /** CNPJ or CPF in the key. Not always the issuer's: see `registrationOf`. */
  readonly registration: string;
  readonly registrationOf: 'issuer' | 'issuer-cpf' | 'tax-office';
  readonly model: string;
  readonly series: string;
  readonly number: string;
  readonly emission: string;
  readonly random: string;
  readonly checkDigit: string;
}

/** The fields of a 50-character NFS-e key (facts §2), as text. */
interface ServiceKeyParts {
  readonly kind: 'nfse';
  readonly municipality: string;
  readonly state: string | undefined;
  readonly generator: 'municipality' | 'national' | 'unknown';
  readonly registrationKind: 'cpf' | 'cnpj' | 'unknown';
  readonly registration: string;
  readonly number: string;
  readonly yearMonth: string;
  readonly random: string;
  readonly checkDigit: string;
}

interface KeyCheck<Parts> {
  /** The key without what stands before and in it. */
  readonly value: string;
  readonly valid: boolean;
  /** Absent when the length or the characters are wrong. */
  readonly parts?: Parts;
  readonly issues: readonly Issue[];
}

const invoicePattern = /^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/;
const servicePattern = /^[0-9]{9}[0-9A-Z]{14}[0-9]{27}$/;

/** What stands between the characters of a key on paper, in a spreadsheet (`="…"`) or in copied text: blanks, what nobody sees, punctuation. */
function between(): RegExp {
  return new RegExp(String.raw`[\s${withoutGlyph}\p{Pd}./='\u2018\u2019"\u201c\u201d\u00b4\x60]`, 'gu');
}
/** The prefixes of the `Id` attribute, and the names of the documents that people write before a key. */
const prefix = /^(?:NFCom|NFSe?|NFCe|NF3e|NFe|CTeOS|CTe|CFe|MDFe|BPe|GTVe)(?=[0-9])/i;
/** The models of the keys that a prefix stands before; by the schemas, those of an NFC-e have that of the NF-e, and all CT-e one. */
const modelsAfter: Readonly<Record<string, readonly string[]>> = {
  NFE: ['55', '65'],
  NFCE: ['65'],
  CTE: ['57', '67', '64'],
  CTEOS: ['67'],
  GTVE: ['64'],
  MDFE: ['58'],
  CFE: ['59'],
  NFCOM: ['62'],
  BPE: ['63'],
  NF3E: ['66'],
};

/**
 * A key as XML has it, without what print, spreadsheets and people add to it. A text that is no key keeps its letters, and so does a
 * key after the name of another document: one of the two is wrong.
 */
export function bareKey(text: string): string {
  const { name, key, isMisnamed } = readKey(text);
  return isMisnamed ? name + key : key;
}

/** A key of others as XML has it, who may write `NFe` or blanks with it; a text that is no key stays as it is. */
export function asKey(text: string): string {
  // Every row of a list asks.
  if (text.length < 44 || looksLikeKey(text)) return text;
  const bare = bareKey(text);
  return looksLikeKey(bare) ? bare : text;
}

/** The key in a text, and the name of a document before it; misnamed, it is the key of another one. */
function readKey(text: string): { readonly name: string; readonly key: string; readonly isMisnamed: boolean } {
  // NFKC: digits as wide as the letters of another script.
  const written = /^\w*$/.test(text) ? text : text.normalize('NFKC').replaceAll(between(), '');
  const [name = ''] = prefix.exec(written) ?? [];
  const bare = written.slice(name.length);
  const capitals = bare.toUpperCase();
  if (!looksLikeKey(capitals)) return { name, key: bare, isMisnamed: false };
  const isService = capitals.length === 50;
  const fits = modelsAfter[name.toUpperCase()]?.includes(capitals.slice(20, 22)) ?? (name === '' || isService);
  return { name, key: capitals, isMisnamed: !fits || (isService && name.toUpperCase() in modelsAfter) };
}

/** Checks a key of 44 characters: NF-e, NFC-e, CT-e and the other models of the same layout. */
export function checkInvoiceKey(text: string): KeyCheck<InvoiceKeyParts> {
  const { name, key: value, isMisnamed } = readKey(text);
  const formIssue = wrongForm(text, value, { length: 44, pattern: invoicePattern });
  if (formIssue !== undefined) return { value, valid: false, issues: [formIssue] };
  const parts = invoiceParts(value);
  const issues = [
    ...nameIssues(isMisnamed ? name : undefined),
    ...roundingIssues(value),
    ...stateIssues(parts.state, parts.stateCode, 'error'),
    ...monthIssues(parts.yearMonth),
    ...modelIssues(parts),
    ...numberIssues(parts.number, value),
    ...letterIssues(parts.registration),
    ...digitIssues(value, 'error'),
  ];
  return { value, valid: isValid(issues), parts, issues };
}

/**
 * Checks an NFS-e key of 50 characters. The rule of its check digit is not published, so a mismatch is only a
 * warning.
 */
export function checkServiceKey(text: string): KeyCheck<ServiceKeyParts> {
  const { name, key: value, isMisnamed } = readKey(text);
  const formIssue = wrongForm(text, value, { length: 50, pattern: servicePattern });
  if (formIssue !== undefined) return { value, valid: false, issues: [formIssue] };
  const parts = serviceParts(value);
  const issues = [
    ...nameIssues(isMisnamed ? name : undefined),
    ...roundingIssues(value),
    ...stateIssues(parts.state, parts.municipality.slice(0, 2), 'warning'),
    ...unknownPart('generator', parts.generator),
    ...unknownPart('registrationKind', parts.registrationKind),
    ...monthIssues(parts.yearMonth),
    ...numberIssues(parts.number, value),
    ...letterIssues(parts.registration),
    ...digitIssues(value, 'warning'),
  ];
  return { value, valid: isValid(issues), parts, issues };
}

/** Checks a key by its length: 50 characters are of an NFS-e. */
export function checkKey(text: string): KeyCheck<InvoiceKeyParts> | KeyCheck<ServiceKeyParts> {
  return readKey(text).key.length === 50 ? checkServiceKey(text) : checkInvoiceKey(text);
}

/** Whether a bare text is as long as a key and has no other characters; whether its parts are right is for the checks. */
export function looksLikeKey(value: string): boolean {
  return /^(?:[0-9A-Z]{44}|[0-9A-Z]{50})$/.test(value);
}

/** The type of document that a bare key names by its form and its model; a CT-e OS is a CT-e. `undefined`: no key. */
export function typeOfKey(value: string): 'nfe' | 'nfce' | 'cte' | 'nfse' | 'other' | undefined {
  if (servicePattern.test(value)) return 'nfse';
  if (!invoicePattern.test(value)) return undefined;
  const kind = invoiceModels[value.slice(20, 22)];
  if (kind === 'cte-os') return 'cte';
  return kind === 'nfe' || kind === 'nfce' || kind === 'cte' ? kind : 'other';
}

function invoiceParts(value: string): InvoiceKeyParts {
  const model = value.slice(20, 22);
  const series = value.slice(22, 25);
  const registrationOf = registrationOwner(Number(series), value.slice(6, 9));
  return {
    kind: invoiceModels[model] ?? 'unknown',
    stateCode: value.slice(0, 2),
    state: stateOfCode(value.slice(0, 2)),
    yearMonth: `20${value.slice(2, 4)}-${value.slice(4, 6)}`,
    registration: registrationOf === 'issuer-cpf' ? value.slice(9, 20) : value.slice(6, 20),
    registrationOf,
    model,
    series,
    number: value.slice(25, 34),
    emission: value.charAt(34),
    random: value.slice(35, 43),
    checkDigit: value.charAt(43),
  };
}

/** The tax office issues series 890 to 899 with its own CNPJ; a person issues series 910 to 969, with `000` before the CPF. */
function registrationOwner(series: number, start: string): InvoiceKeyParts['registrationOf'] {
  if (series >= 890 && series <= 899) return 'tax-office';
  return series >= 910 && series <= 969 && start === '000' ? 'issuer-cpf' : 'issuer';
}

function serviceParts(value: string): ServiceKeyParts {
  const generators: Readonly<Record<string, ServiceKeyParts['generator']>> = { 1: 'municipality', 2: 'national' };
  const kinds: Readonly<Record<string, ServiceKeyParts['registrationKind']>> = { 1: 'cpf', 2: 'cnpj' };
  const registrationKind = kinds[value.charAt(8)] ?? 'unknown';
  return {
    kind: 'nfse',
    municipality: value.slice(0, 7),
    state: stateOfCode(value.slice(0, 2)),
    generator: generators[value.charAt(7)] ?? 'unknown',
    registrationKind,
    registration: registrationKind === 'cpf' && value.slice(9, 12) === '000' ? value.slice(12, 23) : value.slice(9, 23),
    number: value.slice(23, 36),
    yearMonth: `20${value.slice(36, 38)}-${value.slice(38, 40)}`,
    random: value.slice(40, 49),
    checkDigit: value.charAt(49),
  };
}

/** A key that a spreadsheet took for a number, as it shows one of 44 or 50 digits: `3,52605E+43`. */
const scientific = /^\d(?:[.,]\d+)?E\+?(?:43|49)$/i;

/** Whether a check found that a spreadsheet has rounded the key, as it writes the number or with zeros for the digits that it lost. */
export function wasRounded({ issues }: Pick<KeyCheck<unknown>, 'issues'>): boolean {
  return issues.some(({ code }) => code === 'rounded');
}

function wrongForm(
  text: string,
  value: string,
  { length, pattern }: { readonly length: number; readonly pattern: RegExp },
): Issue | undefined {
  if (scientific.test(text.normalize('NFKC').replaceAll(/[\s"'=]/g, ''))) return error('rounded', 'key', hasRounded);
  if (value.length !== length) {
    return error('length', 'key', {
      en: `it needs ${length} characters and has ${value.length}`,
      pt: `precisa de ${length} caracteres e tem ${value.length}`,
    });
  }
  if (pattern.test(value)) return undefined;
  return error('characters', 'key', {
    en: 'it may contain only digits, and capital letters within the CNPJ',
    pt: 'só pode conter algarismos, e letras maiúsculas dentro do CNPJ',
  });
}

function nameIssues(name: string | undefined): readonly Issue[] {
  if (name === undefined) return [];
  const message = {
    en: `${name} stands before it, and it is the key of another document`,
    pt: `${name} está antes dela, e ela é a chave de outro documento`,
  };
  return [error('prefix', 'key', message)];
}

/** A spreadsheet keeps 15 digits of a number and shows zeros for the others. */
function roundingIssues(value: string): readonly Issue[] {
  if (!/^[0-9]{15}0+$/.test(value)) return [];
  return [error('rounded', 'key', hasRounded)];
}

const hasRounded: Text = {
  en: 'a spreadsheet has rounded the key, and its digits are lost',
  pt: 'uma planilha arredondou a chave, e os dígitos se perderam',
};

function stateIssues(state: string | undefined, code: string, severity: Issue['severity']): readonly Issue[] {
  if (state !== undefined) return [];
  const message = { en: `no state has the code ${code}`, pt: `nenhum estado tem o código ${code}` };
  return [{ code: 'state', severity, field: 'stateCode', message }];
}

function monthIssues(yearMonth: string): readonly Issue[] {
  const month = Number(yearMonth.slice(5));
  if (month >= 1 && month <= 12) return [];
  return [error('month', 'yearMonth', { en: `${month} is not a month`, pt: `${month} não é um mês` })];
}

function modelIssues({ kind, model }: InvoiceKeyParts): readonly Issue[] {
  if (kind !== 'unknown') return [];
  // The list of models grows with the law, so an unknown model is only a warning.
  return [
    warning('model', 'model', { en: `the model ${model} is not known`, pt: `o modelo ${model} não é conhecido` }),
  ];
}

/** A key whose check digit fits was made by software, so a strange number in it is only a warning. */
function numberIssues(number: string, key: string): readonly Issue[] {
  if (!/^0+$/.test(number)) return [];
  const isFitting = digitIssues(key, 'error').length === 0;
  const message = { en: 'the number is zero', pt: 'o número é zero' };
  return [(isFitting ? warning : error)('number', 'number', message)];
}

function letterIssues(registration: string): readonly Issue[] {
  if (!/[A-Z]/.test(registration)) return [];
  return [
    warning('letters', 'registration', {
      en: 'the CNPJ has letters: the service documents only digits and may reject the key',
      pt: 'o CNPJ tem letras: o serviço documenta só algarismos e pode rejeitar a chave',
    }),
  ];
}

function unknownPart(field: string, value: string): readonly Issue[] {
  if (value !== 'unknown') return [];
  return [
    error(field, field, {
      en: 'the digit at this position must be 1 or 2',
      pt: 'o algarismo nessa posição deve ser 1 ou 2',
    }),
  ];
}

function digitIssues(value: string, severity: Issue['severity']): readonly Issue[] {
  const expected = mod11(value.slice(0, -1), weights2To9);
  const found = value.slice(-1);
  if (found === expected) return [];
  const message = {
    en: `the check digit is ${found}, expected ${expected}`,
    pt: `o dígito verificador é ${found}, esperado ${expected}`,
  };
  return [{ code: 'check-digit', severity, field: 'checkDigit', message }];
}

function error(code: string, field: string, message: Issue['message']): Issue {
  return { code, severity: 'error', field, message };
}

function warning(code: string, field: string, message: Issue['message']): Issue {
  return { code, severity: 'warning', field, message };
}
