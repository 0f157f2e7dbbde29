import type { Operation } from '../contract/operation.js';
import { operations } from '../contract/operations.js';
import type { Text } from '../contract/text.js';
import { counted } from '../domain/counted.js';
import { isRecord } from '../domain/record.js';
import { defaultView, genericView, sentenceLines } from './generic.js';
import type { RenderOptions, View } from './render.js';
import { scalarText } from './scalar.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a dry run would do: the operation in words, what it is for and the fields that it carries, or those that change. The
 * request itself is for `--verbose`.
 */
export const dryRunView: View = (data, options) => {
  if (!isRecord(data)) return genericView(data, options);
  const { operation, request, records, valid, invalid, ...others } = data;
  const row = typeof operation === 'string' ? operationOf(operation) : undefined;
  const sent = isRecord(request) ? request : {};
  const { path, body } = { path: pathFields(row, sent['url']), body: bodyFields(sent['body']) };
  const fields = { ...path, ...('changes' in others ? {} : body) };
  const would = row === undefined ? { en: '', pt: '' } : { en: `: ${row.summary.en}`, pt: `: ${row.summary.pt}` };
  const sentence = {
    tone: 'none',
    en: `Dry run, nothing was sent${would.en}`,
    pt: `Simulação, nada foi enviado${would.pt}`,
  } as const;
  return [
    ...sentenceLines(sentence, options),
    ...genericView(fields, options),
    ...countLines({ records, valid, invalid }, options),
    ...defaultView(others, options),
    ...(options.isVerbose === true
      ? genericView({ request }, options)
      : [options.paint.dim({ en: '(-v shows the request)', pt: '(-v mostra a requisição)' }[options.language])]),
  ];
};

/** Of a file, whose first record is shown. */
function countLines({ records, valid, invalid }: Fields, { language }: RenderOptions): readonly string[] {
  if (typeof records !== 'number') return [];
  const all = counted(records, { en: ['record', 'records'], pt: ['registro', 'registros'] });
  const counts: Text = {
    en: `${all.en}: ${scalarText(valid)} valid, ${scalarText(invalid)} invalid`,
    pt: `${all.pt}: válidos ${scalarText(valid)}, inválidos ${scalarText(invalid)}`,
  };
  return [counts[language]];
}

function operationOf(id: string): Operation | undefined {
  const rows: Readonly<Record<string, Operation>> = operations;
  return Object.hasOwn(rows, id) ? rows[id] : undefined;
}

function bodyFields(body: unknown): Fields {
  if (body === undefined || body === null) return {};
  return isRecord(body) ? body : { body };
}

/** What the address names, such as the id of a product; nothing where a profile has an address of its own. */
function pathFields(row: Operation | undefined, url: unknown): Fields {
  if (row === undefined || typeof url !== 'string') return {};
  const pattern = row.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?]+)');
  const found = new RegExp(`${pattern}(?:[?]|$)`).exec(url)?.groups ?? {};
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, decoded(value)]));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
