import type { Settings } from '../../config/settings.js';
import { formatDuration } from '../../domain/utc.js';
import { commandLine } from '../command-line.js';
import type { Finding, Found } from './problems.js';

export interface NextRequest {
  readonly settings: Settings;
  /** What runs out within this time is near. */
  readonly withinMs: number;
}

/** The words to type next about a finding. An id comes from the service: it is quoted for a shell. */
export function nextCommand(found: Found, finding: Finding, { settings, withinMs }: NextRequest): string {
  const within = ['--within', formatDuration(withinMs)];
  const more = finding.code.startsWith('deadline_') ? within : [];
  return commandLine([...wordsOf(found, finding), ...more], settings);
}

function wordsOf(found: Found, { code, family }: Finding): readonly string[] {
  const company = ['--company', found.companyId];
  const show = ['inbound', 'settings', 'show', '--type', family ?? 'nfe', ...company];
  switch (code) {
    case 'capture_off':
      return family !== null && found[family].capture === 'inactive' && family === 'nfse'
        ? ['inbound', 'maintenance', 'reactivate', ...company]
        : ['inbound', 'settings', 'enable', '--type', family ?? 'nfe', ...company];
    case 'idle':
      return family === 'nfse' ? ['inbound', 'maintenance', 'fetch-now', ...company] : show;
    case 'spaced':
      return wordsOfSpaced(found, family) ?? show;
    case 'certificate_missing':
    case 'certificate_expired':
    case 'certificate_expiring':
      return certificates(found);
    case 'hidden_documents':
      return ['backfill', 'show', ...company];
    case 'deadline_near':
    case 'deadline_overdue':
      return ['manifestation', 'due', ...company];
    case 'forbidden':
      return ['auth', 'status', '--check'];
    case 'not_found':
      return ['company', 'list'];
    case 'unreachable':
      return ['doctor', '--online'];
  }
}

/** A new certificate is there, and the pause goes on for the sake of the old one: it can be ended. */
function wordsOfSpaced(found: Found, family: Finding['family']): readonly string[] | undefined {
  const cause = family === null ? null : found[family].rateLimitedCause;
  if (cause !== 'certificate_missing' && cause !== 'certificate_expired') return undefined;
  if (found.certificate.state !== 'valid') return certificates(found);
  return family === 'nfse'
    ? ['inbound', 'maintenance', 'reactivate', '--company', found.companyId]
    : undefined;
}

function certificates({ companyId }: Found): readonly string[] {
  return ['certificate', 'list', '--company', companyId];
}
