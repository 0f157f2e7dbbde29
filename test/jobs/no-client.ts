import type { Client } from '../../src/client/client.js';

/** For kinds that never touch the client. */
export const noClient: Client = {
  call: () => Promise.reject(new Error('not used')),
  raw: () => Promise.reject(new Error('not used')),
  look: () => Promise.reject(new Error('not used')),
  preview: () => Promise.reject(new Error('not used')),
  download: () => Promise.reject(new Error('not used')),
  previewRaw: () => Promise.reject(new Error('not used')),
  close: () => Promise.resolve(),
};
