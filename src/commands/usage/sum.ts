import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { dayAt, dayInWords, formatUtc } from '../../domain/dates.js';
import type { UsageRow } from '../../store/store.js';
import { localCompanies } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import { readMoment } from '../../services/input/moment.js';

export interface UsageRequest {
  /** As typed: `30d`, `2026-10`. */
  readonly since: string;
  readonly by: 'operation' | 'day' | 'machine' | 'user';
  readonly allCompanies: boolean;
}

/** What `--by` divides the calls by, besides their operation. */
interface Part {
  readonly day?: string;
  /** Absent for calls that an older program recorded. */
  readonly machine?: string;
  readonly user?: string;
}

interface Sum extends Part {
  readonly profile: string;
  /** The company of the calls; absent if the operation names none. */
  readonly company?: string;
  readonly companyName?: string;
  readonly companyTaxNumber?: string;
  readonly operation: string;
  /** How the service bills the calls. */
  readonly billedAs: UsageRow['billed'];
  readonly billed: number;
  /** Sent without an answer: the service may have billed them. */
  readonly unknown: number;
  /** Repeats of calls that the service bills once. */
  readonly freeRepeats: number;
}

const counts = { billed: 'billed', unknown: 'unknown', repeat: 'freeRepeats' } as const;

/**
 * Counts the billed calls that the store knows, for all companies unless `--company` names some: a company of the profile
 * hides no bill. The invoice of the service is authoritative. Errors: those of `localCompanies`.
 */
export async function sumUsage(context: Context, request: UsageRequest): Promise<Outcome<readonly Sum[]>> {
  const { profile, storeNamespace } = await context.settings();
  const isNarrowed = request.allCompanies || context.flags['company'] !== undefined;
  const companies = isNarrowed ? await localCompanies(context, request.allCompanies) : undefined;
  const store = await context.store();
  const since = readMoment('--since', request.since, context.clock.now());
  const rows = await store.usage.list({
    since,
    ...(profile === undefined ? {} : { profile: storeNamespace }),
    ...(companies === undefined ? {} : { companyIds: companies.map(({ id }) => id) }),
  });
  const label = await (await context.scope()).labels();
  const sums = new Map<string, Sum>();
  for (const row of rows) {
    const part = partOf(row, request.by);
    const { companyId, operation, billed: billedAs } = row;
    const key = JSON.stringify([part, row.profile, companyId, operation, billedAs]);
    const whose = {
      profile: row.profile,
      ...(companyId === undefined ? {} : { company: companyId, ...label(companyId) }),
    };
    const none = { billed: 0, unknown: 0, freeRepeats: 0 };
    const sum = sums.get(key) ?? { ...part, ...whose, operation, billedAs, ...none };
    const count = counts[row.outcome];
    sums.set(key, { ...sum, [count]: sum[count] + 1 });
  }
  const data = [...sums.values()].sort(inOrder);
  return {
    data,
    notices: [
      ...(data.length === 0 ? [noneSince(since)] : []),
      ...(data.some((sum) => sum.unknown > 0) ? [unknownNotice] : []),
      ...(data.some((sum) => sum.freeRepeats > 0) ? [repeatNotice] : []),
    ],
  };
}

function partOf({ at, machine, user }: UsageRow, by: UsageRequest['by']): Part {
  if (by === 'day') return { day: formatUtc(at).slice(0, 10) };
  if (by === 'machine' && machine !== undefined) return { machine };
  if (by === 'user' && user !== undefined) return { user };
  return {};
}

/** The newest day first, then by name. */
function inOrder(left: Sum, right: Sum): number {
  const byDay = (right.day ?? '').localeCompare(left.day ?? '');
  const whose = ({ machine, user }: Sum): string => machine ?? user ?? '';
  const byWhom = whose(left).localeCompare(whose(right));
  const byName = left.profile.localeCompare(right.profile) || left.operation.localeCompare(right.operation);
  return byDay || byWhom || byName || (left.company ?? '').localeCompare(right.company ?? '');
}

function noneSince(since: number): Text {
  const day = dayInWords(dayAt(since));
  return {
    en: `the store has no billed call since ${day.en}; machines with another store are not counted`,
    pt: `o arquivo de estado não tem nenhuma chamada cobrada desde ${day.pt}; máquinas com outro arquivo de estado não são contadas`,
  };
}

const unknownNotice = {
  en: 'some calls were sent and their outcome is unknown: the service may have billed them',
  pt: 'algumas chamadas foram enviadas e o resultado nunca chegou: o serviço pode tê-las cobrado',
};

const repeatNotice = {
  en: 'free repeats: capture by key is billed once per key (assumed of the service), and this machine had captured these before',
  pt: 'repetições sem cobrança: a captura por chave é cobrada uma vez por chave (suposição sobre o serviço), e esta máquina já havia capturado estas',
};
