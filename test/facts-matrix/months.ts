import {
  closedMonths,
  companiesOf,
  eventFiles,
  hasFile,
  isStanding,
  nameOf,
  ofCompany,
  ofType,
  rootOf,
  rowName,
  rows,
  sumOf,
  tagsIn,
  written,
  type Asking,
  type Row,
} from './asking.js';
import { readFileSync } from 'node:fs';
import { accessKey, taxNumber } from './keys.js';
import { amountText, centsOf, type Judged } from './reader.js';

function inMonth({ judged }: Asking, month: string, company?: string): readonly Judged[] {
  return judged.filter(
    (document) => document.month === month && (company === undefined || document.company === company),
  );
}

export async function close(asking: Asking): Promise<void> {
  for (const month of closedMonths) {
    const found = await rows(asking, 'inbound', 'close', month, '--all-companies');
    for (const company of companiesOf(asking)) closed(asking, { month, company, found });
  }
}

interface Closed {
  readonly month: string;
  readonly company: string;
  readonly found: readonly Row[];
}

function closed(asking: Asking, { month, company, found }: Closed): void {
  const { cells } = asking;
  const of = inMonth(asking, month, company);
  const row = ofCompany(ofType(found, 'close'), company);
  const counts = {
    listed: of.length,
    archived: of.filter(({ kind }) => kind === 'full').length,
    summaries: of.filter(({ kind }) => kind === 'summary').length,
    events: eventFiles(of),
    complete: of.every(({ kind }) => kind === 'full'),
  };
  const subject = `${company} ${month}`;
  for (const [field, expected] of Object.entries(counts))
    cells.compare({ command: 'close', field, subject }, row[field], expected);
  const gaps = ofType(found, 'gap').filter((gap) => gap['companyId'] === company);
  const gapsOf = (kind: string): readonly string[] => gaps.filter((gap) => gap['kind'] === kind).map(rowName);
  const wanted = (test: (document: Judged) => boolean): readonly string[] => of.filter(test).map(nameOf);
  const isSummary = ({ kind }: Judged): boolean => kind === 'summary';
  const expected = {
    'not-archived': wanted((document) => !hasFile(document)),
    'summary-only': wanted((document) => isSummary(document) && isStanding(document)),
    'summary-not-standing': wanted((document) => isSummary(document) && !isStanding(document)),
  };
  for (const [kind, names] of Object.entries(expected))
    cells.compareSets({ command: 'close', field: `gap ${kind}`, tagsOf: tagsIn(asking) }, gapsOf(kind), names);
}

export async function verify(asking: Asking): Promise<void> {
  const { cells } = asking;
  const found = ofType(await rows(asking, 'inbound', 'verify'), 'verify');
  for (const month of closedMonths)
    for (const company of companiesOf(asking)) {
      const of = inMonth(asking, month, company);
      const documents = of.filter(hasFile).length;
      const row = found.find(({ manifest }) => String(manifest).includes(`${month}/${company}/`));
      const place = { command: 'verify', subject: `${company} ${month}` };
      cells.compare({ ...place, field: 'documents' }, row?.['documents'], documents);
      cells.compare({ ...place, field: 'files' }, row?.['files'], documents + eventFiles(of));
    }
}

/** The books have every second document, each that does not stand, and one that nobody captured. */
export async function reconcile(asking: Asking): Promise<void> {
  const { cells, machine } = asking;
  const tagsOf = tagsIn(asking);
  for (const month of ['2026-09', '2026-10']) {
    const of = inMonth(asking, month);
    const booked = of.filter((document, at) => at % 2 === 0 || !isStanding(document));
    const left = of.filter((document) => !booked.includes(document));
    const unknown = unknownKey(month);
    const lines = booked.map(({ company, key }) => `${company};${key}`);
    machine.put('erp.csv', `${['companyId;chave', ...lines, `c1;${unknown}`].join('\n')}\n`);
    const argv = ['inbound', 'reconcile', '--erp', 'erp.csv', '--month', month, '--all-companies'];
    const found = await rows(asking, ...argv);
    const wanted = {
      'only-erp': [`c1 ${unknown}`],
      'only-captured': left.map(nameOf),
      'cancelled-since': booked.filter((document) => !isStanding(document)).map(nameOf),
      'not-archived': booked.filter((document) => isStanding(document) && !hasFile(document)).map(nameOf),
    };
    const [summary] = ofType(found, 'reconciliation');
    for (const [kind, names] of Object.entries(wanted)) {
      const told = ofType(found, 'difference').filter((row) => row['kind'] === kind);
      cells.compareSets({ command: 'reconcile', field: kind, tagsOf }, told.map(rowName), names);
      cells.compare({ command: 'reconcile', field: `${kind} count`, subject: month }, summary?.[kind], names.length);
    }
  }
}

function unknownKey(month: string): string {
  const aamm = month.slice(2, 4) + month.slice(5, 7);
  return accessKey({ state: '35', aamm, issuer: taxNumber('112223330001'), model: '55', number: 99_999 });
}

/** A SPED file of a company has the local days of its month, and what stands is in the books. */
export async function reconcileSped(asking: Asking): Promise<void> {
  const { cells, machine, world } = asking;
  const month = '2026-10';
  const [company = ''] = companiesOf(asking);
  const number = String(world.companies[0]?.['federalTaxNumber']);
  const of = inMonth(asking, month, company).filter(({ family }) => family !== 'nfse');
  const booked = of.filter((document) => isStanding(document) && document.day !== undefined);
  const lines = booked.map(({ family, key, day = '' }) => {
    const text = day.split('-').toReversed().join('');
    return family === 'nfe'
      ? `|C100|0|1|F|55|00|1|${Number(key.slice(25, 34))}|${key}|${text}|${text}|10,00|`
      : `|D100|0|1|F|57|00|1||${Number(key.slice(25, 34))}|${key}|${text}|${text}|0||10,00|`;
  });
  const head = `|0000|020|0|01102026|31102026|E|${number}||SP|1|3550308|||A|1|`;
  machine.put('sped.txt', `${[head, ...lines, `|9999|${lines.length + 2}|`].join('\r\n')}\r\n`);
  const found = await rows(asking, 'inbound', 'reconcile', '--erp', 'sped.txt', '--company', company);
  const isOwn = ({ issuer }: Judged): boolean => issuer?.slice(0, 8) === rootOf(asking, company);
  const wanted = {
    'only-erp': [],
    'only-captured': of
      .filter((document) => isStanding(document) && !booked.includes(document) && !isOwn(document))
      .map(nameOf),
    'cancelled-since': [],
  };
  for (const [kind, names] of Object.entries(wanted)) {
    const told = ofType(found, 'difference').filter((row) => row['kind'] === kind);
    cells.compareSets({ command: 'reconcile --sped', field: kind, tagsOf: tagsIn(asking) }, told.map(rowName), names);
  }
}

export async function report(asking: Asking): Promise<void> {
  const { cells } = asking;
  for (const month of ['2026-09', '2026-10']) {
    const argv = ['report', 'month', month, '--out', `reports-${month}`, '--all-companies'];
    const found = ofType(await rows(asking, ...argv), 'report');
    for (const company of companiesOf(asking)) {
      const of = inMonth(asking, month, company);
      const standing = of.filter(isStanding);
      const row = ofCompany(found, company);
      const [documents, value, fallen] = figuresOf(readFileSync(String(row['file']), 'utf8'));
      const place = { command: 'report month', subject: `${company} ${month}` };
      cells.compare({ ...place, field: 'documents' }, row['documents'], of.length);
      cells.compare({ ...place, field: 'documents on the page' }, documents, String(of.length));
      cells.compare({ ...place, field: 'value on the page' }, value, amountText(sumOf(standing)).replace('.', ''));
      cells.compare({ ...place, field: 'not standing on the page' }, fallen, String(of.length - standing.length));
    }
  }
}

/** The digits of the figures at the top of a report. */
function figuresOf(page: string): readonly (string | undefined)[] {
  const head = /<dl class="figures">.*?<\/dl>/s.exec(page)?.[0] ?? '';
  return [...head.matchAll(/<dt>[^<]*<\/dt><dd>([^<]*)<\/dd>/g)].map(([, text = '']) => text.replaceAll(/\D/g, ''));
}

export async function table(asking: Asking): Promise<void> {
  const { cells, judged } = asking;
  const tagsOf = tagsIn(asking);
  const of = judged.filter(({ month }) => closedMonths.includes(month));
  const found = await exported(asking, 'header');
  const unread = new Set(ofType(found, 'unread').map(rowName));
  const records = csvRecords(written(asking, 'header.csv'));
  const byName = new Map(records.map((record) => [rowName(record), record]));
  cells.compareSets({ command: 'table header', field: 'key', tagsOf }, byName.keys(), of.map(nameOf));
  for (const document of of) {
    const subject = nameOf(document);
    const record = byName.get(subject);
    const place = { command: 'table header', subject, tags: tagsOf(subject) };
    cells.compare({ ...place, field: 'state' }, record?.['state'], document.state);
    cells.compare({ ...place, field: 'month' }, record?.['month'], document.month);
    if (!hasFile(document)) continue;
    const amount = record?.['totalAmount'];
    const told = typeof amount === 'string' && amount !== '' ? centsOf(amount) : undefined;
    cells.compare({ ...place, field: 'amount' }, told, document.cents);
    const { competence } = document;
    if (competence === undefined || unread.has(subject)) continue;
    cells.compare({ ...place, field: 'competence' }, record?.['competence'], competence);
  }
  const totals = ofType(found, 'total');
  for (const family of ['nfe', 'cte', 'nfse'] as const)
    for (const state of ['standing', 'cancelled', 'substituted', 'annulled', 'denied'] as const) {
      const group = of.filter((document) => document.family === family && document.state === state);
      const row = totals.find((total) => total['documentType'] === family && total['state'] === state);
      const place = { command: 'table header', subject: `${family} ${state}` };
      cells.compare({ ...place, field: 'total rows' }, row?.['rows'] ?? 0, group.length);
      cells.compare({ ...place, field: 'total' }, row?.['amount'] ?? '0.00', amountText(sumOf(group)));
    }
  const [summary] = ofType(found, 'summary');
  const fallen = of.filter((document) => !isStanding(document));
  cells.compare(
    { command: 'table header', field: 'not standing', subject: 'all' },
    summary?.['notStanding'],
    fallen.length,
  );
}

/** The table of items has rows of the same documents, in the same states and months, or names them as not read. */
export async function items(asking: Asking): Promise<void> {
  const { cells, judged } = asking;
  const tagsOf = tagsIn(asking);
  const of = judged.filter(({ month }) => closedMonths.includes(month));
  const unread = ofType(await exported(asking, 'items'), 'unread').map(rowName);
  const records = csvRecords(written(asking, 'items.csv'));
  const byName = new Map(records.map((record) => [rowName(record), record]));
  const named = [...byName.keys(), ...unread];
  cells.compareSets({ command: 'table items', field: 'key', tagsOf }, named, of.map(nameOf));
  for (const document of of) {
    const subject = nameOf(document);
    const record = byName.get(subject);
    if (record === undefined) continue;
    const place = { command: 'table items', subject, tags: tagsOf(subject) };
    cells.compare({ ...place, field: 'state' }, record['state'], document.state);
    cells.compare({ ...place, field: 'month' }, record['month'], document.month);
  }
}

async function exported(asking: Asking, name: string): Promise<readonly Row[]> {
  const [first = '', last = ''] = [closedMonths[0], closedMonths.at(-1)];
  const out = ['--out', `${name}.csv`, '--all-companies'];
  return await rows(asking, 'export', 'table', name, first, '--to', last, ...out);
}

/** Fields without line ends: nothing else is written in this world. */
function csvRecords(text: string): readonly Row[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/);
  const [titles = [], ...rest] = lines.map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')));
  return rest.map((cells) => Object.fromEntries(titles.map((title, at) => [title, cells[at] ?? ''])));
}

export async function packages(asking: Asking): Promise<void> {
  const { cells } = asking;
  for (const month of ['2026-09', '2026-10']) {
    const argv = ['export', 'package', month, '--out', 'packages', '--all-companies'];
    const found = ofType(await rows(asking, ...argv), 'package');
    for (const company of companiesOf(asking)) {
      const of = inMonth(asking, month, company);
      const row = ofCompany(found, company);
      const place = { command: 'export package', subject: `${company} ${month}` };
      cells.compare({ ...place, field: 'documents' }, row['documents'], of.filter(hasFile).length);
      cells.compare({ ...place, field: 'events' }, row['events'], eventFiles(of));
    }
  }
}
