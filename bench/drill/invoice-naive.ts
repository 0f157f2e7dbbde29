import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Told } from './invoice-fiscal.js';
import { pathOf } from './invoice-orders.js';
import { type Scene, writeLines } from './invoices.js';
import { liveAs } from './life.js';

const MOST_LIVES = 1_000;

/** The naive client in a process of its own, killed as often and started again until it says that it is done. */
export async function issueNaively(scene: Scene): Promise<Told> {
  const { env, url, folder, orders, deaths } = scene;
  const [asked, answers] = [join(folder, 'orders.ndjson'), join(folder, 'answers.ndjson')];
  const company = String(env['FISCAL_COMPANY']);
  const lines = orders.map(({ way, name, body }) => ({ name, url: url + pathOf(way, company), body }));
  await writeLines(asked, lines);
  const words = ['scripts/run-typescript.js', 'bench/naive-issuer.ts', asked, answers];
  for (let exitCode: number | null = null; exitCode !== 0; ) {
    if (deaths.lives >= MOST_LIVES) throw new Error(`not at an end after ${MOST_LIVES} lives`);
    const end = await liveAs(env, words, deaths.moment());
    deaths.saw(end);
    if (!end.wasKilled && end.exitCode !== 0) throw new Error(end.stderr);
    exitCode = end.exitCode;
  }
  return { ids: await readIds(answers), found: 0, again: 0, asked: 0, uncertain: 0 };
}

async function readIds(file: string): Promise<ReadonlyMap<string, string>> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const rows = lines.map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
  return new Map(rows.flatMap(({ name, id }) => (typeof id === 'string' ? [[String(name), id] as const] : [])));
}
