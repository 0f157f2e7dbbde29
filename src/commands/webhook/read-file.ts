import { FiscalError } from '../../errors/fiscal-error.js';
import type { Text } from '../../contract/text.js';
import type { Context } from '../../services/context.js';
import { readDocument } from '../../services/input/records.js';
import { openSource } from '../../services/input/source.js';
import type { WebhookChanges } from './changes.js';

/** What the service sets itself: a file that was made with `webhook get` may hold it. */
const ownFields = new Set(['id', 'createdOn', 'modifiedOn']);

/**
 * A webhook as JSON, bare or wrapped in `webHook`. A secret in it is refused: it has a file of its own.
 * Errors: `input.*`, `usage.invalid`.
 */
export async function readWebhookFile(context: Context, path: string): Promise<WebhookChanges> {
  const source = await openSource(context, path, { again: false });
  const data = await readDocument(source, (text): unknown => JSON.parse(text)).finally(() => source.close());
  const content = asFields(data);
  const fields = content?.has('webHook') === true ? asFields(content.get('webHook')) : content;
  if (fields === undefined) throw notThis(path, { en: 'an object is expected', pt: 'espera-se um objeto' });
  if (fields.has('secret')) throw secretInside(path);
  const strange = [...fields.keys()].find((name) => !ownFields.has(name) && !Object.hasOwn(readers, name));
  if (strange !== undefined) throw notThis(path, unknownField(strange));
  return Object.fromEntries(
    Object.entries(readers).flatMap(([name, isRight]): [string, unknown][] => {
      const value = fields.get(name);
      if (value === undefined || value === null) return [];
      if (!isRight(value)) throw notThis(path, wrongForm(name));
      return [[name, value]];
    }),
  );
}

type Fields = ReadonlyMap<string, unknown>;

const readers: Readonly<Record<keyof WebhookChanges, (value: unknown) => boolean>> = {
  uri: isText,
  contentType: (value) => value === 'json',
  status: isText,
  filters: (value) => Array.isArray(value) && value.every(isText),
  headers: (value) => [...(asFields(value)?.values() ?? [0])].every(isText),
  insecureSsl: (value) => typeof value === 'boolean',
  properties: (value) => asFields(value) !== undefined,
};

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function asFields(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map<string, unknown>(Object.entries(value));
}

function notThis(path: string, reason: Text): FiscalError {
  return new FiscalError('input.syntax', { path, format: 'JSON', reason }, { sent: 'no' });
}

function unknownField(name: string): Text {
  const known = Object.keys(readers).join(', ');
  return {
    en: `a webhook has no field ${name.slice(0, 60)}; it has ${known}`,
    pt: `um webhook não tem o campo ${name.slice(0, 60)}; tem ${known}`,
  };
}

function wrongForm(name: string): Text {
  return { en: `${name} has the wrong form`, pt: `${name} tem a forma errada` };
}

function secretInside(path: string): FiscalError {
  const message = {
    en: `${path} holds a secret; give it in a file of its own with --secret-file`,
    pt: `${path} contém um segredo; informe-o em um arquivo próprio com --secret-file`,
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}
