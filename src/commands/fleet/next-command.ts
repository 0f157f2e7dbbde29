import type { Settings } from '../../config/settings.js';
import { fiscalLine, type CommandParts } from '../../domain/command-words.js';
import { formatDuration } from '../../domain/utc.js';
import type { Finding, Found } from './problems.js';

export interface NextRequest {
  readonly settings: Settings;
  /** What runs out within this time is near. */
  readonly withinMs: number;
}

/** The words to type next about a finding. An id comes from the service: it is quoted for a shell. */
export function nextCommand(found: Found, finding: Finding, { settings, withinMs }: NextRequest): string {
  const { profile } = settings;
  return fiscalLine({ ...partsOf(found, finding, withinMs), profile });
}

function partsOf(found: Found, { code, family }: Finding, withinMs: number): CommandParts {
  const company = found.companyId;
  const flags = [['--type', family ?? 'nfe']] as const;
  const show = { command: 'inbound settings show', flags, company };
  switch (code) {
    case 'capture_off':
      return family !== null && found[family].capture === 'inactive' && family === 'nfse'
        ? { command: 'inbound maintenance reactivate', company }
        : { command: 'inbound settings enable', flags, company };
    case 'idle':
      return family === 'nfse' ? { command: 'inbound maintenance fetch-now', company } : show;
    case 'spaced':
      return partsOfSpaced(found, family) ?? show;
    case 'certificate_missing':
    case 'certificate_expired':
    case 'certificate_expiring':
      return certificates(found);
    case 'hidden_documents':
      return { command: 'backfill show', company };
    case 'deadline_near':
    case 'deadline_overdue':
      return { command: 'manifestation due', flags: [['--within', formatDuration(withinMs)]], company };
    case 'deadline_unknown':
      return { command: 'inbound sync', company };
    case 'forbidden':
      return { command: 'auth status', flags: [['--check', true]] };
    case 'not_found':
      return { command: 'company list' };
    case 'other_company':
      return { command: 'company get', positionals: [found.companyId] };
    case 'unreadable':
    case 'unreachable':
      return { command: 'doctor', flags: [['--online', true]] };
  }
}

/** A new certificate is there, and the pause goes on for the sake of the old one: it can be ended. */
function partsOfSpaced(found: Found, family: Finding['family']): CommandParts | undefined {
  const cause = family === null ? null : found[family].rateLimitedCause;
  if (cause !== 'certificate_missing' && cause !== 'certificate_expired') return undefined;
  if (found.certificate.state !== 'valid') return certificates(found);
  return family === 'nfse'
    ? { command: 'inbound maintenance reactivate', company: found.companyId }
    : undefined;
}

function certificates({ companyId }: Found): CommandParts {
  return { command: 'certificate list', company: companyId };
}
