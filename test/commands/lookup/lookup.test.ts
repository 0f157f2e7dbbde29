import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { testService } from '../../conformance/service.js';
import { errorOf, machineBefore, type Machine, type Run } from '../../support/service-host.js';
import { inputOrder } from '../../support/input-order.js';

const service = testService();
let machine: Machine;

beforeEach(async () => {
  await service.control('POST', 'reset');
  machine = machineBefore(service.ready());
});

const json = (run: Run): Record<string, unknown> => JSON.parse(run.stdout);
const records = (run: Run): readonly Record<string, unknown>[] =>
  inputOrder(
    run.stdout
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line)),
  );

async function asked(operation: string): Promise<number> {
  const ledger: { entries: readonly unknown[] } = await service.control('GET', `ledger?operation=${operation}`);
  return ledger.entries.length;
}

const cpf = '52998224725';
const other = '11144477735';

/** Every file of the machine, with what it holds of these words. */
function filesWith(...words: readonly string[]): readonly string[] {
  return readdirSync(machine.host.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => words.some((word) => readFileSync(path).includes(word)));
}

describe('one query', () => {
  test.each([
    ['cnpj', ['11.222.333/0001-81'], 'lookup.cnpj', { federalTaxNumber: '11222333000181' }],
    ['address', ['01310-100'], 'lookup.address', { address: expect.objectContaining({ postalCode: '01310-100' }) }],
    ['cpf', ['529.982.247-25', '--birth-date', '1990-12-31'], 'lookup.cpf', { federalTaxNumber: cpf }],
  ] as const)(
    '%s: the stored answer is used the second time, until --refresh',
    async (...[name, words, operation, part]) => {
      const first = await machine.fiscal('lookup', name, ...words, '-o', 'json');
      const second = await machine.fiscal('lookup', name, ...words, '-o', 'json');
      expect([first.exitCode, json(first), json(second)]).toMatchObject([0, part, json(first)]);
      expect(second.stderr).toContain('this answer is from 20');
      await machine.fiscal('lookup', name, ...words, '--refresh');
      await machine.fiscal('lookup', name, ...words, '--max-age', '0');
      expect(await asked(operation)).toBe(3);
    },
  );

  test.each([
    ['cpf', [cpf, '--birth-date', '1990-12-31'], { en: '1990-12-31', 'pt-BR': '31/12/1990' }],
    ['cnpj', ['11222333000181'], { en: '-03-01', 'pt-BR': '01/03/' }],
  ] as const)(
    'the table of a %s shows the day of birth or opening as it was written',
    async (...[name, words, days]) => {
      for (const language of ['en', 'pt-BR'] as const) {
        const run = await machine.fiscal('lookup', name, ...words, '-o', 'table', '--lang', language);
        const line = run.stdout.split('\n').find((text) => text.includes(days[language]));
        expect([run.exitCode, line]).toEqual([0, expect.not.stringMatching(/\d\d:\d\d/)]);
      }
    },
  );

  test('an unknown number (exit 9) is distinguished from a source that does not answer (exit 5)', async () => {
    const none = await machine.fiscal('lookup', 'address', '99999999');
    const silent = await machine.fiscal('lookup', 'address', '88888888', '--max-retry-wait', '0');
    expect([none.exitCode, errorOf(none).code]).toEqual([9, 'service.not_found']);
    expect([silent.exitCode, errorOf(silent).code, errorOf(silent).hint]).toEqual([
      5,
      'service.unavailable',
      'the data source does not answer; that does not mean that nothing exists: try later',
    ]);
  });

  test.each([
    ['cnpj', ['11222333000182'], 'CNPJ 11222333000182'],
    ['cnpj', [cpf], 'CNPJ ***.***.***-25'],
    ['cpf', ['52998224726', '--birth-date', '1990-12-31'], 'CPF ***'],
    ['cpf', [cpf, '--birth-date', '1990-02-30'], 'CPF ***'],
    ['cpf', [cpf], 'CPF ***'],
    ['address', ['123'], 'CEP 123'],
    ['cte', ['35250530057049000141550010000280181030656857'], 'CT-e 35250530057049000141550010000280181030656857'],
  ] as const)('%s %j is refused locally', async (name, words, shown) => {
    const run = await machine.fiscal('lookup', name, ...words);
    expect([run.exitCode, errorOf(run).message]).toEqual([2, `${shown} is not valid; nothing was sent`]);
    expect(run.stderr).not.toContain(cpf);
  });

  test('one number or a list is required, not both', async () => {
    const file = machine.put('l.txt', '11222333000181\n');
    const both = await machine.fiscal('lookup', 'cnpj', '11222333000181', '--file', file);
    expect([both.exitCode, (await machine.fiscal('lookup', 'cnpj')).exitCode]).toEqual([2, 2]);
  });
});

describe('an NF-e and a CT-e', () => {
  async function seeded(family: string): Promise<string> {
    const { accessKey } = await service.control('POST', 'documents', { family });
    return String(accessKey);
  }

  test('an NF-e: its state, XML, PDF and events', async () => {
    const key = await seeded('nfe');
    const state = await machine.fiscal('lookup', 'nfe', key, '-o', 'json');
    const xml = await machine.fiscal('lookup', 'nfe', key, '--xml', '--out', 'n.xml', '-o', 'json');
    const pdf = await machine.fiscal('lookup', 'nfe', key, '--pdf');
    const events = await machine.fiscal('lookup', 'nfe', key, '--events', '-o', 'json');
    const two = await machine.fiscal('lookup', 'nfe', key, '--xml', '--pdf');
    expect(json(state)).toMatchObject({ accessKey: key, currentStatus: 'authorized' });
    expect([xml.exitCode, pdf.stdout.startsWith('%PDF'), Array.isArray(json(events)), two.exitCode]).toEqual([
      0,
      true,
      true,
      2,
    ]);
    expect(readFileSync(join(machine.host.cwd, 'n.xml'), 'utf8')).toContain(key);
  });

  test('a CT-e: what was captured for the company, requested every time', async () => {
    const key = await seeded('cte');
    const first = await machine.fiscal('lookup', 'cte', key, '-o', 'json');
    await machine.fiscal('lookup', 'cte', key);
    expect([json(first)['accessKey'], await asked('cte.inbound.get')]).toEqual([key, 2]);
  });
});

describe('a list', () => {
  const list = 'nome;cnpj\nUm;"11.222.333/0001-81"\nDois;11444777000161\nUm outra vez;11222333000181\n';

  test('is a job: each number once, answers in order, and stored ones are not requested again', async () => {
    await machine.fiscal('lookup', 'cnpj', '11444777000161');
    const run = await machine.fiscal('lookup', 'cnpj', '--file', machine.put('l.csv', list), '-o', 'ndjson');
    const items = records(run).filter(({ type }) => type === 'item');
    expect([run.exitCode, items.map(({ line, label, source }) => [line, label, source])]).toEqual([
      0,
      [
        [2, '11222333000181', 'service'],
        [3, '11444777000161', 'cache'],
      ],
    ]);
    expect([await asked('lookup.cnpj'), items[0]?.['answer']]).toMatchObject([
      2,
      { federalTaxNumber: '11222333000181' },
    ]);
    const jobs = await machine.fiscal('job', 'list', '-o', 'json');
    expect(JSON.parse(jobs.stdout)).toMatchObject([{ kind: 'lookup-cnpj', state: 'done' }]);
  });

  test('is read as Excel writes it: with sep=, text forms and invisible characters', async () => {
    const excel = `sep=;\r\nnome;cnpj\r\nUm;="11222333000181"\r\nDois;'11444777000161\u200B\r\n`;
    const run = await machine.fiscal('lookup', 'cnpj', '--file', machine.put('l.csv', excel), '-o', 'ndjson');
    const items = records(run).filter(({ type }) => type === 'item');
    expect([run.exitCode, items.map(({ line, label }) => [line, label])]).toEqual([
      0,
      [
        [3, '11222333000181'],
        [4, '11444777000161'],
      ],
    ]);
  });

  test('NDJSON and plain lines are accepted; a wrong line is named before any request', async () => {
    const lines = machine.put('l.ndjson', '{"cnpj":"11222333000181"}\n{"federalTaxNumber":"11444777000161"}\n');
    const plain = machine.put('l.txt', '11222333000181\n\n11222333000182\n');
    const good = await machine.fiscal('lookup', 'cnpj', '--file', lines, '-o', 'ndjson');
    const wrong = await machine.fiscal('lookup', 'cnpj', '--file', plain);
    expect([good.exitCode, records(good).length, wrong.exitCode, errorOf(wrong).details]).toEqual([
      0,
      3,
      2,
      [{ field: 'line 3', message: 'the check digits do not fit: expected 81' }],
    ]);
  });

  test('an unknown number is a failed item (exit 3), and a retry requests only that', async () => {
    const file = machine.put('l.txt', '01310100\n99999999\n');
    const run = await machine.fiscal('lookup', 'address', '--file', file, '-o', 'ndjson');
    const [found, none, summary] = records(run);
    expect([run.exitCode, found?.['state'], none?.['state'], none?.['errorCode']]).toEqual([
      3,
      'succeeded',
      'failed',
      'service.not_found',
    ]);
    await machine.fiscal('job', 'resume', '--failed', String(summary?.['jobId']), '--yes');
    expect(await asked('lookup.address')).toBe(3);
  });

  // A short pause ends within the limit on a machine that is slow enough: then the attempts run out (5), not the time (12).
  const unfinished = [5, 12];

  test('job resume continues an interrupted list, and stores its answers', async () => {
    await service.control('POST', 'faults', { operation: 'lookup.address', kind: '503', count: 99 });
    const file = machine.put('l.txt', '01310100\n20040002\n');
    const cut = await machine.fiscal('lookup', 'address', '--file', file, '--max-retry-wait', '100ms');
    await service.control('DELETE', 'faults');
    const { stdout } = await machine.fiscal('job', 'list', '-o', 'id');
    const resumed = await machine.fiscal('job', 'resume', stdout.trim(), '-o', 'ndjson');
    const again = await machine.fiscal('lookup', 'address', '01310100');
    expect(unfinished).toContain(cut.exitCode);
    expect([resumed.exitCode, records(resumed).map(({ source }) => source)]).toEqual([
      0,
      ['service', 'service', undefined],
    ]);
    expect(again.stderr).toContain('--refresh');
  });

  test('a job of CPFs continues only with its list, which no file of the machine contains', async () => {
    await service.control('POST', 'faults', { operation: 'lookup.cpf', kind: '503', count: 99 });
    const people = `cpf,nascimento\n${cpf},1990-12-31\n${other},1980-01-01\n`;
    machine = machineBefore(service.ready(), { stdin: people });
    const cut = await machine.fiscal('lookup', 'cpf', '-', '--max-retry-wait', '100ms', '--debug-http');
    await service.control('DELETE', 'faults');
    const { stdout } = await machine.fiscal('job', 'list', '-o', 'id');
    const resumed = await machine.fiscal('job', 'resume', stdout.trim());
    const again = await machine.fiscal('lookup', 'cpf', '-', '-o', 'ndjson', '-v', '--debug-http');
    expect(unfinished).toContain(cut.exitCode);
    expect([resumed.exitCode, errorOf(resumed).code, again.exitCode]).toEqual([2, 'lookup.number_not_kept', 0]);
    expect(records(again).map(({ label }) => label)).toEqual(['***.***.***-25', '***.***.***-35', undefined]);
    await machine.fiscal('job', 'items', '--full', stdout.trim(), '-o', 'ndjson');
    const shown = [cut, resumed, again].map((run) => run.stdout + run.stderr).join('\n');
    for (const number of [cpf, '529.982.247-25', other]) expect(shown).not.toContain(number);
    expect(filesWith(cpf, other, '529.982.247', '1990-12-31')).toEqual([]);
  });
});
