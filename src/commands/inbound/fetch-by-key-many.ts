import { createHash } from 'node:crypto';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import { checkServiceKey } from '../../domain/access-key.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { PlannedItem } from '../../jobs/engine.js';
import { fetchByKey, type FetchByKeyItem } from '../../jobs/kinds/fetch-by-key.js';
import { runBatch, type BatchFamily, type BatchOptions } from '../../services/batch.js';
import type { Context } from '../../services/context.js';
import { readLines } from '../../services/input/lines.js';
import { textBytes } from '../../services/input/text-bytes.js';
import { previewOne } from '../../services/preview.js';
import { companyNamed } from '../../services/scope/text.js';
import { obeySpacing } from './read-spacing.js';

export interface ManyRequest {
  readonly companyId: string;
  readonly options: BatchOptions;
}

/** What a list of keys adds to a batch. */
export const fetchFamily: BatchFamily = {
  label: { en: 'capturing NFS-e by key', pt: 'capturando NFS-e por chave' },
  idField: 'documentId',
  fields: (item, twin) => {
    const documentId = item.resourceId ?? twin?.resourceId;
    return documentId === undefined ? {} : { documentId };
  },
};

/** Keys from stdin, one a line, as one job: the same keys again go on with it, and none is asked for twice. */
export async function fetchMany(context: Context, { companyId, options }: ManyRequest): Promise<Outcome> {
  return await fetchKeys(context, { companyId, options, keys: await keysOf(context) });
}

/** The same for keys that are known: what `inbound reconcile --fetch` captures. */
export async function fetchKeys(
  context: Context,
  { companyId, options, keys }: ManyRequest & { readonly keys: readonly string[] },
): Promise<Outcome> {
  const settings = await context.settings();
  const [first] = keys;
  if (first === undefined) throw new FiscalError('input.empty', { path: 'stdin' });
  if (settings.dryRun) {
    const input = { path: { companyId }, body: { accessKey: first } };
    const preview = await previewOne(context, 'nfse.fetchByKey', input);
    return { data: { ...preview, records: keys.length, billedCalls: keys.length } };
  }
  const company = await companyNamed(context, companyId);
  await context.consent({ what: billedCalls(keys.length, { company, options, space: settings.space }) });
  await obeySpacing(context, { family: 'nfse', companyId });
  return await runBatch<FetchByKeyItem>(context, {
    family: fetchFamily,
    options,
    job: {
      kind: fetchByKey,
      profile: settings.space,
      inputDigest: `fetch ${companyId} ${createHash('sha256').update(keys.join('\n')).digest('hex')}`,
      scope: { companyId },
      items: keys.map((accessKey, index) => planned(companyId, accessKey, index + 1)),
    },
  });
}

function planned(companyId: string, accessKey: string, ordinal: number): PlannedItem<FetchByKeyItem> {
  const dedupeKey = `${companyId} ${accessKey}`;
  return { ordinal, label: accessKey, dedupeKey, input: { companyId, accessKey } };
}

/** All keys, checked before the first is asked for. Error: `input.invalid` with the lines that are no keys. */
async function keysOf(context: Context): Promise<readonly string[]> {
  const keys = new Set<string>();
  const details: { field: string; message: Text }[] = [];
  const bytes = textBytes(context.stdin.read(), 'stdin');
  for await (const { line, text } of readLines(bytes, { name: 'stdin', limitMib: 1 })) {
    if (text.trim() === '') continue;
    const { value, valid, issues } = checkServiceKey(text);
    if (valid) keys.add(value);
    else details.push({ field: `line ${line}`, message: issues[0]?.message ?? noKey });
  }
  if (details.length === 0) return [...keys];
  const lines = counted(details.length, nouns.line);
  const what: Text = { en: `stdin (${lines.en})`, pt: `stdin (${lines.pt})` };
  throw new FiscalError('input.invalid', { what }, { sent: 'no', details: details.slice(0, 20) });
}

function billedCalls(
  count: number,
  {
    company,
    options,
    space,
  }: { readonly company: string; readonly space: string } & Pick<ManyRequest, 'options'>,
): Text {
  const most = counted(Math.min(count, options.maxBillable ?? count), nouns.billedCall);
  return {
    en: `capturing ${count} NFS-e by key with at most ${most.en} (GetDocByKey) for company ${company} (profile ${space})`,
    pt: `capturar ${count} NFS-e por chave com no máximo ${most.pt} (GetDocByKey) para a empresa ${company} (perfil ${space})`,
  };
}

const noKey: Text = { en: 'is no NFS-e key', pt: 'não é uma chave de NFS-e' };
