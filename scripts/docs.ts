import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { sharedFlags } from '../src/cli/shared-flags.js';
import { topics } from '../src/cli/topics.js';
import { allOutputs } from '../src/commands/outputs.js';
import { commandPage, fileOf, sharedFlagsPage } from './reference/command-page.js';
import { loadCommands } from './reference/commands.js';
import { errorsPage, exitCodesPage } from './reference/error-pages.js';
import { indexPage, topicPage, type TopicPage } from './reference/index-page.js';
import { dryRunPage, schemaFileOf, schemaText } from './reference/output-part.js';
import { operationsPage } from './reference/operations-page.js';
import { tablesPage } from './reference/tables-page.js';

/**
 * Writes docs/reference from the definitions of the program; `--check` only tells what is stale.
 * The pages hold nothing that changes by itself: the same sources give the same bytes.
 */
const folder = 'docs/reference';

async function main(): Promise<void> {
  const pages = await makePages();
  const stale = await findStale(pages);
  if (!process.argv.includes('--check')) {
    await rm(folder, { recursive: true, force: true });
    for (const [name, text] of pages) await write(join(folder, name), text);
    console.log(`wrote ${pages.size} pages to ${folder}`);
    return;
  }
  if (stale.length === 0) return;
  console.error(`stale in ${folder}: ${stale.join(', ')}; run npm run docs`);
  process.exitCode = 1;
}

async function makePages(): Promise<ReadonlyMap<string, string>> {
  const [commands, outputs] = await Promise.all([loadCommands(), allOutputs()]);
  const pages = new Map<string, string>();
  for (const command of commands) {
    const output = outputs[command.name];
    pages.set(`commands/${fileOf(command)}`, commandPage(command, output));
    if (output !== undefined) pages.set(schemaFileOf(command), schemaText(command, output));
  }
  const topicPages = await loadTopics();
  for (const topic of topicPages) pages.set(`topics/${topic.name}.md`, topicPage(topic));
  pages.set('README.md', indexPage(commands, topicPages));
  pages.set('dry-run.md', dryRunPage());
  pages.set('flags.md', sharedFlagsPage(sharedFlags));
  pages.set('operations.md', await operationsPage());
  pages.set('tables.md', tablesPage());
  pages.set('exit-codes.md', exitCodesPage());
  pages.set('errors.md', errorsPage());
  return pages;
}

async function loadTopics(): Promise<readonly TopicPage[]> {
  return Promise.all(
    Object.entries(topics).map(async ([name, { summary, load }]) => ({ name, summary, text: (await load()).topic })),
  );
}

/** Pages that differ from what stands on the disk, are missing there, or stand there without a source. */
async function findStale(pages: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const standing = await standingPages();
  const names = new Set([...pages.keys(), ...standing.keys()]);
  return [...names].filter((name) => pages.get(name) !== standing.get(name)).sort();
}

async function standingPages(): Promise<ReadonlyMap<string, string>> {
  await mkdir(folder, { recursive: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return new Map(files.map((file, index) => [relative(folder, file).replaceAll('\\', '/'), texts[index] ?? '']));
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

await main();
