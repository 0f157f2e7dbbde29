import type { Language } from '../../contract/text.js';
import { parseUtc } from '../../domain/dates.js';
import { terminalLine } from '../../domain/terminal-text.js';
import type { ExitCode } from '../../errors/exit-code.js';
import { type Activity, families } from '../../services/company/activity.js';
import { unreadCodes } from './metrics.js';
import type { CompanyCheck } from './row.js';

/** What a plugin of Nagios says: one line, and one of its four codes. */
export interface NagiosEnd {
  readonly line: string;
  readonly exitCode: ExitCode;
}

/** 0 to 3 are the plugin's own: here they do not mean what they mean elsewhere. */
const codes = { OK: 0, WARNING: 1, CRITICAL: 2, UNKNOWN: 3 } as const satisfies Record<string, ExitCode>;

/** Longer lines are cut by some versions. */
const MOST_NAMED = 5;

/** Pure. Critical goes before unknown, unknown before warning; a company that could not be read is unknown, never fine. */
export function nagiosEnd(
  rows: readonly CompanyCheck[],
  { now, activity, language }: { readonly now: number; readonly activity: Activity; readonly language: Language },
): NagiosEnd {
  const ill = rows.filter(({ state }) => state !== 'ok');
  const word = wordOf(ill);
  const named = ill.slice(0, MOST_NAMED).map((row) => {
    const found = row.problems.filter(({ level }) => level !== 'info').map(({ code }) => code);
    return `${row.companyName ?? row.companyId}: ${[...new Set(found)].join(' ')}`;
  });
  const more = ill.length > named.length ? [`+${ill.length - named.length}`] : [];
  const counts = { en: `${ill.length} of ${rows.length} companies`, pt: `${ill.length} de ${rows.length} empresas` };
  const synced = rows.flatMap(({ companyId }) => families.map((family) => activity.of(companyId, family).at));
  const times = synced.filter((at) => at !== undefined);
  const ends = rows.flatMap(({ certificate: { validUntil } }) => parseUtc(validUntil ?? '') ?? []);
  const seconds = (ms: number): string => `${Math.round(ms / 1000)}s`;
  const figures = [
    `companies=${rows.length}`,
    `problems=${ill.length}`,
    `last_sync_age=${times.length === 0 ? 'U' : seconds(now - Math.max(...times))}`,
    `certificate_left=${ends.length === 0 ? 'U' : seconds(Math.min(...ends) - now)}`,
  ];
  const said = [counts[language], ...named, ...more].join('; ');
  return { line: lineOf(word, said, figures.join(' ')), exitCode: codes[word] };
}

function wordOf(ill: readonly CompanyCheck[]): keyof typeof codes {
  const problems = ill.flatMap((row) => row.problems);
  if (problems.some(({ code, level }) => level === 'critical' && !unreadCodes.has(code))) return 'CRITICAL';
  if (problems.some(({ code }) => unreadCodes.has(code))) return 'UNKNOWN';
  return ill.length > 0 ? 'WARNING' : 'OK';
}

/** Of a check that could not be made. */
export function nagiosUnknown(reason: string): NagiosEnd {
  return { line: lineOf('UNKNOWN', reason, ''), exitCode: codes.UNKNOWN };
}

/** A bar would begin the figures. */
function lineOf(word: keyof typeof codes, said: string, figures: string): string {
  const text = terminalLine(said).replaceAll('|', '/');
  return `FISCAL ${word} - ${text}${figures === '' ? '' : ` | ${figures}`}\n`;
}
