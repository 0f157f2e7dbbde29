import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { hostOf } from '../claims/world.js';
import { testService } from '../conformance/service.js';
import { virtualClock } from '../jobs/virtual-clock.js';
import { runFiscal, testHost, type TestHost } from '../support/host.js';
import { fuzz, removeHost } from './fuzz.js';
import { hostileText } from './hostile.js';
import { brokenRules, finish, formats, formatWords, onTerminal, type FuzzFormat } from './rules.js';

/** A store that something has damaged since the last run: a disk, a copy cut short, a person with an editor. */
interface StoreCase {
  readonly damage:
    | { readonly how: 'cell'; readonly table: Choice; readonly column: Choice; readonly value: Cell }
    | { readonly how: 'bytes'; readonly at: number; readonly bytes: Uint8Array }
    | { readonly how: 'cut'; readonly at: number }
    | { readonly how: 'replaced'; readonly text: string };
  /** Chooses the command. */
  readonly command: number;
  readonly format: FuzzFormat;
}

/** A name, or a number that chooses among the names there are. */
type Choice = string | number;

type Cell = string | number | null | Uint8Array;

const cell: fc.Arbitrary<Cell> = fc.oneof(
  hostileText,
  fc.constantFrom<Cell>(null, -1, 0, 1e15, -1e15, Number.MAX_SAFE_INTEGER, new Uint8Array([0, 255])),
  fc.constantFrom('{', '[]', '{}', '[null]', '{"__proto__":{}}', '['.repeat(100_000), 'pending', 'sending'),
);

const cases: fc.Arbitrary<StoreCase> = fc.record({
  damage: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ how: fc.constant('cell' as const), table: fc.nat(60), column: fc.nat(60), value: cell }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        how: fc.constant('bytes' as const),
        at: fc.oneof(fc.nat(100), fc.nat(400_000)),
        bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ how: fc.constant('cut' as const), at: fc.nat(400_000) }) },
    { weight: 1, arbitrary: fc.record({ how: fc.constant('replaced' as const), text: hostileText }) },
  ),
  command: fc.nat(100),
  format: fc.constantFrom(...formats),
});

const COMMANDS = 19;

const corpus: readonly StoreCase['damage'][] = [
  { how: 'replaced', text: 'SQLite format 3\u0000 and no more' },
  // The schema format of SQLite, and the version of ours.
  { how: 'bytes', at: 44, bytes: new Uint8Array([0, 0, 0, 9]) },
  { how: 'bytes', at: 60, bytes: new Uint8Array([0, 0, 0, 1]) },
  { how: 'cell', table: 'jobs', column: 'scope', value: '{' },
  { how: 'cell', table: 'items', column: 'input', value: '[null]' },
  { how: 'cell', table: 'known', column: 'data', value: 'pending' },
  // Companies whose CNPJ and name are not known.
  { how: 'cell', table: 'known', column: 'data', value: '{}' },
  // Later than any date.
  { how: 'cell', table: 'timeline', column: 'store_ms', value: Number.MAX_SAFE_INTEGER },
  { how: 'cell', table: 'cursors', column: 'at', value: 1e15 },
  { how: 'cell', table: 'pace', column: 'blocked_until', value: Number.MAX_SAFE_INTEGER },
  { how: 'cell', table: 'documents', column: 'data', value: '{' },
];

const service = testService({ validationDelayMs: 20 * 60_000 });
let template: TestHost;
let commands: readonly (readonly string[])[];

beforeAll(async () => {
  await service.control('POST', 'seed', { documents: 3, family: 'nfe' });
  template = hostOf(
    {
      words: [],
      files: {
        'products.csv': 'sku,description,origin,tax.ncm\nF-1,Café,National,09012100\nF-2,Chá,National,09012100\n',
      },
    },
    { ready: service.ready(), url: service.ready().url, clock: virtualClock(Date.now()) },
  );
  const seeding: readonly (readonly string[])[] = [
    ['product', 'apply', '--create-only', 'products.csv', '--yes'],
    ['inbound', 'sync', '--archive', 'notas'],
    ['company', 'list'],
    ['company', 'alias', 'acme', service.ready().companyId],
  ];
  for (const words of seeding) await runFiscal([...words, '-o', 'json', '--no-input'], template);
  const { stdout } = await runFiscal(['job', 'list', '-o', 'json'], template);
  const [{ jobId = '' } = {}] = JSON.parse(stdout) as readonly { readonly jobId?: string }[];
  const month = new Date().toISOString().slice(0, 7);
  commands = [
    ['job', 'list'],
    ['job', 'show', jobId],
    ['job', 'items', jobId],
    ['job', 'resume', jobId, '--yes'],
    ['job', 'resume', '--failed', jobId, '--yes'],
    ['job', 'show', jobId, '--check'],
    ['job', 'prune', '--older-than', '1s', '--yes'],
    ['history'],
    ['usage'],
    ['store', 'status'],
    ['doctor'],
    ['company', 'alias'],
    ['product', 'apply', '--create-only', 'products.csv', '--yes'],
    ['inbound', 'sync', '--archive', 'notas'],
    ['inbound', 'close', month, '--archive', 'notas'],
    ['inbound', 'verify', '--archive', 'notas'],
    ['manifestation', 'due'],
    ['webhook', 'events'],
    ['product', 'get', 'F-1'],
  ];
});

fuzz({
  kind: 'store',
  cases,
  corpus: corpus.flatMap((damage) =>
    Array.from({ length: COMMANDS }, (_, command) => ({ damage, command, format: 'json' as const })),
  ),
  async violations({ damage, command, format }) {
    const words = commands[command % commands.length] ?? [];
    const clock = virtualClock(Date.now());
    const plain = testHost({ clock, env: ownFolders(template) });
    for (const name of readdirSync(template.root))
      cpSync(join(template.root, name), join(plain.root, name), { recursive: true });
    cpSync(template.cwd, plain.cwd, { recursive: true });
    harm(join(plain.root, 'state', 'state.db'), damage);
    const host = format === 'terminal' ? onTerminal(plain) : plain;
    const argv = [...words, ...formatWords(format)];
    const finished = await finish(host, format, async () => await runFiscal(argv, host));
    clock.stop();
    const broken = brokenRules({ ...finished, isForeign: true, mayPrint: words[0] === 'inbound' }).map(
      (rule) => `fiscal ${argv.join(' ')}: ${rule}`,
    );
    removeHost(host);
    return broken;
  },
});

/** The environment of the template without its folders, which are those of each host. */
function ownFolders({ env }: TestHost): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || name.endsWith('_DIR') ? [] : [[name, value]],
    ),
  );
}

function harm(path: string, damage: StoreCase['damage']): void {
  if (damage.how === 'cell') return harmCell(path, damage);
  if (damage.how === 'replaced') return writeFileSync(path, damage.text);
  const content = readFileSync(path);
  if (damage.how === 'cut') return writeFileSync(path, content.subarray(0, damage.at % content.length));
  content.set(damage.bytes.subarray(0, content.length - (damage.at % content.length)), damage.at % content.length);
  writeFileSync(path, content);
}

/** Writes one value into every row of a column; what the schema refuses stays as it was. */
function harmCell(
  path: string,
  { table, column, value }: Extract<StoreCase['damage'], { readonly how: 'cell' }>,
): void {
  const database = new Sqlite(path);
  try {
    const tables = database
      .prepare<[], { readonly name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all();
    const name = chosen(tables, table);
    const columns = database
      .prepare<[string], { readonly name: string }>('SELECT name FROM pragma_table_info(?)')
      .all(name);
    const field = chosen(columns, column);
    database.prepare(`UPDATE "${name}" SET "${field}" = ?`).run(value);
  } catch {
    // STRICT, CHECK or UNIQUE refuses the value.
  } finally {
    database.close();
  }
}

function chosen(names: readonly { readonly name: string }[], choice: Choice): string {
  return typeof choice === 'string' ? choice : (names[choice % names.length]?.name ?? '');
}
