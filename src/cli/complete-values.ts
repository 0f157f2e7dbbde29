import type { Language } from '../contract/text.js';
import { terminalLine } from '../domain/terminal-text.js';
import type { Candidate } from '../io/shell-completion.js';
import type { SuggestedKind } from '../store/sqlite/suggestions.js';
import type { OptionSpec } from './command.js';

/** What the shell completes by itself, or what is known here. */
export type ValueKind = 'file' | 'folder' | 'event' | 'company' | 'profile' | SuggestedKind;

/** What the values of an option of a command are. */
export function optionValueKind(noun: string, name: string, spec: OptionSpec): ValueKind | undefined {
  if (name === 'company') return 'company';
  if (name === 'profile') return 'profile';
  if (name === 'event' && noun === 'manifestation') return 'event';
  if (spec.kind === 'toggle' || spec.kind === 'choice') return undefined;
  if (spec.value === 'file' || (spec.value === 'path' && noun !== 'webhook')) return 'file';
  return spec.value === 'folder' ? 'folder' : undefined;
}

/** What the values of an argument of a command are. */
export function argumentValueKind(command: string, name: string): ValueKind | undefined {
  const [noun = ''] = command.split(' ', 1);
  if (name === 'file' || name === 'plan') return 'file';
  if (command === 'job resolve') return 'uncertain';
  if (noun === 'job' && name === 'id') return 'jobs';
  if (name === 'product') return 'products';
  if (name === 'company' || name === 'companyId') return 'company';
  return name === 'profile' ? 'profile' : undefined;
}

/**
 * A shell may evaluate what it inserts, so a value of the service is offered only if it has no character that a shell reads
 * as its own.
 */
const plainWord = /^[\p{L}\p{N}_][\p{L}\p{N}_.@+/-]{0,99}$/u;

/** Values with their descriptions, each on one line. */
export function offered(values: readonly { readonly value: string; readonly description: string | null }[]) {
  return values.flatMap(({ value, description }): readonly Candidate[] =>
    plainWord.test(value) ? [{ value, description: lineOf(description ?? '') }] : [],
  );
}

function lineOf(text: string): string {
  return terminalLine(text).replaceAll(/\s+/g, ' ').trim().slice(0, 80);
}

/** A company by its CNPJ, and by the first word of its name where the typed word begins it. */
export function companyWords(companies: readonly Candidate[], typed: string): readonly Candidate[] {
  const start = plain(typed);
  const named = companies.flatMap(({ value, description }) => {
    const [first = ''] = description.split(' ', 1);
    if (start === '' || !plain(first).startsWith(start)) return [];
    return [{ value: typed + first.slice(typed.length), description: `${description}, ${value}` }];
  });
  const isUnique = ({ value }: Candidate): boolean => named.filter((one) => one.value === value).length === 1;
  return [...companies, ...offered(named.filter(isUnique))];
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The names of events with what they say. */
export async function eventWords(language: Language): Promise<readonly Candidate[]> {
  const { eventTypes } = await import('../domain/event-codes.js');
  return eventTypes.map(({ name, label }) => ({ value: name, description: label[language] }));
}
