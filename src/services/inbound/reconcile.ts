import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { BatchOptions } from '../batch.js';
import type { Context } from '../context.js';
import { readMonth } from './close-month.js';
import { fetchKeys } from './fetch-by-key-many.js';
import { companyOf } from '../read-company.js';
import { Reconciliation, type Scope } from './reconcile-compare.js';
import { readErp } from './reconcile-erp.js';
import type { ErpPart } from './reconcile-part.js';

export interface ReconcileRequest {
  /** A path, or `-` for standard input. */
  readonly erp: string | undefined;
  /** The period of what was captured; a SPED file tells its own. */
  readonly month: string | undefined;
  /** Empty: all that the file can speak of. */
  readonly families: readonly InboundFamily[];
  /** Captures by key the NFS-e that only the ERP has; each call is billed. */
  readonly fetch: boolean;
  readonly options: BatchOptions;
}

/**
 * Holds the ERP's list against what this machine has captured: only in the ERP, only captured, cancelled since. Offline but
 * for `fetch`. Exit 3 while a difference is left. Errors: `usage.missing`, `input.*`, and those of `fetchKeys`.
 */
export async function reconcile(context: Context, request: ReconcileRequest): Promise<Outcome> {
  if (request.erp === undefined) throw new FiscalError('usage.missing', { names: '--erp' }, { sent: 'no' });
  const month = request.month === undefined ? undefined : readMonth(request.month);
  const companyId = await companyOf(context);
  const erp = await readErp(context, request.erp);
  if (!erp.isSped && month === undefined)
    throw new FiscalError('usage.missing', { names: '--month' }, { sent: 'no' });
  const { space: profile } = await context.settings();
  const reconciliation = new Reconciliation(await context.store(), { profile, companyId });
  const families = request.families.length > 0 ? request.families : spokenOf(erp);
  const header = await takeAll(erp.parts, (document) => reconciliation.take(document, families));
  const period = month ?? header;
  if (period === undefined) throw new FiscalError('usage.missing', { names: '--month' }, { sent: 'no' });
  const { since, until } = period;
  const scope: Scope = { profile, companyId, families, since, until, taxNumber: header?.taxNumber };
  await reconciliation.onlyCaptured(scope);
  return await outcome(context, { request, companyId, reconciliation });
}

/** NFS-e have no place in the EFD ICMS/IPI. */
function spokenOf({ isSped }: { readonly isSped: boolean }): readonly InboundFamily[] {
  return isSped ? inSped : all;
}

type Header = Extract<ErpPart, { kind: 'header' }>;
type ErpDocument = Extract<ErpPart, { kind: 'document' }>;

async function takeAll(
  parts: AsyncIterable<ErpPart>,
  take: (document: ErpDocument) => Promise<void>,
): Promise<Header | undefined> {
  let header: Header | undefined;
  for await (const part of parts) {
    if (part.kind === 'header') header = part;
    else await take(part);
  }
  return header;
}

interface Ending {
  readonly request: ReconcileRequest;
  readonly companyId: string;
  readonly reconciliation: Reconciliation;
}

async function outcome(context: Context, ending: Ending): Promise<Outcome> {
  const { request, companyId, reconciliation } = ending;
  const { differences, fetchable, counts } = reconciliation;
  const wantsFetch = request.fetch && fetchable.length > 0;
  const { options } = request;
  const fetched = wantsFetch ? await fetchKeys(context, { companyId, options, keys: fetchable }) : undefined;
  const { dryRun } = await context.settings();
  const exitCode = exitCodeOf(ending, dryRun ? undefined : fetched);
  const kinds = ['only-erp', 'only-captured', 'cancelled-since', 'invalid-key'] as const;
  const found = kinds.map(
    (kind) => [kind, differences.filter((one) => one['kind'] === kind).length] as const,
  );
  const summary = { type: 'reconciliation', ...counts, ...Object.fromEntries(found), exitCode };
  return {
    data: recordsOf([...differences, summary], fetched),
    exitCode,
    notices: [...(fetched?.notices ?? []), ...hints(ending)],
  };
}

/** What was captured now is no difference any more; what the capture itself ended with comes first. */
function exitCodeOf({ reconciliation }: Ending, fetched: Outcome | undefined): ExitCode {
  const { differences, fetchable } = reconciliation;
  const ended = fetched?.exitCode ?? ExitCode.ok;
  if (ended !== ExitCode.ok) return ended;
  const left = fetched === undefined ? differences.length : differences.length - fetchable.length;
  return left === 0 ? ExitCode.ok : ExitCode.partial;
}

async function* recordsOf(own: readonly DataRecord[], fetched: Outcome | undefined): AsyncIterable<unknown> {
  yield* own;
  if (fetched === undefined) return;
  if (isStream(fetched.data)) yield* fetched.data;
  else yield fetched.data;
}

function isStream(data: unknown): data is AsyncIterable<unknown> {
  return typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
}

function hints({ request, reconciliation }: Ending): readonly Text[] {
  const { fetchable } = reconciliation;
  if (fetchable.length === 0) return [];
  if (request.fetch) {
    return [
      {
        en: 'bring what was captured to the archive with "fiscal inbound sync"',
        pt: 'traga o que foi capturado para o arquivo local com "fiscal inbound sync"',
      },
    ];
  }
  return [
    {
      en: `${fetchable.length} NFS-e can be captured by key with --fetch (one billed call each)`,
      pt: `${fetchable.length} NFS-e podem ser capturadas pela chave com --fetch (uma chamada cobrada cada)`,
    },
  ];
}

const all: readonly InboundFamily[] = ['nfe', 'cte', 'nfse'];
const inSped: readonly InboundFamily[] = ['nfe', 'cte'];
