import { unitOf } from '../core/chance.js';
import { invalid, Refusal } from '../core/refusal.js';
import { pick } from './places.js';

/** A person as the registry of the Receita Federal shows one. */
export interface Person {
  readonly name: string;
  readonly status: string;
}

const firstNames = ['Ana', 'Bruno', 'Carla', 'Diego', 'Elisa', 'Fábio', 'Gabriela', 'Heitor', 'Inês', 'João'];
const middleNames = ['Almeida', 'Barbosa', 'Cardoso', 'Duarte', 'Esteves', 'Ferraz', 'Gomes', 'Lima'];
const lastNames = ['Moraes', 'Nogueira', 'Oliveira', 'Pereira', 'Queiroz', 'Ribeiro', 'Souza', 'Teixeira'];
const otherStatuses = ['Pendente de Regularização', 'Suspensa', 'Cancelada', 'Titular Falecido'];
const regularShare = 0.9;

/** Always the same person for the same CPF. */
export function personOf(cpf: string): Person {
  const name = [firstNames, middleNames, lastNames].map((names, part) => pick(names, `${cpf}:name:${part}`));
  const isRegular = unitOf(`${cpf}:regular`) < regularShare;
  return { name: name.join(' '), status: isRegular ? 'Regular' : pick(otherStatuses, `${cpf}:status`) };
}

/** A day of birth, `aaaa-mm-dd`, that is not in the future. Gives its milliseconds. */
export function readBirthDate(text: string, now: number): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const isDay = Number.isFinite(at) && new Date(at).toISOString().startsWith(text);
  if (!isDay || at > now) throw invalid('birthDate', 'Must be a day in the past, such as 1980-12-31.');
  return at;
}

/** The day that fits no person, so that a test meets a CPF and a date that do not belong together. */
const foreignDay = '1900-01-01';

export function requireOwnBirthDate(text: string): void {
  if (text !== foreignDay) return;
  throw new Refusal('not_found', 'The CPF is not known, or the date of birth is not its own.');
}
