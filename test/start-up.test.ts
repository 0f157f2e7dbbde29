import { isAscii } from 'node:buffer';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle, groups } from '../scripts/build.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const heavy = /^(got|conf|zod|better-sqlite3|inquirer|ora|ajv|hono|yaml|csv-parse|csv-stringify)$/;

let folder: string;
let packagesByPiece: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fiscal-start-up-'));
  const metafile = await bundle({ outdir: join(folder, 'dist'), entryPoints: { main: 'src/main.ts' } });
  await cp(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  await writeFile(join(folder, 'observe.cjs'), observer);
  packagesByPiece = new Map(
    Object.entries(metafile.outputs).map(([file, output]) => [basename(file), packagesOf(Object.keys(output.inputs))]),
  );
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the program loads neither conf, got, zod, SQLite nor inquirer', () => {
  test.each([
    ['--version'],
    ['--help'],
    ['product create --help'],
    ['completion bash'],
    ['key check 35250530057049000141550010000280181030656857'],
  ])('for fiscal %s', async (words) => {
    const loaded = await loadedPackages(words.split(' '));
    expect(loaded.filter((name) => heavy.test(name))).toEqual([]);
    expect(loaded).toContain('(the program itself)');
  });

  test('but a product read loads the client, which proves the observation', async () => {
    const loaded = await loadedPackages([
      'product',
      'get',
      '00000000-0000-4000-8000-00000000abcd',
      '--dry-run',
      '--profile',
      'sandbox',
    ]);
    expect(loaded).toContain('got');
  });
});

test('the help of a command loads neither the code of runs nor of calls', async () => {
  const opened = async (words: string) =>
    (await loadedModules(words.split(' '))).map((file) => basename(file)).filter((name) => name in groups);
  expect(await opened('product create --help')).toEqual(['main.js']);
  expect(await opened('product get x --dry-run --profile sandbox')).toEqual([
    'main.js',
    'run.js',
    'product.js',
    'call.js',
  ]);
});

describe('the program loads of Node', () => {
  const costly = /^(stream|net|tty|os|perf_hooks|http|https|tls|crypto|zlib|fs\/promises)$/;
  const ofNode = async (words: string, env: Readonly<Record<string, string>> = {}) =>
    (await loadedBy(words.split(' '), env)).ofNode.filter((name) => costly.test(name));

  test('nothing for streams, the network or the clock to print help into a pipe', async () => {
    expect(await ofNode('--version')).toEqual([]);
    expect(await ofNode('product create --help')).toEqual([]);
  });

  test('no TLS, cryptography or decompression for a call by http', async () => {
    const service = createServer((_request, response) => response.writeHead(404).end('{}'));
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const address = service.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const env = {
      FISCAL_PRODUCT_URL: `http://127.0.0.1:${port}`,
      FISCAL_INVOICE_KEY: 'key',
      FISCAL_TENANT: '5a0dbe11-7e57-4c0d-9a6e-00000000c0de',
    };
    const loaded = await ofNode('product get 00000000-0000-4000-8000-00000000abcd', env);
    service.close();
    expect(loaded).toContain('http');
    expect(loaded.filter((name) => /^(https|tls|crypto|zlib|perf_hooks)$/.test(name))).toEqual([]);
  });
});

test('the files of every call are ASCII, since V8 keeps others in twice the memory', async () => {
  const texts = Object.keys(groups).map((name) => readFile(join(folder, 'dist', name)));
  expect((await Promise.all(texts)).map(isAscii)).toEqual([true, true, true, true]);
});

test('the modules that the build merges exist', () => {
  const modules = Object.values(groups).flat();
  expect(modules.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/** Writes the loaded modules when the process ends, in whatever way it does. */
const observer = `
const { writeFileSync } = require('node:fs');
process.on('exit', () => {
  const files = Object.keys(require.cache);
  const ofNode = process.moduleLoadList.filter((name) => name.startsWith('NativeModule '));
  const loaded = { files, ofNode: ofNode.map((name) => name.slice('NativeModule '.length)) };
  writeFileSync(process.env.LOADED_MODULES, JSON.stringify(loaded));
});
`;

async function loadedPackages(words: readonly string[]): Promise<readonly string[]> {
  const files = await loadedModules(words);
  return [...new Set(files.flatMap((file) => packagesOfFile(file)))].sort();
}

async function loadedModules(words: readonly string[]): Promise<readonly string[]> {
  return (await loadedBy(words)).files;
}

interface Loaded {
  readonly files: readonly string[];
  readonly ofNode: readonly string[];
}

async function loadedBy(words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Loaded> {
  const list = join(folder, 'loaded.json');
  await rm(list, { force: true });
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    FISCAL_CONFIG_DIR: join(folder, 'config'),
    FISCAL_STATE_DIR: join(folder, 'state'),
    XDG_DATA_HOME: join(folder, 'data'),
    LOADED_MODULES: list,
    ...more,
  };
  const program = [`--require=${join(folder, 'observe.cjs')}`, join(folder, 'bin/fiscal.js'), ...words];
  await promisify(execFile)(process.execPath, program, { env }).catch((error: unknown) => error);
  return JSON.parse(await readFile(list, 'utf8')) as Loaded;
}

function packagesOfFile(file: string): readonly string[] {
  if (file.includes('node_modules')) return packagesOf([file]);
  return packagesByPiece.get(basename(file)) ?? [];
}

function packagesOf(inputs: readonly string[]): readonly string[] {
  return [...new Set(inputs.map((input) => packageOf(input)))].sort();
}

/** The package that a path belongs to, by its last `node_modules`. */
function packageOf(path: string): string {
  const match = /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path);
  return match?.[1] ?? '(the program itself)';
}
