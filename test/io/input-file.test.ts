import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fileBytes, fileFault, readStateJson, readWholeFile, unreadableFile } from '../../src/io/input-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const notRegular = { en: 'it is not a regular file', pt: 'não é um arquivo comum' };

async function faultOf(path: string, mostBytes = 1024): Promise<unknown> {
  try {
    return await readWholeFile(path, { mostBytes });
  } catch (error) {
    return fileFault(error);
  }
}

test('a file is read whole, up to its bound', async () => {
  const path = join(folder, 'a.txt');
  writeFileSync(path, 'x'.repeat(2048));
  expect(String(await readWholeFile(path, { mostBytes: 2048 }))).toBe('x'.repeat(2048));
  expect(await faultOf(path, 1024)).toEqual({ en: 'it is larger than 1 KiB', pt: 'é maior que 1 KiB' });
});

test('a folder and a file that is absent have their system codes', async () => {
  mkdirSync(join(folder, 'sub'));
  expect(await faultOf(join(folder, 'sub'))).toBe('EISDIR');
  expect(await faultOf(join(folder, 'none'))).toBe('ENOENT');
});

test.each([
  ['is cut', '{"a":'],
  ['is nested too deeply', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['is larger than 64 KiB', JSON.stringify('x'.repeat(64 * 1024))],
])('a state file that %s is read as none', async (_, text) => {
  const path = join(folder, 'state.json');
  writeFileSync(path, text);
  expect(await readStateJson(path)).toBeUndefined();
  writeFileSync(path, '{"a":1}');
  expect(await readStateJson(path)).toEqual({ a: 1 });
  expect(await readStateJson(join(folder, 'none'))).toBeUndefined();
  await expect(readStateJson(folder)).rejects.toMatchObject({
    message: `cannot read ${folder}: it is a folder (EISDIR)`,
  });
});

test('an error names the file as it was typed', () => {
  const [absent, denied] = ['ENOENT', 'EACCES'].map((code) => Object.assign(new Error(code), { code }));
  expect(unreadableFile('a.txt', absent)).toMatchObject({ code: 'input.not_found' });
  expect(unreadableFile('a.txt', denied)).toMatchObject({
    message: 'cannot read a.txt: this user has no permission (EACCES)',
  });
  const defect = new TypeError('no file at all');
  expect(unreadableFile('a.txt', defect)).toBe(defect);
});

describe.skipIf(process.platform === 'win32')('where files are devices, sockets and pipes', () => {
  function namedPipe(name: string): string {
    const path = join(folder, name);
    spawnSync('mkfifo', [path]);
    return path;
  }

  test('none of them is a regular file', async () => {
    const socket = join(folder, 's');
    const server = createServer().listen(socket);
    onTestFinished(() => void server.close());
    expect(await faultOf('/dev/zero')).toEqual(notRegular);
    expect(await faultOf(namedPipe('refused'))).toEqual(notRegular);
    // The system refuses to open a socket.
    expect(await faultOf(socket)).toBe('ENXIO');
  });

  test('a state file that is a pipe or a device is read as none', async () => {
    expect(await readStateJson(namedPipe('state'))).toBeUndefined();
    expect(await readStateJson('/dev/zero')).toBeUndefined();
  });

  test('a named pipe is read to its end where it is allowed, however late its writer comes', async () => {
    const path = namedPipe('allowed');
    const pipeUntil = new AbortController().signal;
    const reading = readWholeFile(path, { mostBytes: 1024, pipeUntil });
    const writer = await open(path, 'w');
    await writer.write('from a ');
    await writer.write('pipe');
    await writer.close();
    expect(String(await reading)).toBe('from a pipe');
  });

  test('the wait for a writer ends with the signal, and its reason is thrown', async () => {
    const stop = new AbortController();
    const reading = fileBytes(namedPipe('nobody'), { pipeUntil: stop.signal }).next();
    const reason = new Error('interrupted by a person');
    setImmediate(() => stop.abort(reason));
    await expect(reading).rejects.toBe(reason);
    const later = fileBytes(join(folder, 'nobody'), { pipeUntil: stop.signal }).next();
    await expect(later).rejects.toBe(reason);
  });
});
