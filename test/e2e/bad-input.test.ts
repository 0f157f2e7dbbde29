import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { builtProgram } from '../support/built-program.js';
import {
  ended,
  type Ended,
  errorOf,
  inProcess,
  newWorld,
  products,
  put,
  type ReadyLine,
  start,
  withEnv,
  withSandbox,
  type World,
  worldAt,
} from './program.js';

let ready: ReadyLine;
let stop: () => void;
let world: World;

beforeAll(async () => {
  ({ ready, stop } = await withSandbox(newWorld()));
  world = worldAt(ready);
  put(world, 'broken.json', '{"sku": "A",\n "origin": }');
  put(world, 'lacks.csv', 'sku,origin\nA,National\n');
  put(world, 'garbage.bin', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0xff, 0xfe, 0x00, 0x80]));
  put(world, 'one-bad.ndjson', `${products(2, 'BAD')}{"sku":"BAD-3","origin":"National"}\n`);
});

afterEach(async () => {
  const answer = await fetch(`${ready.url}/__sandbox/status`);
  // Nothing of what these tests type may reach the service; the wrong key is refused by it.
  expect(await answer.json()).toMatchObject({ products: {}, billed: 0 });
});

afterAll(() => stop());

/** One sentence, no stack trace, no data on stdout. */
function refused(result: Ended, exitCode: number): Record<string, unknown> {
  const error = errorOf(result);
  expect([result.exitCode, result.stdout, error['exitCode']]).toEqual([exitCode, '', exitCode]);
  expect(result.stderr).not.toMatch(/\n\s+at |node:internal|TypeError/);
  expect(String(error['message'])).not.toContain('\n');
  return error;
}

test.each([
  [['bogus'], 'usage.unknown_command', 'there is no command "bogus"'],
  [['product', 'creat'], 'usage.unknown_command', 'there is no command "product creat"'],
  [
    ['product', 'create', '--skuu', 'x'],
    'usage.unknown_option',
    'there is no option --skuu in "fiscal product create"',
  ],
  [['product', 'get'], 'usage.missing', 'missing: <product>'],
  [['product', 'apply', '--create-only', 'nope.csv'], 'input.not_found', 'there is no file nope.csv'],
  [['product', 'create', '--file', 'broken.json'], 'input.syntax', 'broken.json is not valid JSON'],
  [
    ['product', 'apply', '--create-only', 'lacks.csv'],
    'input.missing_column',
    'lacks.csv is missing the column description; nothing was sent',
  ],
  [['product', 'apply', '--create-only', 'garbage.bin'], 'input.syntax', 'garbage.bin is not valid XLSX'],
  [['product', 'create', '--file', 'garbage.bin'], 'input.not_text', 'garbage.bin is not UTF-8 text: byte 4'],
  [
    ['product', 'apply', '--create-only', 'one-bad.ndjson'],
    'input.invalid',
    'one-bad.ndjson is not valid; nothing was sent',
  ],
  [['product', 'list', '--profile', 'nope'], 'config.unknown_profile', 'there is no profile "nope"'],
  [['product', 'list', '--concurrency', '0'], 'usage.invalid_value', 'the value "0" of --concurrency is not valid'],
  [['product', 'get', 'x', '--query', '[?'], 'usage.invalid_value', 'of --query'],
])('%j exits 2 with %s', async (argv, code, words) => {
  const error = refused(await inProcess(world, ...argv), 2);
  expect(error['code']).toBe(code);
  expect(String(error['message'])).toContain(words);
});

test('a bad record is named by its line and field', async () => {
  const error = refused(await inProcess(world, 'product', 'apply', '--create-only', 'one-bad.ndjson'), 2);
  expect(error['details']).toMatchObject([{ field: 'line 3: description' }]);
});

test('a wrong key exits 4 and names its kind and its source', async () => {
  const wrong = withEnv(world, { FISCAL_INVOICE_KEY: 'not-a-key-of-this-service' });
  const error = refused(await inProcess(wrong, 'product', 'get', '00000000-0000-4000-8000-00000000abcd'), 4);
  expect(error).toMatchObject({
    code: 'auth.refused',
    keyKind: 'invoice',
    keySource: 'FISCAL_INVOICE_KEY',
    sent: 'yes',
  });
});

test('http to another host is refused before any connection', async () => {
  const foreign = withEnv(world, { FISCAL_PRODUCT_URL: 'http://registry.invalid' });
  const error = refused(await inProcess(foreign, 'product', 'get', '00000000-0000-4000-8000-00000000abcd'), 2);
  expect(error).toMatchObject({ code: 'config.insecure_host', sent: 'no' });
});

test.each([
  { layer: 'environment', env: { FISCAL_CONCURRENCY: 'many' }, words: 'the value "many" of FISCAL_CONCURRENCY' },
  { layer: 'project file', project: '{"concurrency":"many"}', words: 'the value "many" of concurrency (' },
  { layer: 'project file with a key', project: '{"invoiceKey":"x"}', words: 'may not contain "invoiceKey"' },
  { layer: 'flag', argv: ['--concurrency', 'many'], words: 'the value "many" of --concurrency' },
])('an invalid setting in the $layer is named with its place', async ({ env, project, argv, words }) => {
  const other = withEnv(worldAt(ready), { ...env });
  if (project !== undefined) put(other, '.fiscalrc.json', project);
  const error = refused(await inProcess(other, 'product', 'list', ...(argv ?? [])), 2);
  expect(String(error['message'])).toContain(words);
});

/** Writes the same bytes again and again until the reader goes away; gives how many it took. */
async function pour(argv: readonly string[], head: string, limit: number): Promise<{ result: Ended; taken: number }> {
  const child = start(world, argv, { stdio: ['pipe', 'pipe', 'pipe'] });
  const end = ended(child);
  const stdin = child.stdin;
  let taken = 0;
  let isOpen = true;
  stdin?.on('error', () => (isOpen = false));
  stdin?.write(head);
  const block = Buffer.alloc(1024 * 1024, 'x');
  while (isOpen && taken < limit && child.exitCode === null) {
    taken += block.length;
    if (stdin?.write(block) === false) await Promise.race([once(stdin, 'drain').catch(() => undefined), end]);
  }
  stdin?.end();
  return { result: await end, taken };
}

test.each([
  ['ndjson', '{"sku":"'],
  ['csv', 'sku,description,origin\n"'],
])('a line of 3 GB in %s is refused early, with little memory', async (format, head) => {
  const argv = ['product', 'apply', '--create-only', '-', '--format', format];
  const { result, taken } = await pour(argv, head, 3 * 1024 ** 3);
  const error = refused(result, 2);
  expect(error).toMatchObject({ code: 'input.line_too_long' });
  expect(String(error['message'])).toMatch(/^line [12] of stdin is longer than 1 MiB/);
  expect(taken).toBeLessThan(64 * 1024 ** 2);
});

test('an endless JSON document is refused at the limit', async () => {
  const { result } = await pour(['product', 'create', '--file', '-'], '{"sku":"', 3 * 1024 ** 3);
  expect(refused(result, 2)).toMatchObject({ code: 'input.too_large' });
});

test('an empty stdin and a closed one are reported without waiting', async () => {
  const empty = await ended(start(world, ['product', 'create', '--file', '-'], { stdio: ['ignore', 'pipe', 'pipe'] }));
  expect(refused(empty, 2)).toMatchObject({ code: 'input.empty' });
  const shell = 'exec "$0" "$@" <&-';
  const words = [process.execPath, builtProgram, 'product', 'create', '--file', '-'];
  const closed = await ended(spawn('sh', ['-c', shell, ...words], { cwd: world.root, env: world.env }));
  expect(refused(closed, 2)).toMatchObject({ code: 'input.empty' });
});
