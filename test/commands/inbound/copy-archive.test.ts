import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { manifestLine } from '../../../src/archive/manifest.js';
import { runFiscal, testHost } from '../../support/host.js';
import { BUCKET, type S3Fault, S3Server, type S3ServerOptions } from '../../support/s3-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const COUNT = 30;
const bucket = `s3://${BUCKET}/copy`;
const bodyOf = (at: number): string => `<nfeProc>${at}</nfeProc>`;
const pathOf = (at: number): string => `c/2026-10/nfe/${at}.xml`;
const manifest = 'proofs/2026-10/c/manifest.jsonl';

/** An archive whose manifest lists every document but the last one. */
function folderArchive(): string {
  const archive = temporaryFolder();
  const write = (path: string, text: string): void => {
    mkdirSync(join(archive, dirname(path)), { recursive: true });
    writeFileSync(join(archive, path), text);
  };
  const lines = Array.from({ length: COUNT }, (_, at) => {
    const body = bodyOf(at);
    write(pathOf(at), body);
    const sha256 = createHash('sha256').update(body).digest('hex');
    return manifestLine({
      ...{ key: `${at}`, type: 'nfe', events: [] },
      file: { path: pathOf(at), sha256, bytes: body.length },
    });
  });
  write(manifest, lines.slice(0, -1).join(''));
  write('proofs/2026-10/c/close.json', '{}');
  write('.fiscal/other-process/1.part', 'half');
  return archive;
}

async function open(options: S3ServerOptions = {}) {
  const server = await S3Server.start(options);
  onTestFinished(() => server.stop());
  const host = testHost({ env: { ...server.env, FISCAL_MAX_RETRY_WAIT: '1s', FISCAL_PROFILE: 'sandbox' } });
  const copy = async (from: string, to: string, ...words: string[]) => {
    const argv = ['inbound', 'archive', 'copy', '--from', from, '--to', to, ...words, '-o', 'ndjson'];
    const { exitCode, stdout, stderr } = await runFiscal(argv, host);
    const records: readonly Record<string, unknown>[] = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    return { exitCode, records, stderr };
  };
  return { server, copy };
}

test('an archive is copied to a bucket and back, every byte, and once', async () => {
  const { server, copy } = await open();
  const archive = folderArchive();
  const first = await copy(archive, bucket);
  expect([first.exitCode, first.records]).toEqual([
    0,
    [expect.objectContaining({ copied: COUNT + 2, present: 0, listed: COUNT - 1, problems: 0, to: bucket })],
  ]);
  const written = server.requests.filter(({ method, key }) => method === 'PUT' && !key.includes('.fiscal'));
  expect(written.slice(-2).map(({ key }) => key)).toEqual([`copy/${manifest}`, 'copy/proofs/2026-10/c/close.json']);
  const again = await copy(archive, `${bucket}/`);
  expect(again.records).toEqual([expect.objectContaining({ copied: 0, present: COUNT + 2, problems: 0 })]);
  const back = join(temporaryFolder(), 'back');
  expect((await copy(bucket, back)).exitCode).toBe(0);
  for (let at = 0; at < COUNT; at += 1) expect(readFileSync(join(back, pathOf(at)), 'utf8')).toBe(bodyOf(at));
  expect(readFileSync(join(back, manifest))).toEqual(readFileSync(join(archive, manifest)));
});

test('what is missing, changed or behind a link is reported, and the exit code is 3', async () => {
  const { server, copy } = await open();
  const archive = folderArchive();
  rmSync(join(archive, pathOf(0)));
  writeFileSync(join(archive, pathOf(1)), bodyOf(2));
  symlinkSync(temporaryFolder(), join(archive, 'c/linked'));
  const { exitCode, records } = await copy(archive, bucket);
  expect(JSON.stringify(records)).not.toContain('--follow-links');
  expect([
    exitCode,
    records
      .map(({ kind, path }) => `${kind} ${path}`)
      .toSorted()
      .slice(0, 3),
  ]).toEqual([3, [`changed ${pathOf(1)}`, 'link c/linked', `missing ${pathOf(0)}`]]);
  expect(server.objects.has(`copy/${pathOf(1)}`)).toBe(false);
});

test('a file without a manifest that the source gives in two ways is not copied', async () => {
  const path = pathOf(COUNT - 1);
  let read = 0;
  const { server, copy } = await open({
    body: (key, body) => (key.endsWith(path) && read++ > 0 ? Buffer.from('other') : body),
  });
  const archive = folderArchive();
  await copy(archive, bucket);
  read = 0;
  const { exitCode, records } = await copy(bucket, join(temporaryFolder(), 'back'));
  expect([exitCode, records[0]]).toEqual([3, expect.objectContaining({ kind: 'changed', path })]);
  expect(server.objects.has(`copy/${path}`)).toBe(true);
});

test.each(['', '/new'])('a link to the source%s is the same archive', async (below) => {
  const { copy } = await open();
  const archive = folderArchive();
  const link = join(temporaryFolder(), 'link');
  symlinkSync(archive, link);
  const { exitCode, stderr } = await copy(archive, `${link}${below}`);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('within the other')]);
});

test('nothing is written behind a link of the target', async () => {
  const { copy } = await open();
  const [target, elsewhere] = [temporaryFolder(), temporaryFolder()];
  symlinkSync(elsewhere, join(target, 'c'));
  const { exitCode, records, stderr } = await copy(folderArchive(), target);
  expect([exitCode, records.filter(({ kind }) => kind === 'link').length]).toEqual([3, COUNT]);
  expect(`${JSON.stringify(records)}${stderr}`).not.toContain('--follow-links');
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('what cannot be a file of the target is a difference, and everything else is copied', async () => {
  const { server, copy } = await open();
  await copy(folderArchive(), bucket);
  const long = `c/${'n'.repeat(256)}.xml`;
  const names = ['.fiscal', long, 'c/../../out.xml', 'c//x.xml', 'c/\u001b[31m.xml', 'c/a\nb.xml'];
  // Of a file and a folder with the same name, one is copied.
  const clashing = [pathOf(2), `${pathOf(2)}/below.xml`];
  for (const name of [...names, clashing[1]]) server.put(`copy/${name}`, Buffer.from('<nfeProc/>'));
  const target = join(temporaryFolder(), 'back');
  const { exitCode, records, stderr } = await copy(bucket, target);
  const refused = records.filter(({ kind }) => kind === 'name').map(({ path }) => String(path));
  expect([exitCode, records.length]).toEqual([3, names.length + 2]);
  expect(refused).toEqual(expect.arrayContaining(names));
  expect(refused.filter((path) => clashing.includes(path)).length).toBe(1);
  expect(readFileSync(join(target, manifest))).toEqual(server.objects.get(`copy/${manifest}`)?.body);
  expect(readdirSync(dirname(target)).toSorted()).toEqual(['back']);
  expect(stderr).not.toContain('\u001b[31m');
});

test('a name that is too long for an object is a difference as well', async () => {
  const { copy } = await open();
  const archive = folderArchive();
  const folder = join(archive, ...Array.from({ length: 5 }, () => 'n'.repeat(250)));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'k.xml'), '<nfeProc/>');
  const { exitCode, records } = await copy(archive, bucket);
  expect([exitCode, records.map(({ kind }) => kind)]).toEqual([3, ['name', undefined]]);
});

test('a file that cannot be read is a difference, and everything else is copied', async () => {
  const { copy } = await open();
  const archive = folderArchive();
  execFileSync('mkfifo', [join(archive, 'c/pipe.xml')]);
  const { exitCode, records } = await copy(archive, bucket);
  expect([exitCode, records.map(({ kind, path }) => [kind, path])]).toEqual([
    3,
    [
      ['unreadable', 'c/pipe.xml'],
      [undefined, undefined],
    ],
  ]);
});

test('other bytes at the target are set aside', async () => {
  const { server, copy } = await open();
  server.put(`copy/${pathOf(3)}`, Buffer.from('other'));
  expect((await copy(folderArchive(), bucket)).exitCode).toBe(0);
  const aside = [...server.objects.keys()].filter((key) => key.startsWith('copy/set-aside/'));
  expect(aside.map((key) => String(server.objects.get(key)?.body))).toEqual(['other']);
  expect(String(server.objects.get(`copy/${pathOf(3)}`)?.body)).toBe(bodyOf(3));
});

test('a server that goes away ends with 5, and the same command goes on', async () => {
  let left = 20;
  const fault = ({ method }: { readonly method: string }): S3Fault | undefined => {
    if (method === 'PUT') left -= 1;
    return left < 0 ? { status: 503, code: 'SlowDown' } : undefined;
  };
  const { server, copy } = await open({ fault });
  const archive = folderArchive();
  expect((await copy(archive, bucket)).exitCode).toBe(5);
  expect(server.objects.has(`copy/${manifest}`)).toBe(false);
  left = Infinity;
  const { exitCode, records } = await copy(archive, bucket);
  expect([exitCode, Number(records[0]?.['present']) > 10]).toEqual([0, true]);
});

test.each([
  [[], '--from'],
  [['--from', 'a'], '--to'],
  [['--from', 'a', '--to', 'a/b'], 'within the other'],
  [['--from', 'nothing-here', '--to', 'b'], 'nothing-here'],
] as const)('%j is refused in a sentence', async (words, sentence) => {
  const host = testHost({ env: { FISCAL_PROFILE: 'sandbox' } });
  const result = await runFiscal(['inbound', 'archive', 'copy', ...words], host);
  expect([[2, 9].includes(result.exitCode), result.stderr]).toEqual([true, expect.stringContaining(sentence)]);
});

test('a dry run writes nothing', async () => {
  const { server, copy } = await open();
  const { exitCode, records } = await copy(folderArchive(), bucket, '--dry-run');
  expect([exitCode, records]).toEqual([
    0,
    [expect.objectContaining({ type: 'dry-run', archive: bucket, records: COUNT - 1 })],
  ]);
  expect(server.requests).toEqual([]);
});
