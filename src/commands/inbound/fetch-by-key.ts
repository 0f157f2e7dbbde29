import type { Given } from '../../cli/command.js';
import { createHash } from 'node:crypto';
import type { Text } from '../../contract/text.js';
import { checkServiceKey } from '../../domain/access-key.js';
import { counted, nouns } from '../../domain/counted.js';
import { errorIn } from '../../domain/issue.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { PlannedItem } from '../../jobs/engine.js';
import { fetchByKey, type FetchByKeyItem } from '../../jobs/kinds/fetch-by-key.js';
import { type BatchFamily, type BatchOptions, runBatch } from '../../services/batch/run-batch.js';
import { billedNotices, costOf } from '../../services/batch/notices.js';
import { consentToBatch } from '../../services/batch/start-job.js';
import type { Context } from '../../services/context.js';
import { readLines } from '../../services/input/lines.js';
import { textBytes } from '../../services/input/text-bytes.js';
import { previewOne } from '../../services/calls/one-call.js';
import { companyOf } from '../../services/scope/companies.js';
import { companyNamed } from '../../services/scope/text.js';
import { obeySpacing } from './spacing.js';
import type { fetchByKey as fetchByKeyCommand } from './sync-commands.js';

/** Makes the service capture NFS-e by their keys: each call is billed (`GetDocByKey`); one key is a call, several are a job. */
export async function fetchDocuments(context: Context, given: Given<typeof fetchByKeyCommand>): Promise<Outcome> {
  const companyId = await companyOf(context);
  if (given.key === '-') return await fetchKeys(context, { companyId, options: given, keys: await keysOf(context) });
  const { dryRun, storeNamespace } = await context.settings();
  // A wrong check digit is a warning: its rule is not published.
  const { value: accessKey, issues } = checkServiceKey(given.key);
  const wrong = errorIn(issues);
  if (wrong !== undefined) throw invalidValue('KEY', given.key, wrong);
  const input = { path: { companyId }, body: { accessKey } };
  if (dryRun) return { data: { ...(await previewOne(context, 'nfse.fetchByKey', input)), billedCalls: 1 } };
  if (given.maxBillable === 0) throw new FiscalError('inbound.billable_limit', { limit: 0 }, { sent: 'no' });
  await context.consent({ what: oneCall(await companyNamed(context, companyId), storeNamespace) });
  await obeySpacing(context, { family: 'nfse', companyId });
  const client = await context.client();
  const { retryBillable } = given;
  const how = { billed: true, retryBillable, signal: context.interruption };
  try {
    const answer = await client.call('nfse.fetchByKey', input, how);
    return { data: answer.body, notices: billedNotices(costOf(answer), 'doc-by-key') };
  } catch (error) {
    throw error instanceof FiscalError ? explained(error, { companyId, accessKey }) : error;
  }
}

/** §4: 403 when the company is neither provider nor taker nor intermediary; the same status may mean a missing role. */
function explained(
  error: FiscalError,
  { companyId, accessKey }: { readonly companyId: string; readonly accessKey: string },
): FiscalError {
  if (error.code !== 'service.forbidden') return error;
  if (!/fiscal.?secrecy|sigilo/i.test(error.message)) return error.with({ hint: eitherCause });
  const { hint: _hint, ...facts } = error.facts;
  const values = { company: companyId, key: accessKey };
  return new FiscalError('inbound.fiscal_secrecy', values, { ...facts, hint: secrecyHint });
}

function oneCall(company: string, storeNamespace: string): Text {
  return {
    en: `1 billed call (GetDocByKey) for company ${company} (profile ${storeNamespace})`,
    pt: `1 chamada cobrada (GetDocByKey) para a empresa ${company} (perfil ${storeNamespace})`,
  };
}

const secrecyHint: Text = {
  en: 'only a party to the document may capture it: choose that company (--company)',
  pt: 'só uma das partes da nota pode capturá-la: escolha a empresa que participa dela (--company)',
};

const eitherCause: Text = {
  en: 'either fiscal secrecy (the company is neither provider nor taker nor intermediary of the note) or the key lacks the role NFSeDist',
  pt: 'ou sigilo fiscal (a empresa não é prestadora, tomadora nem intermediária da nota) ou falta à chave o papel NFSeDist',
};

/** The batch family of lists of keys. */
export const fetchFamily: BatchFamily = {
  label: { en: 'capturing NFS-e by key', pt: 'capturando NFS-e por chave' },
  idField: 'documentId',
  fields: (item, duplicate) => {
    const documentId = item.resourceId ?? duplicate?.resourceId;
    return documentId === undefined ? {} : { documentId };
  },
};

interface FetchedKeys {
  readonly companyId: string;
  readonly keys: readonly string[];
  readonly options: BatchOptions;
}

/** Several keys as one job: the same keys continue it, and none is requested twice. Also for `inbound reconcile --fetch`. */
export async function fetchKeys(context: Context, { companyId, options, keys }: FetchedKeys): Promise<Outcome> {
  const settings = await context.settings();
  const [first] = keys;
  if (first === undefined) throw new FiscalError('input.empty', { path: 'stdin' });
  if (settings.dryRun) {
    const input = { path: { companyId }, body: { accessKey: first } };
    const preview = await previewOne(context, 'nfse.fetchByKey', input);
    return { data: { ...preview, records: keys.length, billedCalls: keys.length } };
  }
  const company = await companyNamed(context, companyId);
  await consentToBatch(context, {
    what: billedCalls(keys.length, { company, options, storeNamespace: settings.storeNamespace }),
  });
  await obeySpacing(context, { family: 'nfse', companyId });
  return await runBatch<FetchByKeyItem>(context, {
    family: fetchFamily,
    options,
    job: {
      kind: fetchByKey,
      profile: settings.storeNamespace,
      inputDigest: `fetch ${companyId} ${createHash('sha256').update(keys.join('\n')).digest('hex')}`,
      scope: { companyId },
      items: keys.map(
        (accessKey, index): PlannedItem<FetchByKeyItem> => ({
          ...{ ordinal: index + 1, label: accessKey, dedupeKey: `${companyId} ${accessKey}` },
          input: { companyId, accessKey },
        }),
      ),
    },
  });
}

/** All keys, checked before the first request. Error: `input.invalid` with the invalid lines. */
async function keysOf(context: Context): Promise<readonly string[]> {
  const keys = new Set<string>();
  const details: { field: string; message: Text }[] = [];
  const bytes = textBytes(context.stdin.read(), 'stdin');
  for await (const { line, text } of readLines(bytes, { name: 'stdin', limitMib: 1 })) {
    if (text.trim() === '') continue;
    const { value, issues } = checkServiceKey(text);
    const wrong = errorIn(issues);
    if (wrong === undefined) keys.add(value);
    else details.push({ field: `line ${line}`, message: wrong });
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
    storeNamespace,
  }: { readonly company: string; readonly storeNamespace: string } & Pick<FetchedKeys, 'options'>,
): Text {
  const most = counted(Math.min(count, options.maxBillable ?? count), nouns.billedCall);
  return {
    en: `capturing ${count} NFS-e by key with at most ${most.en} (GetDocByKey) for company ${company} (profile ${storeNamespace})`,
    pt: `capturar ${count} NFS-e por chave com no máximo ${most.pt} (GetDocByKey) para a empresa ${company} (perfil ${storeNamespace})`,
  };
}
