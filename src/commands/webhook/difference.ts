import type { Webhook } from '../../contract/webhook.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import type { Change } from '../../services/merge-fields.js';
import type { WebhookChanges } from './changes.js';

/** One field before and after, as JSON. The values of headers are not shown: they may be secrets of the receiver. */
export interface FieldChange {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/** What an update may send: the service sets the rest itself. */
const sendable = [
  ...(['uri', 'contentType', 'status', 'filters'] as const),
  ...(['headers', 'insecureSsl', 'properties'] as const),
] as const;

/** What the service alone decides, and shows. */
const ofTheService: readonly string[] = ['id', 'createdOn', 'modifiedOn', 'secret'];

/** The whole that replaces the webhook: what stands there, with the changes. A field that no list names stays as well. */
export function merged(current: Webhook, changes: WebhookChanges): WebhookChanges & { readonly uri: string } {
  const kept = Object.entries(current).filter(
    ([name, value]: readonly [string, unknown]) => value !== null && !ofTheService.includes(name),
  );
  return { ...Object.fromEntries(kept), ...changes, uri: changes.uri ?? current.uri };
}

/** The fields that differ, in the order in which a webhook is shown. */
export function difference(current: Webhook, changes: WebhookChanges): readonly FieldChange[] {
  const standing = new Map<string, unknown>(Object.entries(current));
  const wanted = new Map<string, unknown>(Object.entries(changes));
  return sendable.flatMap((field) => {
    if (!wanted.has(field)) return [];
    const [before, after] = [standing.get(field) ?? absent(field), wanted.get(field)];
    if (canonicalJson(before) === canonicalJson(after)) return [];
    if (field === 'headers') return headerChanges(asTexts(before), asTexts(after));
    return [{ field, from: JSON.stringify(before), to: JSON.stringify(after) }];
  });
}

/** What an update sent, for a comparison with what is shown: the service may mask the values of headers. */
export function sentFields(body: WebhookChanges): readonly Change[] {
  return Object.entries(body)
    .filter(([field]) => field !== 'headers' && sendable.some((name) => name === field))
    .map(([field, to]: readonly [string, unknown]) => ({ field, from: undefined, to }));
}

/** A webhook with what stands for the fields that the service leaves out. */
export function asShown(webhook: Webhook): Readonly<Record<string, unknown>> {
  const defaults = (['filters', 'insecureSsl', 'properties'] as const).map((name) => [name, absent(name)]);
  return { ...Object.fromEntries(defaults), ...webhook };
}

/** What a field that the service leaves out stands for. */
function absent(field: (typeof sendable)[number]): unknown {
  if (field === 'filters') return [];
  if (field === 'headers' || field === 'properties') return {};
  return field === 'insecureSsl' ? false : null;
}

function headerChanges(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): readonly FieldChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => ({
      field: `headers.${name}`,
      from: before.has(name) ? '***' : '-',
      to: after.has(name) ? '*** (changed)' : '-',
    }));
}

function asTexts(value: unknown): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(Object.entries(value ?? {}));
}
