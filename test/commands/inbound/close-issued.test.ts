import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { dayAt } from '../../../src/domain/dates.js';
import { monthOf } from '../../../src/services/closing/month.js';
import { realClock } from '../../support/clock.js';
import { firstMonth as month, invoiceSandbox, type InvoiceSandbox, recordsOf, wait } from '../invoice/sandbox.js';

let sandbox: InvoiceSandbox;
let archive: string;

/** How far the clock of this machine is ahead. */
let ahead: number;

beforeEach(() => {
  ahead = 0;
  const [now, uptime] = [() => realClock.now() + ahead, () => realClock.uptime() + ahead];
  sandbox = invoiceSandbox({ ...realClock, now, uptime });
  archive = join(sandbox.host.root, 'archive');
});

const issue = (...words: Parameters<InvoiceSandbox['issue']>) => sandbox.issue(...words);
const sync = (...words: string[]) => sandbox.invoice('sync', '--archive', archive, ...words);
/** By the clock of the service and by that of this machine. */
const monthEnds = async (name = month): Promise<void> => {
  const hours = Math.ceil((monthOf(name).until - Date.now() - ahead) / 3_600_000) + 1;
  await sandbox.fiscal('sandbox', 'clock', 'advance', `${hours}h`);
  ahead += hours * 3_600_000;
};

interface Close {
  readonly exitCode: number;
  readonly stderr: string;
  readonly gaps: readonly (readonly [kind: unknown, family: unknown, key: unknown])[];
  readonly closes: readonly Record<string, unknown>[];
  readonly reasons: readonly string[];
  readonly summary: Record<string, unknown> | undefined;
}

async function close(...words: string[]): Promise<Close> {
  const { exitCode, stdout, stderr } = await sandbox.fiscal(
    ...['inbound', 'close', month, '--archive', archive, '--direction', 'issued', '-o', 'ndjson', ...words],
  );
  const records = recordsOf(stdout);
  const closes = records.filter(({ type }) => type === 'close');
  return {
    ...{ exitCode, stderr, closes, summary: records.at(-1) },
    gaps: records.filter(({ type }) => type === 'gap').map(({ kind, family, key }) => [kind, family, key]),
    reasons: closes.flatMap((record) => (record['reasons'] as { code: string }[]).map(({ code }) => code)),
  };
}

function eventsAskedOf(closes: Close['closes']): unknown {
  const coverage = closes[0]?.['coverage'] as readonly Record<string, unknown>[];
  return coverage.find(({ family }) => family === 'nfe')?.['eventsAsked'];
}

const verify = () => sandbox.fiscal('inbound', 'verify', '--archive', archive, '-o', 'ndjson');

test('a month whose issued invoices are all archived is complete, and verify says so without the service', async () => {
  const sold = await issue('nfe', 'P-1');
  await issue('nfce', 'P-2');
  await issue('nfse', 'P-3');
  await monthEnds();
  await sync();
  const { exitCode, gaps, closes, reasons, summary } = await close();
  expect([exitCode, gaps, reasons]).toEqual([0, [], []]);
  expect(closes[0]).toMatchObject({
    ...{ direction: 'issued', verdict: 'complete', families: ['nfce', 'nfe', 'nfse'], listed: 3, archived: 3 },
  });
  expect(summary).toMatchObject({ companies: 1, complete: 1, exitCode: 0 });
  const manifest = String(closes[0]?.['manifest']);
  expect(manifest).toMatch(new RegExp(`/proofs/${month}/[^/]+/issued/manifest\\.jsonl$`));
  const entries = recordsOf(readFileSync(manifest, 'utf8'));
  expect(entries.map(({ type }) => type)).toEqual(['nfce', 'nfe', 'nfse']);
  expect(entries[1]).toMatchObject({ key: sold.accessKey, id: sold.id, status: 'Issued', xmlKind: 'full' });
  const verified = await verify();
  expect([verified.exitCode, recordsOf(verified.stdout).at(-1)]).toMatchObject([0, { proven: 1, documents: 3 }]);
});

test('a month that is not over, or whose events were asked for before it ended, is not provable', async () => {
  await issue('nfe', 'P-1');
  await sync();
  expect(await close()).toMatchObject({ exitCode: 3, gaps: [], reasons: ['month-not-over', 'events-unread'] });
  await monthEnds();
  const later = await close();
  expect([later.exitCode, later.reasons]).toEqual([3, ['events-unread']]);
  expect(later.stderr).toContain('fiscal invoice sync --full');
  await sync();
  expect((await close()).exitCode).toBe(0);
});

test('a sync of a part of the list says nothing of the events of the month', async () => {
  await issue('nfe', 'P-1');
  await sync();
  await monthEnds();
  await sync('--since', '2020-01-01');
  expect((await close()).reasons).toEqual(['events-unread']);
});

// The clock of the sandbox moves and that of this machine does not: a look back of no days is a sync of much later.
const muchLater = () => sync('--look-back', '0s');

test('a month that was proven stays proven after a later sync that looks at newer invoices only', async () => {
  await issue('nfe', 'P-1');
  await monthEnds();
  await sync();
  const proven = await close();
  await issue('nfe', 'P-2');
  await muchLater();
  const again = await close();
  expect([proven, again].map(({ exitCode, reasons }) => [exitCode, reasons])).toEqual([
    [0, []],
    [0, []],
  ]);
  const asked = [proven, again].map(({ closes }) => eventsAskedOf(closes));
  expect(asked[1]).toEqual(asked[0]);
  expect(recordsOf((await verify()).stdout).at(-1)).toMatchObject({ proven: 1 });
});

test('invoices that no sync has seen are gaps, with the command that fetches them', async () => {
  const { accessKey } = await issue('nfe', 'P-1');
  await monthEnds();
  const { exitCode, gaps, closes } = await close();
  expect([exitCode, gaps]).toEqual([3, [['not-synced', 'nfe', accessKey]]]);
  expect(closes[0]?.['verdict']).toBe('incomplete');
  expect(closes[0]?.['repair']).toMatch(/^fiscal invoice sync --type nfe .*--profile sandbox/);
});

test('an invoice that is not final keeps the month open, and one that was refused does not', async () => {
  await sandbox.outcome('--outcome', 'failed', '--count', '1');
  await issue('nfe', 'P-1').catch(() => undefined);
  await issue('nfe', 'P-2');
  // Within a month, whatever the day, and not yet final when the next one has begun.
  const monthOver = monthOf(month).until - Date.now();
  await sandbox.fiscal('sandbox', 'clock', 'advance', `${Math.max(0, Math.floor((monthOver - 86_400_000) / 1000))}s`);
  await sandbox.outcome('--outcome', 'issued', '--delay', '11d', '--count', '1');
  const file = sandbox.put('late.json', samples.nfe);
  await sandbox.invoice('issue', '--model', 'nfe', '--file', file, '--external-id', 'P-3');
  await sandbox.fiscal('sandbox', 'clock', 'advance', '2d');
  await sync();
  const { exitCode, gaps, closes } = await close();
  expect([exitCode, gaps.map(([kind]) => kind)]).toEqual([3, ['not-final']]);
  expect(closes[0]?.['coverage']).toContainEqual(expect.objectContaining({ family: 'nfe', refused: 1 }));
});

test('an invoice that was cancelled after the sync is outdated', async () => {
  const { id, accessKey } = await issue('nfe', 'P-1');
  await sync();
  const reason = ['--reason', 'Pedido desfeito pelo cliente', '--yes', ...wait];
  await sandbox.invoice('cancel', '--model', 'nfe', id, ...reason);
  await monthEnds();
  const found = await close('--type', 'nfe');
  expect([found.exitCode, found.gaps]).toEqual([3, [['outdated', 'nfe', accessKey]]]);
  await sync();
  const { exitCode, closes } = await close('--type', 'nfe');
  expect([exitCode, closes[0]?.['coverage']]).toMatchObject([0, [{ eventsWithoutFile: 1 }]]);
});

describe('the numbers of a serie', () => {
  const skipTwo = async () => {
    await issue('nfe', 'P-1', { serie: 1, number: 10 });
    await issue('nfe', 'P-2', { serie: 1, number: 13 });
    await monthEnds();
    await sync();
  };

  test('that are neither issued nor disabled leave the month unproven', async () => {
    await skipTwo();
    const { exitCode, reasons, closes, stderr } = await close();
    expect([exitCode, reasons, closes[0]?.['verdict']]).toEqual([3, ['numbers-missing'], 'not-provable']);
    expect(stderr).toContain('2 numbers of NF-e neither issued here nor known to be disabled: serie 1: 11–12');
    const numbering = [
      { serie: 1, first: 10, last: 13, used: 2, disabled: 0, declared: 0, missing: 2, missingRanges: [[11, 12]] },
    ];
    expect(closes[0]?.['coverage']).toContainEqual(expect.objectContaining({ family: 'nfe', numbering }));
  });

  test('that are disabled are accounted for', async () => {
    await skipTwo();
    const words = ['--serie', '1', '--from', '11', '--to', '12', '--state', 'SP', '--yes'];
    const disabled = await sandbox.invoice(
      'disable',
      '--model',
      'nfe',
      ...words,
      '--reason',
      'Falha na numeração do sistema',
    );
    expect([disabled.exitCode, disabled.stderr]).toMatchObject([0, expect.any(String)]);
    const { exitCode, closes } = await close();
    expect([exitCode, closes[0]?.['coverage']]).toMatchObject([
      0,
      expect.arrayContaining([
        expect.objectContaining({ numbering: [expect.objectContaining({ disabled: 2, missing: 0 })] }),
      ]),
    ]);
  });

  test('that a person declares as disabled are accounted for, and said to be declared', async () => {
    await skipTwo();
    const file = sandbox.put('disabled.yaml', 'disabled:\n  - {model: nfe, serie: 1, from: 11, to: 12}\n');
    const { exitCode, closes } = await close('--disabled', file);
    expect([exitCode, closes[0]?.['coverage']]).toMatchObject([
      0,
      expect.arrayContaining([
        expect.objectContaining({ numbering: [expect.objectContaining({ disabled: 0, declared: 2, missing: 0 })] }),
      ]),
    ]);
    expect((await verify()).exitCode).toBe(0);
  });

  test('a file of them that is wrong is refused with every problem', async () => {
    const ranges = [
      '{model: nfse, serie: 1, from: 2}',
      '{model: nfe, serie: 1, from: 3, to: 2}',
      '{model: nfe, from: 1}',
    ];
    const file = sandbox.put('disabled.yaml', `disabled:\n${ranges.map((range) => `  - ${range}\n`).join('')}`);
    const { exitCode, stderr } = await close('--disabled', file);
    expect(exitCode).toBe(2);
    for (const field of ['disabled[0].model', 'disabled[1].to', 'disabled[2].serie']) expect(stderr).toContain(field);
  });

  test('that are disabled in the other environment are still missing', async () => {
    await skipTwo();
    const words = ['--serie', '1', '--from', '11', '--to', '12', '--state', 'SP', '--yes'];
    await sandbox.invoice(
      ...['disable', '--model', 'nfe', ...words, '--environment', 'Test', '--reason', 'Falha na numeração do sistema'],
    );
    expect((await close()).reasons).toEqual(['numbers-missing']);
  });
});

test('an invoice of the last evening in Brasília belongs to that month', async () => {
  const evening = new Date(monthOf(month).until - 3_600_000).toISOString();
  await sandbox.fiscal('sandbox', 'clock', 'set', evening);
  const { accessKey } = await issue('nfe', 'P-1');
  expect(accessKey.slice(2, 6)).toBe(month.slice(2).replace('-', ''));
  await sandbox.fiscal('sandbox', 'clock', 'advance', '2h');
  ahead = monthOf(month).until + 3_600_000 - Date.now();
  await sync();
  expect(await close()).toMatchObject({ exitCode: 0, summary: { listed: 1 } });
});

test('a company that never issued anything here is not proven complete', async () => {
  await monthEnds();
  await sync();
  const { exitCode, reasons } = await close();
  expect([exitCode, reasons]).toEqual([3, ['nothing-issued']]);
});

test('both directions have a proof each, and a type belongs to those that have it', async () => {
  await issue('nfe', 'P-1');
  await monthEnds();
  await sync();
  const both = await close('--direction', 'both', '--type', 'nfe');
  expect(both.closes.map(({ direction, verdict }) => [direction, verdict])).toEqual([
    ['received', 'not-provable'],
    ['issued', 'complete'],
  ]);
  expect([both.exitCode, both.summary]).toMatchObject([3, { companies: 1, complete: 1 }]);
  const received = await close('--direction', 'both', '--type', 'cte');
  expect(received.closes.map(({ direction }) => direction)).toEqual(['received']);
  const wrong = await close('--type', 'cte');
  expect([wrong.exitCode, wrong.closes]).toEqual([2, []]);
  expect(wrong.stderr).toContain('cte');
});

test('a month that is complete in both directions is handed over in both', async () => {
  await monthEnds();
  const next = dayAt(monthOf(month).until).slice(0, 7);
  await issue('nfe', 'P-1');
  await monthEnds(next);
  await sync();
  await sandbox.fiscal('inbound', 'sync', '--archive', archive);
  const { exitCode, stderr } = await sandbox.fiscal(
    'inbound',
    'close',
    next,
    '--archive',
    archive,
    '--direction',
    'both',
  );
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringMatching(
      /fiscal report month \S+ .*--direction both.*; .*fiscal export package \S+ .*--direction both/,
    ),
  ]);
});

test('a close of some types that is complete names the table of these types and the close of the whole month', async () => {
  // The capture begins with the sandbox, so the month after that is captured whole.
  await monthEnds();
  const next = dayAt(monthOf(month).until).slice(0, 7);
  await issue('nfe', 'P-1');
  await monthEnds(next);
  await sync();
  await sandbox.fiscal('inbound', 'sync', '--type', 'nfe', '--archive', archive);
  const words = ['--archive', archive, '--direction', 'both', '--type', 'nfe'];
  const { exitCode, stderr } = await sandbox.fiscal('inbound', 'close', next, ...words);
  expect(exitCode).toBe(0);
  const table = `fiscal export table header ${next} --direction both --archive ${archive} --type nfe --out ${next}-nfe.xlsx`;
  expect(stderr).toContain(`the documents of nfe as a table: ${table}`);
  expect(stderr).toContain(`; the whole month, to hand it over: fiscal inbound close ${next} --direction both`);
  expect(stderr).not.toMatch(/report month|export package/);
});

test('another machine, whose store is empty, does not replace the proof', async () => {
  await issue('nfe', 'P-1');
  await monthEnds();
  await sync();
  await close();
  const words = ['inbound', 'close', month, '--archive', archive, '--direction', 'issued', '-o', 'ndjson'];
  const other = await sandbox.elsewhere(...words);
  expect(other.exitCode).toBe(3);
  expect(other.stdout).toContain('earlier-proof-covers-more');
  expect((await verify()).exitCode).toBe(0);
});

test('another machine that archived the same, and does not know what was disabled, does not replace the proof', async () => {
  await issue('nfe', 'P-1', { serie: 1, number: 10 });
  await issue('nfe', 'P-2', { serie: 1, number: 13 });
  const words = ['--serie', '1', '--from', '11', '--to', '12', '--state', 'SP', '--yes'];
  await sandbox.invoice('disable', '--model', 'nfe', ...words, '--reason', 'Falha na numeração do sistema');
  await monthEnds();
  await sync();
  expect((await close()).exitCode).toBe(0);
  await sandbox.elsewhere('invoice', 'sync', '--archive', archive);
  const closing = ['inbound', 'close', month, '--archive', archive, '--direction', 'issued', '-o', 'ndjson'];
  const other = await sandbox.elsewhere(...closing);
  const kept = recordsOf(other.stdout).find(({ type }) => type === 'close')?.['kept'];
  expect([other.exitCode, kept]).toMatchObject([3, { verdict: 'complete', unknown: 0, numbers: 2, events: false }]);
  expect(recordsOf((await verify()).stdout).at(-1)).toMatchObject({ proven: 1 });
});

test('a verdict that was changed by hand does not follow from its facts', async () => {
  await issue('nfe', 'P-1', { serie: 1, number: 10 });
  await issue('nfe', 'P-2', { serie: 1, number: 13 });
  await monthEnds();
  await sync();
  const { closes } = await close();
  const path = String(closes[0]?.['manifest']).replace('manifest.jsonl', 'close.json');
  const text = readFileSync(path, 'utf8');
  const forged = text.replace('"complete": false', '"complete": true').replace('"not-provable"', '"complete"');
  writeFileSync(path, forged);
  expect((await verify()).exitCode).toBe(3);
  // Nor do numbers that do not add up.
  writeFileSync(path, forged.replace('"missing": 2', '"missing": 0').replace(/"reasons": \[[^\]]*\]/, '"reasons": []'));
  const verified = await verify();
  expect([verified.exitCode, verified.stdout]).toEqual([3, expect.stringContaining('"kind":"verdict"')]);
});

test('an invoice that is archived after the close is not extra, and a planted file is', async () => {
  await issue('nfe', 'P-1');
  await sync();
  const { id } = await issue('nfe', 'P-2');
  await sandbox.invoice('correct', id, '--text', 'Onde se le Cafe, leia-se Cha', '--yes', ...wait);
  await monthEnds();
  await close('--type', 'nfe');
  await sync('--pdf');
  expect((await verify()).exitCode).toBe(0);
  const [folder = ''] = readdirSync(archive, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('issued-nfe'),
  );
  writeFileSync(join(archive, folder, 'planted.xml'), '<a/>');
  const verified = await verify();
  expect([verified.exitCode, verified.stdout]).toEqual([3, expect.stringContaining('"kind":"extra"')]);
});
