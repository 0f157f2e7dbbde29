import type { Given } from '../../cli/command.js';
import { rowsOf } from '../../client/read-answer.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { formatUtc } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { localCompanies, companyOf } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { answersHere } from '../../services/documents/event-answers.js';
import type { list } from './commands.js';
import { readEventKey } from './event-key.js';
import { listKnown, type KnownEvent } from '../../services/documents/known-events.js';
import { shownEvent } from './shown.js';

/** The events of an NFS-e from the service, or those of the store: the service has no list for NF-e (§4). */
export async function listManifestations(context: Context, given: Given<typeof list>): Promise<Outcome> {
  const { accessKey, status, limit } = given;
  const key = accessKey === undefined ? undefined : readEventKey(accessKey);
  if (key !== undefined && 'problem' in key) {
    const what = { en: 'the access key', pt: 'a chave de acesso' };
    throw new FiscalError('input.invalid', { what }, { details: key.problem, sent: 'no' });
  }
  const { storeNamespace, dryRun } = await context.settings();
  if (key?.family === 'nfse') {
    const path = { companyId: await companyOf(context), accessKey: key.value };
    if (dryRun) return { data: await previewOne(context, 'nfse.manifestation.list', { path }) };
    const entries = await fetchTakerEvents(context, path);
    const wanted = entries.filter((entry) => status === undefined || statusOf(entry) === status);
    return { data: wanted.slice(0, limit) };
  }
  const companies = await localCompanies(context, given.allCompanies);
  const label = await (await context.scope()).labels();
  const known = await listKnown(await context.store(), {
    storeNamespace,
    companies: companies?.map(({ id }) => id),
    ...(status === undefined ? {} : { status }),
    ...(limit === undefined || key !== undefined ? {} : { limit }),
  });
  const rows = known.filter(({ event }) => key === undefined || event.accessKey === key.value);
  const chosen = rows.slice(0, limit);
  const answerOf = await answersHere(
    context,
    chosen.map(({ event }) => event),
  );
  const shown = chosen.map(async ({ event, row }) => ({
    ...shownEvent(await asResolved(context, event), answerOf(event)),
    ...label(event.companyId ?? row.scope),
    seenAt: formatUtc(row.seenAt),
  }));
  const data = await Promise.all(shown);
  return { data, notices: [onlyThisMachine] };
}

/** The item contains what a person resolved since (`job resolve`). */
async function asResolved(context: Context, event: KnownEvent): Promise<KnownEvent> {
  if (event.status !== 'uncertain' || event.itemId === undefined) return event;
  const item = await (await context.store()).items.get(event.itemId);
  if (item === undefined || item.state === 'uncertain') return event;
  const { errorCode: _code, reason: _reason, ...rest } = event;
  return { ...rest, status: item.state };
}

/** The events of the taker for one key. */
export async function fetchTakerEvents(
  context: Pick<Context, 'client' | 'interruption'>,
  path: { readonly companyId: string; readonly accessKey: string },
): Promise<readonly unknown[]> {
  const client = await context.client();
  const { body } = await client.call('nfse.manifestation.list', { path }, { signal: context.interruption });
  return rowsOf('nfse.manifestation.list', body);
}

function statusOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'status' in entry ? entry.status : undefined;
}

const onlyThisMachine: Text = {
  en: 'these are the events that this machine knows, with their last known state: the service lists events only by the key of an NFS-e',
  pt: 'estes são os eventos que esta máquina conhece, com o último estado conhecido: o serviço só lista eventos pela chave de uma NFS-e',
};
