import { usualMix } from './drill/invoice-orders.js';
import { drillInvoices, type Findings } from './drill/invoices.js';

/**
 * `drill-naive [invoices kills seed]`: invoices of every way under faults of which half strike after the effect, the client
 * killed with SIGKILL and started again; then the same by a naive client. Ends 0 only if fiscal issued each one once, and
 * said so.
 */
async function drill(): Promise<void> {
  const [invoices = 1_000, kills = 50, seed = 1] = process.argv.slice(2).map(Number);
  const sizes = { mix: usualMix(invoices), kills, seed, faults: 'all' } as const;
  const fiscal = await drillInvoices('fiscal', sizes);
  const naive = await drillInvoices('naive', sizes);
  const struck = [...fiscal.counted.faults].map(([kind, count]) => `${kind} ${count}`).join(', ');
  console.log(`faults met by fiscal: ${struck}`);
  console.log(line('', 'fiscal', 'naive'));
  for (const [title, figure] of rows) console.log(line(title, figure(fiscal), figure(naive)));
  if (!isRight(fiscal, kills)) process.exitCode = 1;
}

type Row = readonly [title: string, figure: (found: Findings) => number];

const rows: readonly Row[] = [
  ['invoices asked for', ({ orders }) => orders],
  ['issued once', ({ once }) => once],
  ['issued twice or more', ({ twice }) => twice],
  ['invoices too many', ({ tooMany }) => tooMany],
  ['lost', ({ lost }) => lost],
  ['told wrong', ({ toldWrong }) => toldWrong],
  ['unknown sends found by look-up', ({ told }) => told.found],
  ['sent again after a look, or by key', ({ told }) => told.again],
  ['look-up requests', ({ counted }) => counted.lookUps],
  ['a person asked (the short way)', ({ told }) => told.asked],
  ['uncertain otherwise', ({ told }) => told.uncertain],
  ['requests', ({ counted }) => counted.requests],
  ['kills', ({ kills }) => kills],
  ['lives', ({ lives }) => lives],
  ['seconds', ({ seconds }) => seconds],
];

function isRight({ orders, once, lost, twice, toldWrong, kills, told }: Findings, wanted: number): boolean {
  const isEachOnce = once === orders && lost === 0 && twice === 0;
  return isEachOnce && toldWrong === 0 && told.uncertain === 0 && kills === wanted;
}

function line(title: string, one: string | number, other: string | number): string {
  return `${title.padEnd(36)}${String(one).padStart(10)}${String(other).padStart(10)}`;
}

await drill();
