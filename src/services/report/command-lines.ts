import type { ArchiveStorage } from '../../archive/storage.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Direction } from '../../domain/direction.js';
import type { ReportCommands } from '../../report/facts.js';
import type { Month } from '../closing/month.js';
import type { AccountCompany } from '../scope/scope.js';
import type { DisableLine } from './close-facts.js';
import type { GapCommands } from './gap-words.js';

interface LinesRequest {
  readonly direction: Direction;
  readonly month: Month;
  readonly company: AccountCompany;
  readonly storage: ArchiveStorage;
  readonly profile: string | undefined;
  readonly manifest: string;
}

/** The commands that a report prints. A folder is named as seen from inside, so that the report tells no path of this machine. */
export function commandLines({ direction, month, company, storage, profile, manifest }: LinesRequest) {
  const isBucket = storage.location.startsWith('s3://');
  const of = { company: company.id, profile };
  // Issued invoices are always listed whole.
  const since = direction === 'issued' ? [] : [['--since', `${month.name}-01`] as const];
  const line = (command: string, ...flags: readonly (readonly [string, string | true])[]) =>
    fiscalLine({ command, flags, ...of });
  const isIssued = direction === 'issued';
  const sync = isIssued ? 'invoice sync' : 'inbound sync';
  const side = isIssued ? [['--direction', direction] as const] : [];
  const close = { command: 'inbound close', positionals: [month.name], ...of };
  const report: ReportCommands = {
    sync: line(sync),
    close: fiscalLine({ ...close, flags: side }),
    verify: fiscalLine({
      command: 'inbound verify',
      flags: [['--manifest', isBucket ? storage.nameOf(manifest) : manifest]],
    }),
    due: line('manifestation due'),
    certificate: line('certificate list'),
  };
  const gaps: GapCommands = {
    sync: line(sync, ...since),
    repair: line(sync, ['--repair', true], ...since),
    retry: line(sync, ['--retry-quarantined', true], ...since),
    full: line(sync, ['--full', true]),
    plan: line('manifestation plan', ['--new', true], ['--event', 'awareness'], ['--out', 'plan.csv']),
    outstanding: line('inbound outstanding', ['--written-off', true]),
    followLinks: fiscalLine({ ...close, flags: [...side, ['--follow-links', true]] }),
  };
  const disable: DisableLine = (model, { serie, first, last }) => {
    const numbers = [
      ['--serie', String(serie)],
      ['--from', String(first)],
      ['--to', String(last)],
    ] as const;
    return `${line('invoice disable', ['--model', model], ...numbers)} --state <UF> --reason <text>`;
  };
  return { report, gaps, disable };
}
