import type { Operation } from '../contract/operation.js';
import { operations } from '../contract/operations.js';
import { isRecord } from '../domain/record.js';
import { genericView } from './generic.js';
import type { View } from './render.js';
import { sentenceLines } from './sentence.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a dry run would do: the operation in words, what it is for and the fields that it carries, or those that change. The
 * request itself is for `--verbose`.
 */
export const dryRunView: View = (data, options) => {
  if (!isRecord(data)) return genericView(data, options);
  const { type: _type, operation, request, ...others } = data;
  const row = typeof operation === 'string' ? operationOf(operation) : undefined;
  const sent = isRecord(request) ? request : {};
  const { path, body } = { path: pathFields(row, sent['url']), body: bodyFields(sent['body']) };
  const fields = { ...path, ...('changes' in others ? {} : body), ...others };
  const would =
    row === undefined ? { en: '', pt: '' } : { en: `: ${row.summary.en}`, pt: `: ${row.summary.pt}` };
  const sentence = {
    tone: 'none',
    en: `Dry run, nothing was sent${would.en}`,
    pt: `Simulação, nada foi enviado${would.pt}`,
  } as const;
  return [
    ...sentenceLines(sentence, options),
    ...genericView(fields, options),
    ...(options.isVerbose === true
      ? genericView({ request }, options)
      : [
          options.paint.dim(
            { en: '(-v shows the request)', pt: '(-v mostra a requisição)' }[options.language],
          ),
        ]),
  ];
};

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
