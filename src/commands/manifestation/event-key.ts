import type { Text } from '../../contract/text.js';
import { checkKey, wasRounded } from '../../domain/access-key.js';
import type { EventFamily } from '../../domain/event-codes.js';
import type { Issue } from '../../domain/issue.js';

/** A problem or warning about one field of a submission. */
export interface Finding {
  readonly field: string;
  readonly message: Text;
}

/** An access key; its length distinguishes NF-e from NFS-e. */
export interface EventKey {
  readonly family: EventFamily;
  readonly value: string;
  /** Warnings: letters, a model other than NF-e, the check digit of an NFS-e. */
  readonly notes: readonly Finding[];
}

const field = 'accessKey';

/** Reads an access key of 44 (NF-e) or 50 (NFS-e) characters. */
export function readEventKey(written: unknown): EventKey | { readonly problem: readonly Finding[] } {
  if (typeof written !== 'string') return { problem: [{ field, message: mustBeText }] };
  const check = checkKey(written);
  const { length } = check.value;
  if (length !== 44 && length !== 50 && !wasRounded(check))
    return { problem: [{ field, message: wrongLength(length) }] };
  const family = length === 44 ? 'nfe' : 'nfse';
  const errors = check.issues.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return { problem: errors.map(findingOf) };
  const warnings = check.issues.filter(({ severity }) => severity === 'warning').map(findingOf);
  const kind = check.parts?.kind;
  const others = family === 'nfe' && kind !== 'nfe' && kind !== 'unknown' ? [notNfe(check.value)] : [];
  return { family, value: check.value, notes: [...warnings, ...others] };
}

function findingOf({ message }: Issue): Finding {
  return { field, message };
}

function notNfe(value: string): Finding {
  const model = value.slice(20, 22);
  const message = {
    en: `is of a document of model ${model}; these events are for the NF-e, model 55`,
    pt: `é de um documento de modelo ${model}; estes eventos são da NF-e, modelo 55`,
  };
  return { field, message };
}

function wrongLength(length: number): Text {
  return {
    en: `needs 44 (NF-e) or 50 (NFS-e) characters and has ${length}`,
    pt: `precisa de 44 (NF-e) ou 50 (NFS-e) caracteres e tem ${length}`,
  };
}

const mustBeText: Text = {
  en: 'must be text: a number cannot hold all its digits',
  pt: 'deve ser texto: um número não guarda todos os algarismos',
};
