import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import yaml from 'yaml';
import { blocksOf, blockWith } from './blocks.js';
import { isSchedule, readCrontab } from './crontab.js';
import { openPlace, type Place } from './place.js';

const blocks = blocksOf('monitoring');

let place: Place;

beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.stop());

/** The place with the folders that the guide makes, and the account as the environment tells it. */
function scene() {
  const root = place.folder();
  const { url, invoiceKey } = place.ready;
  const env = { FISCAL_PRODUCT_URL: url, FISCAL_INVOICE_KEY: invoiceKey };
  const run = (words: readonly string[]) => place.run(words, { cwd: root, env });
  const bash = (text: string) => run(['bash', '-e', '-c', place.moved(text, root)]);
  return { root, run, bash };
}

test('the commands of the guide run in a shell', async () => {
  const { bash } = scene();
  const ends: unknown[] = [];
  for (const { text } of blocks.filter(({ language }) => language === 'sh')) {
    const { exitCode, stderr } = await bash(text);
    ends.push([text, exitCode, exitCode === 0 ? '' : stderr]);
  }
  expect(ends).toEqual(blocks.filter(({ language }) => language === 'sh').map(({ text }) => [text, 0, '']));
});

test('the crontab writes the metrics that the rules ask for', async () => {
  const { root, run, bash } = scene();
  await bash(blockWith(blocks, 'mkdir'));
  const [line] = readCrontab(place.moved(blockWith(blocks, '*/30'), root)).lines;
  const { exitCode } = await run(['/bin/sh', '-c', line?.command ?? 'false']);
  const metrics = readFileSync(join(root, 'var/lib/fiscal/metrics/companies.prom'), 'utf8');
  const written = new Set(metrics.match(/^fiscal_company_\w+/gm));
  // The account of the test has no document that arrived, no sync, no term and perhaps no problem: their lines are not there.
  const absent = new Set([
    'fiscal_company_last_document_timestamp_seconds',
    'fiscal_company_last_sync_timestamp_seconds',
    'fiscal_company_manifestation_terms',
    'fiscal_company_problem',
  ]);
  const asked = blockWith(blocks, 'groups:').match(/fiscal_company_\w+/g) ?? [];
  expect({
    exitCode,
    isSchedule: isSchedule(line?.schedule ?? []),
    unknown: asked.filter((name) => !written.has(name) && !absent.has(name)),
  }).toEqual({ exitCode: 0, isSchedule: true, unknown: [] });
});

test('the rules are YAML with a name and an expression each', () => {
  const { groups } = yaml.parse(blockWith(blocks, 'groups:')) as {
    groups: readonly { readonly rules: readonly Readonly<Record<string, unknown>>[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.map(({ alert, expr }) => [typeof alert, typeof expr])).toEqual(rules.map(() => ['string', 'string']));
});
