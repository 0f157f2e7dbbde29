import { isRecord } from '../../domain/record.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentFilter, DocumentRow } from '../../store/documents.js';
import { localCompanies } from '../companies.js';
import type { Context } from '../context.js';
import type { DocumentQuery } from './read-query.js';

export interface LocalQuery extends Omit<DocumentQuery, 'family' | 'companyId'> {
  /** Absent: all families. */
  readonly family: InboundFamily | undefined;
  readonly limit: number;
  readonly allCompanies: boolean;
}

const PAGE = 500;

/** The documents that this machine knows from its synchronisations, newest issue first within company and family. */
export async function listLocal(context: Context, query: LocalQuery): Promise<Outcome> {
  assertOffline(query);
  const { space } = await context.settings();
  const companies = await localCompanies(context, query.allCompanies);
  const { family, since, until, status, webhookStatus, issuer, nsuAfter } = query;
  const filter = {
    profile: space,
    ...(companies === undefined ? {} : { companies: companies.map(({ id }) => id) }),
    ...(family === undefined ? {} : { families: [family] }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(status === undefined ? {} : { status }),
    ...(webhookStatus === undefined ? {} : { webhookStatus }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(nsuAfter === undefined ? {} : { nsuAfter: Number(nsuAfter) }),
  };
  return { data: rows(context, filter, query.limit), notices: [onlyThisMachine] };
}

async function* rows(
  context: Context,
  filter: Omit<DocumentFilter, 'limit'>,
  limit: number,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const { documents } = await context.store();
  const label = await (await context.scope()).labels();
  let left = limit;
  let after: DocumentRow | undefined;
  while (left > 0) {
    const size = Math.min(PAGE, left);
    const page = await documents.list({ ...filter, limit: size, ...(after === undefined ? {} : { after }) });
    for (const row of page) yield { ...shown(row), ...label(row.companyId) };
    left -= page.length;
    after = page.at(-1);
    if (page.length < size) return;
  }
}

/** The metadata as the service gave it, and what became of the bytes. */
function shown(row: DocumentRow): Readonly<Record<string, unknown>> {
  const { data, family, companyId, accessKey, id, state, path, sha256, bytes, xmlKind, signature, reason } =
    row;
  const own = { family, companyId, accessKey: accessKey ?? id };
  return {
    ...own,
    ...(isRecord(data) ? data : {}),
    archive: { state, xmlKind, path, sha256, bytes, signature, reason },
  };
}

/** Offline, only the flags can be answered, and only by the date of issue. */
function assertOffline({ filter, orderBy, by, since, until }: LocalQuery): void {
  const isOtherDate = by !== 'issued' && (since !== undefined || until !== undefined);
  const names = [
    ...(filter === undefined ? [] : ['--filter']),
    ...(orderBy === undefined ? [] : ['--order-by']),
    ...(isOtherDate ? [`--by ${by ?? 'created'}`] : []),
  ].join(', ');
  if (names === '') return;
  const message: Text = {
    en: `${names} cannot be answered offline: leave it out, or leave out --local`,
    pt: `${names} não pode ser respondido sem rede: retire isso, ou retire --local`,
  };
  throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

const onlyThisMachine: Text = {
  en: 'this is what this machine knows since its last synchronisation (fiscal inbound sync)',
  pt: 'isto é o que esta máquina sabe desde a última sincronização (fiscal inbound sync)',
};
