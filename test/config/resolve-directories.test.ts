import { expect, test } from 'vitest';
import { resolveDirectories } from '../../src/config/directories.js';

test.each([
  [
    'linux',
    {},
    {
      config: '/h/.config/fiscal',
      state: '/h/.local/state/fiscal',
      data: '/h/.local/share/fiscal',
      cache: '/h/.cache/fiscal',
    },
  ],
  [
    'linux',
    { XDG_CONFIG_HOME: '/x/c', XDG_STATE_HOME: 'relative', FISCAL_DATA_DIR: '/d', XDG_CACHE_HOME: '/x/k' },
    { config: '/x/c/fiscal', state: '/h/.local/state/fiscal', data: '/d', cache: '/x/k/fiscal' },
  ],
  [
    'darwin',
    {},
    {
      config: '/h/Library/Application Support/fiscal/config',
      state: '/h/Library/Application Support/fiscal/state',
      data: '/h/Library/Application Support/fiscal/data',
      cache: '/h/Library/Caches/fiscal',
    },
  ],
  [
    'win32',
    { APPDATA: 'C:\\R', LOCALAPPDATA: 'C:\\L' },
    {
      config: 'C:\\R\\fiscal\\config',
      state: 'C:\\L\\fiscal\\state',
      data: 'C:\\L\\fiscal\\data',
      cache: 'C:\\L\\fiscal\\cache',
    },
  ],
] as const)('the folders on %s with %j', (platform, env, directories) => {
  expect(resolveDirectories({ env, platform, homeDir: '/h' })).toEqual(directories);
});

test('without a home, a folder that no variable names is an error that names the variable when it is asked for', () => {
  const directories = resolveDirectories({ env: { FISCAL_STATE_DIR: '/s' }, platform: 'linux', homeDir: undefined });
  expect(directories.state).toBe('/s');
  expect(() => directories.config).toThrow(
    expect.objectContaining({ code: 'config.no_folder', message: expect.stringContaining('FISCAL_CONFIG_DIR') }),
  );
});
