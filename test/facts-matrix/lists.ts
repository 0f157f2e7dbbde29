import {
  closedMonths,
  companiesOf,
  eventFiles,
  hasFile,
  inner,
  isStanding,
  nameOf,
  ofType,
  rowName,
  rows,
  sumOf,
  tagsIn,
  type Asking,
} from './asking.js';
import { runFiscal, testHost } from '../support/host.js';
import { addDays, amountText } from './reader.js';

export async function sync(asking: Asking): Promise<void> {
  const { cells, judged } = asking;
  for (const company of companiesOf(asking)) {
    const found = ofType(await rows(asking, 'inbound', 'sync', '--company', company), 'company');
    for (const family of ['nfe', 'cte', 'nfse'] as const) {
      const row = found.find((record) => record['family'] === family);
      const of = judged.filter((document) => document.family === family && document.company === company);
      const counts = {
        archived: of.filter(({ kind }) => kind === 'full').length,
        summaries: of.filter(({ kind }) => kind === 'summary').length,
        events: eventFiles(of),
        gone: of.filter(({ kind }) => kind === 'missing').length,
        quarantined: 0,
      };
      for (const [field, expected] of Object.entries(counts))
        cells.compare({ command: 'sync', field, subject: `${company} ${family}` }, row?.[field], expected);
    }
  }
}

export async function listLocal(asking: Asking): Promise<void> {
  const { cells, judged } = asking;
  const tagsOf = tagsIn(asking);
  const command = 'list --local';
  const found = await rows(asking, 'inbound', 'list', '--local', '--all', '--all-companies');
  const byName = new Map(found.map((row) => [rowName(row), row]));
  cells.compareSets({ command, field: 'key', tagsOf }, byName.keys(), judged.map(nameOf));
  cells.compare({ command, field: 'rows', subject: 'all' }, found.length, judged.length);
  for (const document of judged) {
    const subject = nameOf(document);
    const row = byName.get(subject);
    const place = { command, subject, tags: tagsOf(subject) };
    cells.compare({ ...place, field: 'state' }, row?.['state'], document.state);
    cells.compare({ ...place, field: 'month' }, row?.['month'], document.month);
    if (!hasFile(document)) continue;
    const path = String(inner(row, 'archive')['path']);
    cells.compare({ ...place, field: 'folder' }, path.split('/')[1], document.month);
  }
  for (const month of [...closedMonths, '2026-11']) {
    const period = ['--since', month, '--until', nextMonth(month)];
    const listed = await rows(asking, 'inbound', 'list', '--local', '--all', '--all-companies', ...period);
    const wanted = judged.filter((document) => document.month === month);
    cells.compareSets({ command: `${command} --since`, field: 'key', tagsOf }, listed.map(rowName), wanted.map(nameOf));
  }
}

export async function listService(asking: Asking): Promise<void> {
  const { cells, judged } = asking;
  const tagsOf = tagsIn(asking);
  for (const month of ['2026-09', '2026-10']) {
    const period = ['--since', month, '--until', nextMonth(month)];
    const listed = await rows(asking, 'inbound', 'list', '--all', '--all-companies', ...period);
    const wanted = judged.filter((document) => document.month === month);
    cells.compareSets({ command: 'list --since', field: 'key', tagsOf }, listed.map(rowName), wanted.map(nameOf));
  }
}

/** The last line of a list on a terminal: what stands is summed, and what does not is counted. */
export async function sums(asking: Asking): Promise<void> {
  const { cells, judged, machine } = asking;
  const env = Object.fromEntries(
    Object.entries(machine.host.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  for (const month of ['2026-08', '2026-10']) {
    const terminal = testHost({ env, clock: machine.host.clock, isTerminal: true, columns: 200 });
    const period = ['--since', month, '--until', nextMonth(month), '--no-pager'];
    const argv = ['inbound', 'list', '--local', '--all', '--all-companies', ...period];
    const { stdout, stderr } = await runFiscal(argv, terminal, { isServiceHostile: true });
    const of = judged.filter((document) => document.month === month);
    const standing = of.filter(isStanding);
    const said = /([\d,]+) documents?, ([\d,]+\.\d\d) in total(?:; left out: (.*))?/.exec(stdout + stderr);
    const [documents, amount] = [said?.[1], said?.[2]].map((text) => text?.replaceAll(',', ''));
    const left = (said?.[3] ?? '').match(/\d+/g)?.reduce((sum, number) => sum + Number(number), 0);
    const place = { command: 'list on a terminal', subject: month };
    cells.compare({ ...place, field: 'documents' }, documents, String(standing.length));
    cells.compare({ ...place, field: 'sum' }, amount, amountText(sumOf(standing)));
    cells.compare({ ...place, field: 'left out' }, left, of.length - standing.length);
  }
}

export function nextMonth(month: string): string {
  return addDays(`${month}-28`, 4).slice(0, 7);
}
