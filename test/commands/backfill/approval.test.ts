import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataOf, errorOf, historyService } from './history.js';

const service = historyService({ companies: 3, documents: 30 });

async function plan() {
  const host = service.newHost();
  const ids = [0, 1, 2].map((index) => service.company(index)).join(',');
  const made = await service.backfill(host, 'plan', '--company', ids, '--out', 'plan.csv', '-o', 'json');
  const id = String(dataOf(made).data?.['id']);
  const release = ['release', '--plan', 'plan.csv', '--yes', '--confirm', id, '--dry-run', '-o', 'json'];
  const file = join(host.cwd, 'plan.csv.approval.json');
  return { host, id, release, file, path: join(host.cwd, 'plan.csv') };
}

test('an approval stands beside the plan, and the release shows who gave it and when', async () => {
  const { host, id, release, file } = await plan();
  const before = await service.backfill(host, ...release);
  const approved = await service.backfill(host, 'approve', 'plan.csv', '--by', 'Maria Silva', '-o', 'json');
  await service.backfill(host, 'approve', 'plan.csv', '--by', 'João Souza');
  const after = await service.backfill(host, ...release);
  const asked = await service.backfill(host, 'release', '--plan', 'plan.csv', '--no-input');
  const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(dataOf(approved)).toEqual({
    exitCode: 0,
    data: {
      ...{ type: 'approval', plan: 'plan.csv', id, companies: 3, approvedBy: 'Maria Silva', approvedAt: aTime, file },
    },
  });
  expect(dataOf(before).data).not.toHaveProperty('approvedBy');
  expect(dataOf(after).data).toMatchObject({ planId: id, approvedBy: 'Maria Silva, João Souza', approvedAt: aTime });
  expect(asked.stderr).toMatch(/; approved by Maria Silva \(.*\), João Souza \(.*\)/);
});

test('an approval of another plan is refused, also when rows were removed', async () => {
  const { host, id, release, path } = await plan();
  await service.backfill(host, 'approve', 'plan.csv', '--by', 'Maria');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  writeFileSync(path, `${lines.slice(0, 3).join('\n')}\n`);
  const before = await service.asked();
  const refused = await service.backfill(host, ...release);
  expect(errorOf(refused)).toEqual({ exitCode: 2, code: 'backfill.approval_other' });
  expect(refused.stderr).toContain(`is of plan ${id}, and this is plan `);
  expect(await service.asked()).toBe(before);
  const again = await service.backfill(host, 'approve', 'plan.csv', '--by', 'Maria');
  expect([again.exitCode, again.stderr.includes(`an approval of another plan (${id}) stood there`)]).toEqual([0, true]);
});

test.each([
  ['another name', (text: string) => text.replace('Maria', 'Pedro')],
  ['another time', (text: string) => text.replace(/"at": "\d{4}/, '"at": "1999')],
  ['no JSON', () => 'Maria'],
  ['no approval', (text: string) => text.replace(/\[[^\]]*\]/, '[]')],
])('an approval that was edited is refused: %s', async (_name, edit) => {
  const { host, release, file } = await plan();
  await service.backfill(host, 'approve', 'plan.csv', '--by', 'Maria');
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
  for (const words of [release, ['approve', 'plan.csv', '--by', 'Maria'], ['report', '--plan', 'plan.csv']])
    expect(errorOf(await service.backfill(host, ...words))).toEqual({ exitCode: 2, code: 'input.invalid' });
});

test.each([[[]], [['--by', ' ']], [['--by', 'a\nb']], [['--by', 'x'.repeat(101)]]])(
  'an approval needs a name: %j',
  async (words) => {
    const { host } = await plan();
    expect((await service.backfill(host, 'approve', 'plan.csv', ...words)).exitCode).toBe(2);
  },
);

test('an altered plan cannot be approved', async () => {
  const { host, path } = await plan();
  writeFileSync(path, readFileSync(path, 'utf8').replace(',10,release,', ',1,release,'));
  const refused = await service.backfill(host, 'approve', 'plan.csv', '--by', 'Maria');
  expect(errorOf(refused)).toEqual({ exitCode: 2, code: 'backfill.plan_altered' });
});
