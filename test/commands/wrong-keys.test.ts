import { expect, test } from 'vitest';
import { runFiscal, testHost } from '../support/host.js';
import { nfeKey } from './manifestation/keys.js';

const wrong = nfeKey.slice(0, -1) + String((Number(nfeKey.at(-1)) + 1) % 10);
const rounded = `${nfeKey.slice(0, 15)}${'0'.repeat(29)}`;

const commands: readonly (readonly [...words: string[]])[] = [
  ['inbound', 'get'],
  ['inbound', 'get', '--content'],
  ['inbound', 'get', '--event', 'x'],
  ['inbound', 'xml'],
  ['inbound', 'pdf'],
  ['inbound', 'events'],
  ['inbound', 'reprocess', '--yes'],
  ['manifestation', 'submit', '--event', 'awareness'],
  ['manifestation', 'get', '--event', 'awareness'],
  ['manifestation', 'poll', '--event', 'awareness'],
  ['lookup', 'nfe'],
  ['invoice', 'get'],
  ['invoice', 'xml'],
  ['invoice', 'events'],
];

test.each(commands.map((words) => [words.join(' '), words] as const))(
  '%s refuses a key with a wrong check digit, or one that a spreadsheet rounded, before anything is sent',
  async (_name, [noun = '', verb = '', ...options]) => {
    const env = {
      ...{ FISCAL_INVOICE_KEY: 'k', FISCAL_DATA_KEY: 'k', FISCAL_COMPANY: 'c1' },
      ...{ FISCAL_PRODUCT_URL: 'http://127.0.0.1:9', FISCAL_DATA_URL: 'http://127.0.0.1:9' },
    };
    const host = testHost({ env, companies: ['c1'] });
    const found = [];
    for (const key of [wrong, `NFe${wrong}`, rounded, '3.5E43', '3,52605E+43']) {
      const { exitCode, stderr } = await runFiscal([noun, verb, key, ...options, '--error-format', 'json'], host);
      const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { error: Record<string, unknown> };
      const text = JSON.stringify(error);
      found.push([exitCode, error['sent'], text.includes(key.includes(wrong) ? 'check digit' : 'rounded')]);
    }
    expect(found).toEqual(found.map(() => [2, 'no', true]));
  },
);
