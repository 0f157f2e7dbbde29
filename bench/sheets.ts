import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workbookBytes } from '../src/io/workbook.js';
import { observe } from './memory.js';

const budgetMb = 150;
const key = '35250530057049000141550010000280181030656857';

/** The largest resident size of a workbook that is read by an import, and of one that is written from a list. */
export async function measureSheets(folder: string, env: NodeJS.ProcessEnv, rows: number): Promise<void> {
  const input = join(folder, 'products.xlsx');
  const titles = ['código', 'descrição', 'origem', 'ncm'];
  const columns = titles.map((title) => ({ title, kind: 'text' as const }));
  await writeFile(input, workbookBytes(products(rows), { name: 'Produtos', columns }));
  const read = await observe(folder, env, ['product', 'apply', '--create-only', input, '--dry-run', '-o', 'ndjson']);
  say(`product apply --create-only --dry-run of an .xlsx of ${rows} rows`, read);
  const keys = join(folder, 'keys');
  await writeFile(keys, `${key}\n`.repeat(rows));
  const words = ['key', 'check', '-', '-o', 'xlsx', '--out', join(folder, 'keys.xlsx')];
  say(`key check -o xlsx of ${rows} rows`, await observe(folder, env, words, keys));
}

function say(what: string, { megabytes, seconds }: Awaited<ReturnType<typeof observe>>): void {
  console.log(`fiscal ${what}: at most ${megabytes.toFixed(0)} MB (budget ${budgetMb} MB), ${seconds.toFixed(1)} s`);
}

async function* products(rows: number) {
  for (let row = 1; row <= rows; row += 1) yield [`SKU-${row}`, `Product number ${row}`, 'Nacional', '0901.21.00'];
}
