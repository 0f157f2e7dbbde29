import type { Given } from '../../cli/command.js';
import { withoutIdentity } from '../../archive/location.js';
import type { Outcome } from '../../domain/outcome.js';
import { archiveFolder } from '../../services/archive.js';
import type { Context } from '../../services/context.js';
import { issuedGroup, issuedModels } from '../../services/issued/book.js';
import { companiesOf } from '../../services/scope/companies.js';
import { readChoices } from '../../services/sync/choices.js';
import { readObjectLock } from '../../services/sync/object-lock.js';
import { type NoticeWords, syncOutcome } from '../../services/sync/report.js';
import { syncGroups } from '../../services/sync/run.js';
import type { SyncGroup } from '../../services/sync/source.js';
import { SyncTally } from '../../services/sync/state.js';
import { issuedSource } from './issued-source.js';
import type { sync } from './sync-commands.js';

/**
 * Brings the issued invoices of the companies to the archive, with their events; killed at any moment, the same command goes on.
 * Records, exit codes and errors are those of `inbound sync`.
 */
export async function syncIssued(context: Context, given: Given<typeof sync>): Promise<Outcome> {
  // Each run reads the lists from their beginning, so nothing is left to a later full read.
  const whole = { window: 0, fullEvery: Infinity };
  const read = readChoices({ ...given, ...whole }, context.clock.now());
  const choices = { ...read, template: withType(read.template) };
  const models = issuedModels.filter((model) => given.type.length === 0 || given.type.includes(model));
  const archive = await archiveFolder(context, given.archive);
  const objectLock = readObjectLock(given, archive);
  const { dryRun, storeNamespace } = await context.settings();
  if (dryRun) {
    const named = given.allCompanies ? undefined : await (await context.scope()).named();
    const company = named?.map(({ id }) => id).join(',');
    return { data: { type: 'dry-run', archive: withoutIdentity(archive), layout: choices.template, company } };
  }
  const companies = await companiesOf(context, { all: given.allCompanies });
  const { environment, lookBack } = given;
  const groups = companies.flatMap(({ id, taxNumber }) =>
    models.map((model): SyncGroup => {
      const list = { model, environment };
      return {
        ...issuedGroup(storeNamespace, id, list),
        taxNumber,
        tally: new SyncTally({ companyId: id, family: model }),
        source: issuedSource(list, lookBack),
      };
    }),
  );
  const end = await syncGroups(context, { groups, archive, name: 'invoice sync', choices, objectLock });
  return await syncOutcome(context, end, words);
}

/** Issued documents never stand where received ones do: one access key may be both. */
function withType(template: string): string {
  return template.includes('{type}') ? template : `{type}/${template}`;
}

const words: NoticeWords = {
  listed: {
    en: 'The problem records of the run that tried them say why',
    pt: 'Os registros "problem" da execução que os tentou dizem por quê',
  },
  nothing: { en: 'there is nothing to sync', pt: 'não há nada a sincronizar' },
};
