import { expect, test } from 'vitest';
import { dataOf, errorOf, historyService } from './history.js';

const service = historyService({ companies: 2, documents: 10 });
const bare = ['--yes', '--confirm'];

async function keyWith(roles: readonly string[]): Promise<string> {
  // The control API's own shape.
  return ((await service.control('POST', 'keys', { roles })) as { readonly key: string }).key;
}

test('a key without the role Management exits 7, and the role is named', async () => {
  const id = service.company(0);
  const host = service.newHost({ FISCAL_INVOICE_KEY: await keyWith(['NFSeDist']) });
  const release = await service.backfill(host, 'release', '--company', id, ...bare, id);
  const cutOff = await service.backfill(host, 'start-from', '2026-01-01', '--company', id, ...bare, id);
  expect([errorOf(release), errorOf(cutOff)]).toEqual([
    { exitCode: 7, code: 'backfill.forbidden' },
    { exitCode: 7, code: 'backfill.forbidden' },
  ]);
  expect(release.stderr).toContain('it needs the role Management');
});

test('all companies refused for the role: its exit code, one line, and no advice to send again', async () => {
  const ids = [service.company(0), service.company(1)].join(',');
  const host = service.newHost({ FISCAL_INVOICE_KEY: await keyWith(['NFSeDist']) });
  const runs = [
    await service.backfill(host, 'release', '--company', ids, ...bare, ids),
    await service.backfill(host, 'start-from', '2026-01-01', '--company', ids, ...bare, ids),
  ];
  for (const { exitCode, stdout, stderr } of runs) {
    expect(exitCode).toBe(7);
    expect(stderr).toContain('2 × 403: the key lacks the role Management');
    expect(stderr).not.toContain('--failed');
    expect(stdout.trimEnd().split('\n').at(-1)).toContain('"exitCode":7');
  }
});

test('a plan of one company that is refused for the role ends the same', async () => {
  const host = service.newHost();
  const id = service.company(0);
  const made = await service.backfill(host, 'plan', '--company', id, '--out', 'plan.csv', '-o', 'json');
  const planId = String(dataOf(made).data?.['id']);
  // The control API's own shape.
  const { key } = (await service.control('POST', 'keys', { roles: ['NFSeDist'] })) as { readonly key: string };
  const env = { ...host.env, FISCAL_INVOICE_KEY: key };
  const release = ['release', '--plan', 'plan.csv', '--confirm', planId, '--yes', '-o', 'table'];
  const { exitCode, stderr } = await service.backfill({ ...host, env }, ...release);
  expect([exitCode, stderr.includes('1 × 403: the key lacks the role Management')]).toEqual([7, true]);
  expect(stderr).not.toContain('send it again');
});

test('a company without NFS-e capture exits 9, and the next command is named', async () => {
  const host = service.newHost();
  const id = await service.withoutCapture();
  const argv = ['--company', id, ...bare, id];
  for (const words of [['show'], ['release'], ['revoke'], ['show', '--wait'], ['start-from', '2026-01-01']]) {
    const given = words[0] === 'show' ? argv.slice(0, 2) : argv;
    const run = await service.backfill(host, ...words, ...given);
    expect([words[0], errorOf(run)]).toEqual([words[0], { exitCode: 9, code: 'backfill.no_capture' }]);
    expect(run.stderr).toContain('fiscal inbound capture enable --type nfse');
  }
});

test('companies that each lack their own capture are no common cause: none is said to be all of them', async () => {
  const host = service.newHost();
  const [one, two] = [await service.withoutCapture(), await service.withoutCapture(11_222_333_000_181)];
  const ids = `${one},${two}`;
  const { exitCode, stdout, stderr } = await service.backfill(host, 'release', '--company', ids, ...bare, ids);
  expect([exitCode, stderr.includes('2 × ')]).toEqual([3, false]);
  for (const id of [one, two]) expect(stdout).toContain(`company ${id} has no NFS-e capture (HTTP 404)`);
});

test.each([
  ['a folder', 'EISDIR', (cwd: string) => cwd],
  ['a name that is too long', 'ENAMETOOLONG', () => `${'a'.repeat(300)}.csv`],
])('a report that could not be written is refused before anything is sent: %s', async (_name, fault, path) => {
  const host = service.newHost();
  const before = await service.asked();
  const id = service.company(0);
  const run = await service.backfill(host, 'release', '--company', id, ...bare, id, '--report', path(host.cwd));
  expect(errorOf(run)).toEqual({ exitCode: 2, code: 'store.unwritable' });
  expect(run.stderr).toContain(fault);
  expect(await service.asked()).toBe(before);
});

test.each([
  [['start-from', '2026-02-30'], 'usage.invalid_value', 'a day that exists'],
  [['start-from', '2999-01-01'], 'usage.invalid_value', 'in the future'],
  [['start-from', '2026-01-01T00:00:00-03:00'], 'usage.invalid_value', 'UTC'],
  [['start-from', 'yesterday'], 'usage.invalid_value', 'a day that exists'],
  [['plan', '--from', '2025-13-01'], 'usage.invalid_value', '--from'],
  [['plan', '--out', 'plan.txt'], 'usage.invalid_value', '.csv, .json, .xlsx or .md'],
  [['release', '--plan', 'absent.csv'], 'input.not_found', 'absent.csv'],
  [['show'], 'usage.missing', '--company, --all-companies'],
  [['show', '--wait'], 'usage.missing', '--company, --all'],
  [['release', '--company', 'c1', '--plan', 'p.csv'], 'usage.invalid', 'omit --company and --all-companies'],
] as const)('%j sends nothing: exit 2', async (argv, code, words) => {
  const before = [await service.asked(), await service.asked('nfse.startFromDate.set')];
  const run = await service.backfill(service.newHost(), ...argv);
  expect(errorOf(run)).toEqual({ exitCode: 2, code });
  expect(run.stderr).toContain(words);
  expect([await service.asked(), await service.asked('nfse.startFromDate.set')]).toEqual(before);
});
