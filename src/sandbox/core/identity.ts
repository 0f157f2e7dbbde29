import type { Address } from '../../contract/address.js';
import { unitOf } from './chance.js';

const kinds = ['Comercial', 'Distribuidora', 'Indústria', 'Atacado', 'Importadora', 'Mercado', 'Oficina'];
const names = [
  'Aurora',
  'Boa Vista',
  'Caminho Novo',
  'Ipê',
  'Jatobá',
  'Mantiqueira',
  'Paraíso',
  'Serra Azul',
];
const places: readonly BusinessPlace[] = [
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
  return `${pick(kinds, `${from}:kind`, 'Comercial')} ${pick(names, `${from}:name`, 'Aurora')} Ltda`;
}

export function businessPlace(from: string): BusinessPlace {
  const otherwise = { state: 'SP', city: 'São Paulo', cityCode: '3550308', postalCode: '01310100' };
  return pick(places, `${from}:place`, otherwise);
}

/** The whole address at that place. */
export function businessAddress(from: string): Address {
  const { state, city, cityCode, postalCode } = businessPlace(from);
  const street = { street: 'Rua Quinze de Novembro', number: '100', district: 'Centro' };
  return { state, city: { code: cityCode, name: city }, ...street, postalCode, country: 'BRA' };
}

function pick<Value>(values: readonly Value[], from: string, otherwise: Value): Value {
  return values[Math.floor(unitOf(from) * values.length)] ?? otherwise;
}

const firstWeights = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const secondWeights = [6, ...firstWeights];

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
