import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { formatUtc } from '../../domain/dates.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasons, reasonWords } from '../../errors/reasons.js';
import { Prose } from '../../domain/prose.js';
import type { OwedRow } from '../../store/documents.js';
import { families } from '../../services/company/activity.js';
import { unsyncedOf } from '../../services/documents/unsynced.js';
import { localCompanies } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import type { outstanding } from './sync-commands.js';

type OutstandingGiven = Given<typeof outstanding>;

/**
 * Lists, without network, what the service lists and this machine could not fetch; or writes one of them off, or undoes that.
 * Exit 3 where a list of a company was never read to its end, or its last sync failed: an empty list proves nothing then.
 * Errors: `usage.missing` without a reason, `usage.invalid`, `inbound.not_outstanding`.
 */
export async function outstandingDocuments(context: Context, given: OutstandingGiven): Promise<Outcome> {
  const { forget, restore, reason } = given;
  const key = forget ?? restore;
  if ((forget !== undefined && restore !== undefined) || (reason !== undefined && forget === undefined))
    throw new FiscalError('usage.invalid', { message: oneAtATime }, { sent: 'no' });
  if (forget !== undefined && (reason ?? '').trim() === '')
    throw new FiscalError('usage.missing', { names: '--reason' }, { sent: 'no' });
  const companies = (await localCompanies(context, given.allCompanies))?.map(({ id }) => id);
  const rows = await rowsOf(context, given, companies);
  if (key === undefined) {
    const shown = rows.filter((row) => (row.writtenOffAt !== undefined) === given.writtenOff);
    const data = await records(context, shown);
    const every = given.type.length === 0 ? families : given.type;
    const unsynced = await unsyncedOf(context, companies, every);
    return unsynced === undefined ? { data } : { data, exitCode: ExitCode.partial, notices: [unsynced.notice] };
  }
  const found = rows.filter(
    (row) => (row.eventKey ?? row.documentId) === key && (restore === undefined || row.writtenOffAt !== undefined),
  );
  if (found.length === 0) throw new FiscalError('inbound.not_outstanding', { key }, { sent: 'no' });
  if ((await context.settings()).dryRun) return { data: await records(context, found) };
  const { owed, clock } = await context.store();
  for (const row of found) await owed.writeOff(row, { reason: reason?.trim(), at: clock.now() });
  const after = (await rowsOf(context, given, companies)).filter((row) => (row.eventKey ?? row.documentId) === key);
  return { data: await records(context, after), notices: [forget === undefined ? restored : writtenOff] };
}

async function rowsOf(
  context: Context,
  { type }: OutstandingGiven,
  companies: readonly string[] | undefined,
): Promise<readonly OwedRow[]> {
  const { storeNamespace: profile } = await context.settings();
  const { owed } = await context.store();
  return await owed.list({
    profile,
    ...(companies === undefined ? {} : { companies }),
    ...(type.length === 0 ? {} : { families: type }),
  });
}

async function records(context: Context, rows: readonly OwedRow[]): Promise<readonly DataRecord[]> {
  const label = await (await context.scope()).labels();
  return rows.map((row) => {
    const { companyId, family, documentId, eventKey, reason, since, tries, triedAt, nextAt } = row;
    const off = row.writtenOffAt;
    return {
      type: 'outstanding',
      ...{ companyId, ...label(companyId), family, key: documentId, ...(eventKey && { event: eventKey }) },
      reason: new Prose(reason === undefined ? reasons.notTriedYet : reasonWords(reason)),
      since: formatUtc(since),
      tries,
      ...(triedAt === undefined ? {} : { triedAt: formatUtc(triedAt) }),
      ...(off === undefined
        ? { nextTryAt: formatUtc(nextAt) }
        : { writtenOffAt: formatUtc(off), writtenOffReason: row.writtenOffReason ?? '' }),
    };
  });
}

const oneAtATime: Text = {
  en: 'use either --forget KEY with --reason TEXT, or --restore KEY',
  pt: 'espera-se --forget CHAVE com --reason TEXTO, ou --restore CHAVE',
};

const writtenOff: Text = {
  en: 'written off: no sync asks for it again unless the service changes it, and no month that lists it is complete',
  pt: 'baixado: nenhum sync pede mais, a menos que o serviço o altere, e nenhum mês que o lista fica completo',
};

const restored: Text = {
  en: 'outstanding again: the next sync tries it',
  pt: 'pendente de novo: o próximo sync tenta',
};
