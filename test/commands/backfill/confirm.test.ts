import { expect, test } from 'vitest';
import { runFiscal } from '../../support/host.js';
import { historyService } from './history.js';

const service = historyService({ companies: 2, documents: 10 });

test('--confirm takes what --company takes: an alias, a CNPJ in any spelling, a name, in any order', async () => {
  const host = service.newHost();
  const [first, second] = [service.company(0), service.company(1)];
  await runFiscal(['company', 'alias', 'acme', first], host);
  const { stdout } = await runFiscal(['company', 'get', second, '-o', 'json'], host);
  const { name, federalTaxNumber: cnpj } = JSON.parse(stdout) as { name: string; federalTaxNumber: string };
  const spelt = cnpj.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
  const ends: unknown[] = [];
  for (const [company, confirm] of [
    ['acme', 'acme'],
    [cnpj, spelt],
    [first, 'ACME'],
    [name, second],
    [`acme,${cnpj}`, `${name}, acme`],
  ] as const) {
    const words = ['--company', company, '--confirm', confirm, '--yes', '--wait', '--interval', '10ms'];
    for (const verb of ['release', 'revoke']) ends.push((await service.backfill(host, verb, ...words)).exitCode);
  }
  expect(ends).toEqual(ends.map(() => 0));
});

test.each(['other', 'acme,other', '', '99999999999999'])(
  '--confirm "%s" of another company is refused',
  async (confirm) => {
    const host = service.newHost();
    await runFiscal(['company', 'alias', 'acme', service.company(0)], host);
    await runFiscal(['company', 'alias', 'other', service.company(1)], host);
    const before = await service.asked();
    const end = await service.backfill(host, 'release', '--company', 'acme', '--yes', '--confirm', confirm);
    expect([end.exitCode, end.stderr]).toEqual([2, expect.stringContaining('--confirm')]);
    expect(await service.asked()).toBe(before);
  },
);
