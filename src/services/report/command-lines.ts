import type { ArchiveStorage } from '../../archive/storage.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { ReportCommands } from '../../report/facts.js';
import type { Month } from '../closing/month.js';
import type { AccountCompany } from '../scope/scope.js';
import type { GapCommands } from './gap-words.js';

interface LinesRequest {
  readonly month: Month;
  readonly company: AccountCompany;
  readonly storage: ArchiveStorage;
  readonly profile: string | undefined;
  readonly manifest: string;
}

/** The commands that a report prints. A folder is named as seen from inside, so that the report tells no path of this machine. */
export function commandLines({ month, company, storage, profile, manifest }: LinesRequest) {
  const isBucket = storage.location.startsWith('s3://');
  const of = { company: company.id, profile };
  const since = ['--since', `${month.name}-01`] as const;
  const line = (command: string, ...flags: readonly (readonly [string, string | true])[]) =>
    fiscalLine({ command, flags, ...of });
  const close = { command: 'inbound close', positionals: [month.name], ...of };
  const report: ReportCommands = {
    sync: line('inbound sync'),
    close: fiscalLine(close),
    verify: fiscalLine({
      command: 'inbound verify',
      flags: [['--manifest', isBucket ? storage.nameOf(manifest) : manifest]],
    }),
    due: line('manifestation due'),
    certificate: line('certificate list'),
  };
  const gaps: GapCommands = {
    sync: line('inbound sync', since),
    repair: line('inbound sync', ['--repair', true], since),
    retry: line('inbound sync', ['--retry-quarantined', true], since),
    full: line('inbound sync', ['--full', true]),
    plan: line('manifestation plan', ['--new', true], ['--event', 'awareness'], ['--out', 'plan.csv']),
    outstanding: line('inbound outstanding', ['--written-off', true]),
    followLinks: fiscalLine({ ...close, flags: [['--follow-links', true]] }),
  };
  return { report, gaps };
}
