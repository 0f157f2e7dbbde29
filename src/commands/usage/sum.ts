import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { countedAs } from '../../domain/company-reference.js';
import { dayAt, dayInWords } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { readMoment } from '../../services/input/moment.js';
import { localCompanies } from '../../services/scope/companies.js';
import type { UsageCount } from '../../store/store.js';
import { readMonth } from '../../services/closing/month.js';
import { type Budget, budgetOf } from '../../services/costs/budget.js';
import { type Calls, CallSums } from '../../services/costs/call-sums.js';
import { readPrices } from '../../services/costs/prices.js';
import type { usage } from './commands.js';

type UsageGiven = Given<typeof usage>;
type Division = UsageGiven['by'][number];

/** What calls are divided by; absent where they have none of it, or are not divided by it. */
interface Part {
  readonly type: 'usage';
  readonly profile: string;
  /** In Brasília. */
  readonly day?: string;
  readonly machine?: string;
  readonly user?: string;
  readonly company?: string;
  readonly companyName?: string;
  readonly companyTaxNumber?: string;
  readonly operation?: string;
  /** How the service bills the operation. */
  readonly billedAs?: UsageCount['billed'];
  /** BRL: what the company may spend in the month, and what is left of it. */
  readonly budget?: string;
  readonly left?: string;
}

/** `until` is excluded. Milliseconds. */
interface Period {
  readonly month?: string;
  readonly since: number;
  readonly until?: number;
}

/**
 * Counts the billed calls that the store knows, for all companies unless `--company` names some: a company of the profile
 * hides no bill. With a month, a total follows. The bill of the service is authoritative. Errors: `input.*` of the files, those of
 * `localCompanies`.
 */
export async function sumUsage(context: Context, given: UsageGiven): Promise<Outcome> {
  const period = periodOf(context, given);
  const { month } = period;
  const by = new Set<Division>(given.by.length === 0 ? ['company', 'operation'] : given.by);
  const budget = await budgetOf(context);
  const prices = given.prices === undefined ? budget?.prices : await readPrices(context, given.prices);
  const counts = await countsOf(context, given, period);
  if (given.bill !== undefined) {
    if (period.month === undefined) throw new FiscalError('usage.missing', { names: '--month' }, { sent: 'no' });
    const { compareBill } = await import('./bill.js');
    const compared = await compareBill(context, given.bill, { counts, prices, form: given });
    const notices = [...(compared.notices ?? []), ...noticesOf(context, period, CallSums.total(counts, prices))];
    return { ...compared, notices };
  }
  const label = await (await context.scope()).labels();
  const sums = new CallSums<Part>(prices);
  for (const row of counts) sums.add(partOf(row, by, label), row);
  const isByCompany = month !== undefined && by.size === 1 && by.has('company');
  const data = sums
    .list()
    .map((row) => (isByCompany ? withBudget(row, budget) : row))
    .toSorted(inOrder);
  const total = CallSums.total(counts, prices);
  return {
    data: month === undefined ? data : [...data, { type: 'summary', month, ...total }],
    notices: [...(data.length === 0 ? [noneSince(period.since)] : []), ...noticesOf(context, period, total)],
  };
}

/** With what a company may spend in the month, and what is left of it. */
function withBudget<Row extends Part & Calls>(row: Row, budget: Budget | undefined): Row {
  const amount = budget?.amountOf(row.company);
  if (budget === undefined || amount === undefined) return row;
  return { ...row, budget: amount, left: budget.left(amount, row) };
}

function periodOf({ clock }: Context, { month, since }: UsageGiven): Period {
  if (month === undefined) return { since: readMoment('--since', since ?? '30d', clock.now()) };
  const { name, ...times } = readMonth(month);
  return { month: name, ...times };
}

async function countsOf(
  context: Context,
  { allCompanies }: UsageGiven,
  { since, until }: Period,
): Promise<readonly UsageCount[]> {
  const { profile, storeNamespace } = await context.settings();
  const isNarrowed = allCompanies || context.flags['company'] !== undefined;
  const companies = isNarrowed ? await localCompanies(context, allCompanies) : undefined;
  const store = await context.store();
  const companyIds = (companies ?? []).flatMap(({ id }) => [id, countedAs(id)]);
  return await store.usage.counts({
    since,
    ...(until === undefined ? {} : { until }),
    ...(profile === undefined ? {} : { profile: storeNamespace }),
    ...(companies === undefined ? {} : { companyIds }),
  });
}

function partOf(
  { at, profile, companyId, operation, billed, machine, user }: UsageCount,
  by: ReadonlySet<Division>,
  label: (id: string) => Pick<Part, 'companyName' | 'companyTaxNumber'>,
): Part {
  return {
    type: 'usage',
    ...(by.has('day') && { day: dayAt(at) }),
    ...(by.has('machine') && machine !== undefined && { machine }),
    ...(by.has('user') && user !== undefined && { user }),
    profile,
    ...(by.has('company') && companyId !== undefined && { company: companyId, ...label(companyId) }),
    ...(by.has('operation') && { operation, billedAs: billed }),
  };
}

/** The newest day first, then by name. */
function inOrder(left: Part, right: Part): number {
  const byDay = (right.day ?? '').localeCompare(left.day ?? '');
  const keys = (['machine', 'user', 'profile', 'operation', 'company'] as const).map((key) =>
    (left[key] ?? '').localeCompare(right[key] ?? ''),
  );
  return byDay || (keys.find((order) => order !== 0) ?? 0);
}

function noticesOf({ clock }: Context, { month, until }: Period, { unknown, freeRepeats }: Calls): readonly Text[] {
  return [
    ...(unknown > 0 ? [unknownNotice] : []),
    ...(freeRepeats > 0 ? [repeatNotice] : []),
    ...(until !== undefined && until > clock.now() ? [notOver] : []),
    ...(month === undefined ? [] : [onlyThisStore]),
  ];
}

function noneSince(since: number): Text {
  const day = dayInWords(dayAt(since));
  return {
    en: `the store has no billed call since ${day.en}; machines with another store are not counted`,
    pt: `o arquivo de estado não tem nenhuma chamada cobrada desde ${day.pt}; máquinas com outro arquivo de estado não são contadas`,
  };
}

const unknownNotice: Text = {
  en: 'some calls were sent and their outcome is unknown: the service may have billed them',
  pt: 'algumas chamadas foram enviadas e o resultado nunca chegou: o serviço pode tê-las cobrado',
};

const repeatNotice: Text = {
  en: 'free repeats: capture by key is billed once per key (assumed of the service), and this machine had captured these before',
  pt: 'repetições sem cobrança: a captura por chave é cobrada uma vez por chave (suposição sobre o serviço), e esta máquina já havia capturado estas',
};

const notOver: Text = {
  en: 'the month is not over: the sums are those of today',
  pt: 'o mês ainda não terminou: as somas são as de hoje',
};

const onlyThisStore: Text = {
  en: 'only calls of this store are counted, by days in Brasília; the bill of the service is what counts',
  pt: 'só são contadas as chamadas deste arquivo de estado, por dias de Brasília; o que vale é a fatura do serviço',
};
