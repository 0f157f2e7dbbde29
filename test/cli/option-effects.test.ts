import { describe, expect, test } from 'vitest';
import { sharedFlags } from '../../src/cli/shared-flags.js';
import { loadCommands, parse } from '../support/commands.js';
import { runFiscal } from '../support/host.js';

test('the options that an option requires or excludes exist', async () => {
  const unknown: string[] = [];
  const shared = new Set<string>();
  for (const [name, { options, takes = {} }] of await loadCommands()) {
    for (const [option, { onlyWith = [], notWith = [] }] of Object.entries(options)) {
      const all = [...onlyWith, ...notWith];
      const known = all.filter(
        (other) =>
          other === '-' ||
          (other.split(' ')[0] ?? '') in options ||
          other in sharedFlags ||
          Object.keys(takes).some((one) => `<${one}>` === other.split(' ')[0]),
      );
      if (all.length > 0 && known.length === 0) unknown.push(`${name} --${option}`);
      for (const other of known) shared.add(other);
    }
  }
  expect(unknown).toEqual([]);
  expect(shared).toContain('all');
});

test('options of --wait are refused without it, in every command that can wait', async () => {
  const ways: string[] = [];
  for (const [name, { options, takes = {} }] of await loadCommands()) {
    if (!('wait' in options)) continue;
    for (const option of ['timeout', 'interval'].filter((one) => one in options)) {
      const words = Object.values(takes)
        .filter(({ required }) => required)
        .map(() => 'x');
      const argv = [...name.split(' '), ...words, `--${option}`, '2s', '--error-format', 'json'];
      const { exitCode, stderr } = await runFiscal(argv);
      expect({ argv, exitCode, stderr }).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(`--${option} has no effect without --wait`),
      });
      ways.push(`${name} --${option}`);
    }
  }
  expect(ways.length).toBeGreaterThan(35);
});

test('--tenant is refused by every command that works on no tenant, and FISCAL_TENANT is not', async () => {
  const taking: string[] = [];
  for (const [name, { scope = [], showsSettings, takes = {} }] of await loadCommands()) {
    if (scope.includes('tenant') || showsSettings === true) {
      taking.push(name);
      continue;
    }
    const argv = [
      ...name.split(' '),
      ...Object.values(takes)
        .filter(({ required }) => required)
        .map(() => 'x'),
    ];
    const refused = parse([...argv, '--tenant', 'other']);
    await expect(refused, name).rejects.toMatchObject({
      code: 'usage.invalid',
      text: {
        en: expect.stringContaining(`--tenant has no effect on "fiscal ${name}"`),
        pt: expect.stringContaining(`--tenant não tem efeito em "fiscal ${name}"`),
      },
    });
    expect((await parse(argv, { FISCAL_TENANT: 'other' }))?.name).toBe(name);
  }
  expect(taking).toEqual(expect.arrayContaining(['config list', 'product get', 'tax calculate']));
  const { exitCode, stdout, stderr } = await runFiscal(['company', 'list', '--tenant', 'other']);
  expect([exitCode, stdout, stderr.includes('--tenant has no effect')]).toEqual([2, '', true]);
});

/** Commands that are for no company, and to which it makes no difference: nothing of theirs belongs to one. */
const companyIsNothing =
  /^(?:auth|config|product|tax|lookup|key|store|sandbox|certificate) |^(?:setup|schema|completion|doctor|version|manifestation codes|webhook verify|company alias)$/;

test('--company is refused by commands whose objects belong to companies but that act for none', async () => {
  const refusing: string[] = [];
  const silent: string[] = [];
  for (const [name, { scope = [], refusesCompany, takes = {} }] of await loadCommands()) {
    if (scope.includes('company')) continue;
    if (refusesCompany !== true) {
      if (!companyIsNothing.test(name)) silent.push(name);
      continue;
    }
    refusing.push(name);
    const argv = [
      ...name.split(' '),
      ...Object.values(takes)
        .filter(({ required }) => required)
        .map(() => 'x'),
    ];
    const { exitCode, stdout, stderr } = await runFiscal([...argv, '--company', 'other', '--error-format', 'text']);
    expect({ name, exitCode, stdout }).toEqual({ name, exitCode: 2, stdout: '' });
    expect(stderr).toContain(`--company has no effect on "fiscal ${name}"`);
    expect((await parse(argv, { FISCAL_COMPANY: 'other' }))?.name).toBe(name);
  }
  expect(silent).toEqual([]);
  expect(refusing).toEqual(expect.arrayContaining(['history', 'inbound verify', 'job prune', 'job resume']));
});

describe('an option without effect is refused before anything is sent', () => {
  test.each([
    ['inbound list --type nfe --limit 5 --all', '--limit has no effect with --all'],
    ['inbound list --local --max-pages 3', '--max-pages has no effect with --local'],
    ['inbound list --type nfe --by created', '--by has no effect without --since or --until'],
    ['company list --all --limit 1', '--limit has no effect with --all'],
    ['invoice list --model nfse --all --limit 1', '--limit has no effect with --all'],
    ['job list --all --limit 1', '--limit has no effect with --all'],
    ['webhook events --all --limit 1', '--limit has no effect with --all'],
    ['webhook events e1 --since 7d', '--since has no effect with <id>'],
    ['inbound reconcile --erp a.csv --month 2026-10 --report r.csv', '--report has no effect without --fetch'],
    ['inbound reconcile --erp a.csv --month 2026-10 --max-billable 5', '--max-billable has no effect without --fetch'],
    ['inbound sync --full --full-every 3d', '--full-every has no effect with --full'],
    ['inbound outstanding --written-off --restore K', '--written-off has no effect with --restore'],
    ['lookup cnpj 11222333000181 --report r.csv', '--report has no effect without --file or -'],
    ['lookup cnpj 11222333000181 --refresh --max-age 3d', '--max-age has no effect with --refresh'],
    ['lookup cpf --file a.csv --birth-date 1990-12-31', '--birth-date has no effect with --file'],
    ['lookup nfe K --timeout 3s', '--timeout has no effect without --pdf'],
    ['lookup nfe K --xml --refresh', '--refresh has no effect with --xml'],
    ['manifestation get e1 --sequence 2', '--sequence has no effect without --event'],
    ['manifestation poll K --event 210200 --type nfse', '--type has no effect with --event'],
    ['certificate check --companies a --company b', '--companies has no effect with --company'],
    ['backfill show --plan p.csv --company c1', '--plan has no effect with --company'],
    ['invoice issue --model nfe --sample --file a.json', '--file has no effect with --sample'],
    ['invoice issue --model nfse --state-tax ie1', '--state-tax has no effect with --model nfse'],
    ['invoice issue --model general --external-id P-1', '--external-id has no effect with --model general'],
    ['invoice issue --model nfe --idempotency-key P-1', '--idempotency-key has no effect with --model nfe'],
    ['invoice issue --model general --company c1', '--company has no effect with --model general'],
    ['invoice list --model nfce --search x', '--search has no effect with --model nfce'],
    ['invoice pdf i1 --of letter --force', '--force has no effect with --of letter'],
    ['invoice disable i1 --serie 1', '--serie has no effect with <id>'],
    ['tax calculate --sample --retry-billable', '--retry-billable has no effect with --sample'],
    ['product create --sku A --timeout 3s', '--timeout has no effect without --wait'],
    ['inbound reconcile --erp a.csv --month 2026-10 --interval 3s', '--interval has no effect without --wait'],
    ['inbound reconcile --erp a.csv --month 2026-10 --wait', '--wait has no effect without --fetch'],
    ['sandbox fault --kind 429', '--kind has no effect without add'],
    ['sandbox fault clear --rate 0.5', '--rate has no effect without add'],
    ['sandbox fault list --of authority --outcome reject', '--outcome has no effect without add'],
    ['sandbox fault --of invoices --delay 3s', '--delay has no effect without add'],
    ['webhook listen --port 0 --follow-links', '--follow-links has no effect without --sync'],
    ['webhook listen --port 0 --exec-timeout 3s', '--exec-timeout has no effect without --exec'],
  ])('%s', async (line, sentence) => {
    const run = await runFiscal([...line.split(' '), '--error-format', 'text', '--lang', 'en']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr.split('\n')[0]).toBe(`fiscal: ${sentence}`);
  });

  test('in Portuguese, and accepted with a list on stdin, where it has an effect', async () => {
    const { stderr } = await runFiscal([
      'company',
      'list',
      '--all',
      '--limit',
      '1',
      '--lang',
      'pt-BR',
      '--error-format',
      'text',
    ]);
    expect(stderr.split('\n')[0]).toBe('fiscal: --limit não tem efeito com --all');
    const listed = await runFiscal(['lookup', 'cnpj', '-', '--report', 'r.csv', '--error-format', 'text']);
    expect(listed.stderr).not.toContain('has no effect');
  });

  test('a value of the environment without effect is never refused', async () => {
    const { exitCode } = await runFiscal(['job', 'list', '--all'], { env: { FISCAL_LIMIT: '5' } });
    expect(exitCode).toBe(0);
  });
});

test.each([
  ['webhook listen --cert= --key=', '--cert'],
  ['inbound sync --archive=', '--archive'],
])('an empty path is refused, and not taken for the working folder: %s', async (line, flag) => {
  const { exitCode, stderr } = await runFiscal([...line.split(' '), '--error-format', 'text', '--lang', 'en']);
  const sentence = `fiscal: the value "" of ${flag} is not valid: a path is expected`;
  expect([exitCode, stderr.split('\n')[0]]).toEqual([2, sentence]);
});
