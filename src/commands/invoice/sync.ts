import { withoutIdentity } from '../../archive/location.js';
import type { Outcome } from '../../domain/outcome.js';
import { archiveFolder } from '../../services/archive.js';
import type { Context } from '../../services/context.js';
import {
  type IssuedEnvironment,
  issuedGroup,
  type IssuedModel,
  issuedModels,
} from '../../services/issued/book.js';
import { companiesOf } from '../../services/scope/companies.js';
import { readChoices, type TypedChoices } from '../../services/sync/choices.js';
import { type ObjectLockWords, readObjectLock } from '../../services/sync/object-lock.js';
import { type NoticeWords, syncOutcome } from '../../services/sync/report.js';
import { syncGroups } from '../../services/sync/run.js';
import type { SyncGroup } from '../../services/sync/source.js';
import { SyncTally } from '../../services/sync/state.js';
import { issuedSource } from './issued-source.js';

interface IssuedSyncRequest extends Omit<TypedChoices, 'window' | 'fullEvery'>, ObjectLockWords {
  /** All companies of the account, instead of those of `--company` or the settings. */
  readonly allCompanies: boolean;
  /** Names of models; empty: all three. */
  readonly models: readonly IssuedModel[];
  readonly environment: IssuedEnvironment;
  readonly archive: string | undefined;
  /** The events of invoices issued within this time are looked at again. */
  readonly lookBackMs: number;
}

/**
 * Brings the issued invoices of the companies to the archive, with their events; killed at any moment, the same command goes on.
 * Records, exit codes and errors are those of `inbound sync`.
 */
export async function syncIssued(context: Context, request: IssuedSyncRequest): Promise<Outcome> {
  // Each run reads the lists from their beginning, so nothing is left to a later full read.
  const whole = { window: 0, fullEvery: Infinity };
  const read = readChoices({ ...request, ...whole }, context.clock.now());
  const choices = { ...read, template: withType(read.template) };
  const models = readModels(request.models);
  const archive = await archiveFolder(context, request.archive);
  const objectLock = readObjectLock(request, archive);
  const { dryRun, storeNamespace } = await context.settings();
  if (dryRun) {
    const named = request.allCompanies ? undefined : await (await context.scope()).named();
    const company = named?.map(({ id }) => id).join(',');
    return {
      data: { type: 'dry-run', archive: withoutIdentity(archive), layout: choices.template, company },
    };
  }
  const companies = await companiesOf(context, { all: request.allCompanies });
  const { environment, lookBackMs } = request;
  const groups = companies.flatMap(({ id, taxNumber }) =>
    models.map((model): SyncGroup => {
      const list = { model, environment };
      return {
        ...issuedGroup(storeNamespace, id, list),
        taxNumber,
        tally: new SyncTally({ companyId: id, family: model }),
        source: issuedSource(list, lookBackMs),
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

function readModels(names: readonly IssuedModel[]): readonly IssuedModel[] {
  return names.length === 0 ? issuedModels : issuedModels.filter((model) => names.includes(model));
}

const words: NoticeWords = {
  listed: {
    en: 'The problem records of the run that tried them say why',
    pt: 'Os registros "problem" da execução que os tentou dizem por quê',
  },
  nothing: { en: 'there is nothing to sync', pt: 'não há nada a sincronizar' },
};
