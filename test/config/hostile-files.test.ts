import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorOf, scene } from './support.js';

const plant: Readonly<Record<string, (path: string) => void>> = {
  'a folder': (path) => void mkdirSync(path),
  'more than 1 MiB': (path) => {
    writeFileSync(path, '{}');
    truncateSync(path, 1024 * 1024 + 1);
  },
  '300 levels': (path) => writeFileSync(path, `${'{"company":'.repeat(300)}1${'}'.repeat(300)}`),
  '100,000 levels': (path) => writeFileSync(path, '['.repeat(100_000)),
  'a list': (path) => writeFileSync(path, '[]'),
  'no JSON': (path) => writeFileSync(path, 'company: c1'),
  'nothing in it': (path) => writeFileSync(path, ''),
  'other bytes': (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00, 0x7b])),
  ...(process.platform !== 'win32' && { 'a named pipe': (path) => void spawnSync('mkfifo', [path]) }),
};

describe.each(['path', 'projectPath'] as const)('a file of settings (%s)', (which) => {
  test.each(Object.keys(plant))('that is or has %s is refused by its path, without waiting', async (what) => {
    const { config, ...paths } = scene({ file: { profiles: {} }, project: {} });
    const path = paths[which];
    rmSync(path);
    plant[what]?.(path);
    const { code, exitCode, facts, text } = await errorOf(config.settings({}));
    expect([code, exitCode, facts.sent]).toEqual(['config.invalid', 2, 'no']);
    expect(text.en).toContain(path);
    expect(text.en.length).toBeLessThan(300 + path.length);
  });
});
