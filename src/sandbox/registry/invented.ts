import type { PostalAddress } from '../../contract/address.js';
import { unitOf } from '../core/chance.js';
import { invalid, Refusal } from '../core/refusal.js';

/** A person in the registry of the Receita Federal. */
interface Person {
  readonly name: string;
  readonly status: string;
}

const firstNames = ['Ana', 'Bruno', 'Carla', 'Diego', 'Elisa', 'Fábio', 'Gabriela', 'Heitor', 'Inês', 'João'];
const middleNames = ['Almeida', 'Barbosa', 'Cardoso', 'Duarte', 'Esteves', 'Ferraz', 'Gomes', 'Lima'];
const lastNames = ['Moraes', 'Nogueira', 'Oliveira', 'Pereira', 'Queiroz', 'Ribeiro', 'Souza', 'Teixeira'];
const otherStatuses = ['Pendente de Regularização', 'Suspensa', 'Cancelada', 'Titular Falecido'];
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

const streets = [
  'das Acácias',
  'dos Ipês',
  'da Independência',
  'Sete de Setembro',
  'São João',
  'do Comércio',
];
const suffixes = ['Rua', 'Avenida', 'Travessa', 'Praça'];
const districts = ['Centro', 'Jardim América', 'Vila Nova', 'Bela Vista', 'Santo Antônio', 'Boa Esperança'];

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

/** One of the values, always the same for the same text. */
function pick(values: readonly string[], from: string): string {
  return values[Math.floor(unitOf(from) * values.length)] ?? values[0] ?? '';
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
