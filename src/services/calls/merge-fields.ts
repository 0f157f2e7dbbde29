import type { Text } from '../../contract/text.js';
import type { Change } from '../../domain/field-changes.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { exactJson } from '../../domain/json-numbers.js';

/** A change as a person reads it: `address.street: "Rua A" → "Rua B"`. */
export function changeText({ field, from, to }: Change): Text {
  const text = `${field}: ${shown(from)} → ${shown(to)}`;
  return { en: text, pt: text };
}

function shown(value: unknown): string {
  return value === undefined ? '—' : exactJson(value).slice(0, 200);
}

/** Fields that a read shows with another value. */
export function differenceText(otherwise: readonly Change[]): Text {
  const list = otherwise.map(({ field, from, to }) => `${field} ${shown(to)} (${shown(from)})`).join(', ');
  return {
    en: `the service accepted it but shows other values than those written (in brackets): ${list}`,
    pt: `o serviço aceitou, mas mostra valores diferentes dos enviados (entre parênteses): ${list}`,
  };
}

/** An accepted write that reads back differently; `command` shows the current state. */
export function shownOtherwise(otherwise: readonly Change[], command: string): FiscalError {
  const hint = { en: `check its state: ${command}`, pt: `veja a situação: ${command}` };
  const facts = { sent: 'yes', retryable: false, hint } as const;
  return new FiscalError('outcome.unknown', { reason: differenceText(otherwise) }, facts);
}

export function notShown(fields: readonly string[]): Text {
  const list = fields.join(', ');
  return {
    en: `accepted; the service does not show ${list}, so it cannot be verified`,
    pt: `aceito; o serviço não mostra ${list}, então não é possível confirmar a gravação`,
  };
}
