import type { Address, PostalAddress } from '../../contract/address.js';
import { unitOf } from './chance.js';
import { Refusal, invalid } from './refusal.js';

const kinds: Choice<string> = [
  'Comercial',
  'Distribuidora',
  'Indústria',
  'Atacado',
  'Importadora',
  'Mercado',
  'Oficina',
];
const names: Choice<string> = [
  'Aurora',
  'Boa Vista',
  'Caminho Novo',
  'Ipê',
  'Jatobá',
  'Mantiqueira',
  'Paraíso',
  'Serra Azul',
];
const places: Choice<BusinessPlace> = [
  { state: 'SP', city: 'São Paulo', cityCode: '3550308', postalCode: '01310100' },
  { state: 'RJ', city: 'Rio de Janeiro', cityCode: '3304557', postalCode: '20040002' },
  { state: 'MG', city: 'Belo Horizonte', cityCode: '3106200', postalCode: '30130010' },
  { state: 'PR', city: 'Curitiba', cityCode: '4106902', postalCode: '80010000' },
  { state: 'BA', city: 'Salvador', cityCode: '2927408', postalCode: '40020000' },
];

interface BusinessPlace {
  readonly state: string;
  readonly city: string;
  /** IBGE. */
  readonly cityCode: string;
  readonly postalCode: string;
}

/** An invented business name, always the same for the same text. */
export function businessName(from: string): string {
  return `${pick(kinds, `${from}:kind`)} ${pick(names, `${from}:name`)} Ltda`;
}

export function businessPlace(from: string): BusinessPlace {
  return pick(places, `${from}:place`);
}

/** The whole address at that place. */
export function businessAddress(from: string): Address {
  const { state, city, cityCode, postalCode } = businessPlace(from);
  const street = { street: 'Rua Quinze de Novembro', number: '100', district: 'Centro' };
  return { state, city: { code: cityCode, name: city }, ...street, postalCode, country: 'BRA' };
}

/** Values of which there is at least one. */
type Choice<Value> = readonly [Value, ...Value[]];

/** One of the values, always the same for the same text. */
function pick<Value>(values: Choice<Value>, from: string): Value {
  return values[Math.floor(unitOf(from) * values.length)] ?? values[0];
}

const firstWeights = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const secondWeights = [6, ...firstWeights];

/** A tax number or protocol where a number is published, which loses leading zeros; what has letters stays text. */
export function shownNumber(text: string | number): string | number {
  return /^\d+$/.test(String(text)) ? Number(text) : text;
}

/** True for twelve digits or capital letters and two valid check digits; letters only if `lettersAllowed`. */
export function isCnpj(text: string, lettersAllowed: boolean): boolean {
  if (!(lettersAllowed ? /^[0-9A-Z]{12}[0-9]{2}$/ : /^[0-9]{14}$/).test(text)) return false;
  if (/^0{14}$/.test(text)) return false;
  return withCheckDigits(text.slice(0, 12)) === text;
}

/** Appends the check digits to twelve characters. */
export function withCheckDigits(base: string): string {
  const first = base + cnpjDigit(base, firstWeights);
  return first + cnpjDigit(first, secondWeights);
}

function cnpjDigit(text: string, weights: readonly number[]): string {
  const sum = weights.reduce((total, weight, index) => total + weight * (text.charCodeAt(index) - 48), 0);
  const rest = sum % 11;
  return rest < 2 ? '0' : String(11 - rest);
}

/** True for eleven digits with valid check digits (weights 10 to 2 and 11 to 2), unless all digits are equal. */
export function isCpf(text: string): boolean {
  if (!/^\d{11}$/.test(text) || /^(\d)\1{10}$/.test(text)) return false;
  const first = text.slice(0, 9) + cpfDigit(text.slice(0, 9));
  return first + cpfDigit(first) === text;
}

function cpfDigit(text: string): string {
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * (text.length + 1 - index), 0);
  const rest = sum % 11;
  return rest < 2 ? '0' : String(11 - rest);
}

/** A person in the registry of the Receita Federal. */
interface Person {
  readonly name: string;
  readonly status: string;
}

const firstNames: Choice<string> = [
  'Ana',
  'Bruno',
  'Carla',
  'Diego',
  'Elisa',
  'Fábio',
  'Gabriela',
  'Heitor',
  'Inês',
  'João',
];
const middleNames: Choice<string> = ['Almeida', 'Barbosa', 'Cardoso', 'Duarte', 'Esteves', 'Ferraz', 'Gomes', 'Lima'];
const lastNames: Choice<string> = [
  'Moraes',
  'Nogueira',
  'Oliveira',
  'Pereira',
  'Queiroz',
  'Ribeiro',
  'Souza',
  'Teixeira',
];
const otherStatuses: Choice<string> = ['Pendente de Regularização', 'Suspensa', 'Cancelada', 'Titular Falecido'];
const regularShare = 0.9;

/** Invents a person, always the same for a CPF. */
export function personOf(cpf: string): Person {
  const name = [firstNames, middleNames, lastNames].map((names, part) => pick(names, `${cpf}:name:${part}`));
  const isRegular = unitOf(`${cpf}:regular`) < regularShare;
  return { name: name.join(' '), status: isRegular ? 'Regular' : pick(otherStatuses, `${cpf}:status`) };
}

/** Parses a day of birth, `yyyy-mm-dd`, to milliseconds. Throws 400 for other text and for a future day. */
export function readBirthDate(text: string, now: number): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const isDay = Number.isFinite(at) && new Date(at).toISOString().startsWith(text);
  if (!isDay || at > now) throw invalid('birthDate', 'Must be a day in the past, such as 1980-12-31.');
  return at;
}

/** A day that matches no person, for tests of a CPF with a wrong date. */
const foreignDay = '1900-01-01';

export function requireOwnBirthDate(text: string): void {
  if (text !== foreignDay) return;
  throw new Refusal('not_found', 'The CPF is unknown, or the date of birth does not match.');
}

/** A range of postal codes with its capital. Bounds are the first five digits. */
interface Region {
  readonly from: number;
  readonly to: number;
  readonly state: string;
  readonly city: { readonly code: string; readonly name: string };
}

const regions: readonly Region[] = `
  01000-19999 SP 3550308 São Paulo
  20000-28999 RJ 3304557 Rio de Janeiro
  29000-29999 ES 3205309 Vitória
  30000-39999 MG 3106200 Belo Horizonte
  40000-48999 BA 2927408 Salvador
  49000-49999 SE 2800308 Aracaju
  50000-56999 PE 2611606 Recife
  57000-57999 AL 2704302 Maceió
  58000-58999 PB 2507507 João Pessoa
  59000-59999 RN 2408102 Natal
  60000-63999 CE 2304400 Fortaleza
  64000-64999 PI 2211001 Teresina
  65000-65999 MA 2111300 São Luís
  66000-68899 PA 1501402 Belém
  68900-68999 AP 1600303 Macapá
  69000-69299 AM 1302603 Manaus
  69300-69399 RR 1400100 Boa Vista
  69400-69899 AM 1302603 Manaus
  69900-69999 AC 1200401 Rio Branco
  70000-72799 DF 5300108 Brasília
  72800-72999 GO 5208707 Goiânia
  73000-73699 DF 5300108 Brasília
  73700-76799 GO 5208707 Goiânia
  76800-76999 RO 1100205 Porto Velho
  77000-77999 TO 1721000 Palmas
  78000-78899 MT 5103403 Cuiabá
  79000-79999 MS 5002704 Campo Grande
  80000-87999 PR 4106902 Curitiba
  88000-89999 SC 4205407 Florianópolis
  90000-99999 RS 4314902 Porto Alegre
`
  .trim()
  .split('\n')
  .map(regionOf);

const streets: Choice<string> = [
  'das Acácias',
  'dos Ipês',
  'da Independência',
  'Sete de Setembro',
  'São João',
  'do Comércio',
];
const suffixes: Choice<string> = ['Rua', 'Avenida', 'Travessa', 'Praça'];
const districts: Choice<string> = [
  'Centro',
  'Jardim América',
  'Vila Nova',
  'Bela Vista',
  'Santo Antônio',
  'Boa Esperança',
];

/** The street of a postal code, always the same; `undefined` outside the ranges of the Correios. */
export function addressOfPostalCode(postalCode: string): PostalAddress | undefined {
  const prefix = Number(postalCode.slice(0, 5));
  const found = regions.find(({ from, to }) => prefix >= from && prefix <= to);
  if (found === undefined) return undefined;
  // A code that ends in 000 covers a whole city and has no street.
  const town = { state: found.state, city: found.city, postalCode, country: 'BRA' };
  if (postalCode.endsWith('000')) return town;
  return {
    ...town,
    district: pick(districts, `${postalCode}:district`),
    streetSuffix: pick(suffixes, `${postalCode}:suffix`),
    street: pick(streets, `${postalCode}:street`),
  };
}

/** `01000-19999 SP 3550308 São Paulo`. */
function regionOf(line: string): Region {
  const [range = '', state = '', code = '', ...name] = line.trim().split(' ');
  const [from = 0, to = 0] = range.split('-').map(Number);
  return { from, to, state, city: { code, name: name.join(' ') } };
}

/** Prefixes of reserved numbers: not registered, and a source that does not answer. */
const nobody = '9';
const silent = '8';

/**
 * Throws for reserved numbers: 404 for `9…`, which are not registered, 503 for `8…`, whose source does not answer.
 * `digits`: the length of the prefix.
 */
export function refuseReserved(number: string, digits: number, missing: string): void {
  if (number.startsWith(nobody.repeat(digits))) throw new Refusal('not_found', missing);
  if (number.startsWith(silent.repeat(digits))) {
    throw new Refusal('source_unavailable', 'The source of this data does not answer at the moment.');
  }
}
