import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json as reply } from '../../client/support/server.js';
import { runFiscal } from '../../support/host.js';
import { imitate } from '../inbound/service.js';
import { testService } from '../../conformance/service.js';
import { newCompany } from '../../facts/company.js';
import { errorOf, machineBefore, type Machine, type Run } from '../../support/service-host.js';

const service = testService();
/** Stands nowhere else: whoever finds it has found a leak. */
const password = 'canário-7f3b senha';
let machine: Machine;

interface Made {
  readonly file: string;
  readonly thumbprint: string;
}

const make = (more: object = {}): Promise<Made> => service.control('POST', 'pfx', { password, ...more });
const bytesOf = ({ file }: Made): Uint8Array => Buffer.from(file, 'base64');
const json = (run: Run): unknown => JSON.parse(run.stdout);

beforeAll(async () => {
  await service.control('POST', 'seed', { companies: 2 });
});

beforeEach(() => {
  machine = machineBefore(service.ready(), { stdin: `${password}\n` });
});

async function upload(content: Uint8Array | string, ...more: string[]): Promise<Run> {
  const file = machine.put('a1.pfx', content);
  return machine.fiscal('certificate', 'upload', '--file', file, '--password-file', '-', ...more);
}

async function uploads(): Promise<number> {
  const ledger: { entries: readonly unknown[] } = await service.control('GET', 'ledger?operation=certificate.upload');
  return ledger.entries.length;
}

/** The files of the machine that hold these bytes. */
function filesWith(words: string): readonly string[] {
  return readdirSync(machine.host.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(words))
    .map(({ name }) => name);
}

describe('certificate upload', () => {
  test('an answer about another certificate is no success', async () => {
    const [made, other] = [await make(), await make()];
    const standIn = await imitate(
      {
        'GET /v2/companies/c1': reply(200, { company: { id: 'c1', name: 'Padaria' } }),
        'POST /v2/companies/c1/certificates': reply(201, { certificate: { thumbprint: other.thumbprint } }),
      },
      { stdin: `${password}\n` },
    );
    writeFileSync(join(standIn.host.cwd, 'a1.pfx'), bytesOf(made));
    const words = ['certificate', 'upload', '--file', 'a1.pfx', '--password-file', '-'];
    const run = await runFiscal([...words, '--error-format', 'json'], standIn.host);
    expect([run.exitCode, run.stdout, errorOf(run).code]).toEqual([10, '', 'service.other_subject']);
  });

  test('checks the file before it is sent, and leaves neither file nor password behind', async () => {
    const made = await make();
    const run = await upload(bytesOf(made), '-o', 'json', '--debug-http', '-v');
    expect([run.exitCode, json(run)]).toMatchObject([
      0,
      { companyId: service.ready().companyId, thumbprint: made.thumbprint, status: 'Active' },
    ]);
    await machine.fiscal('history', '-o', 'json');
    expect(run.stderr).toContain('> {"file":"(');
    expect(run.stderr + run.stdout).not.toContain('canário');
    expect([filesWith('canário'), filesWith('can%C3%A1rio')]).toEqual([[], []]);
    const listed = await machine.fiscal('certificate', 'list', '-o', 'json');
    expect(json(listed)).toContainEqual(expect.objectContaining({ thumbprint: made.thumbprint, status: 'Active' }));
  });

  test('accepts the encryption of older exporters (3DES)', async () => {
    const run = await upload(bytesOf(await make({ encryption: 'legacy' })), '-o', 'id');
    expect(run.exitCode).toBe(0);
  });

  const unusable: readonly (readonly [name: string, content: () => Promise<Uint8Array | string>, reason: string])[] = [
    ['a PDF', async () => Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj'), 'it is a PDF'],
    ['PEM text', async () => '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n', 'it is PEM text'],
    ['an empty file', async () => '', 'it is empty'],
    ['noise', async () => Buffer.from([0x30, 0x82, 1, 2, 3, 4]), 'it is not a PKCS #12 file'],
    ['a large file', async () => Buffer.alloc(1024 * 1024 + 1, 0x30), 'larger than 1 MiB'],
    ['another password', async () => bytesOf(await make({ password: 'other' })), 'the password does not open it'],
    ['an expired one', async () => bytesOf(await make({ days: -1 })), 'the certificate expired on'],
    [
      'one of another company',
      async () => bytesOf(await make({ taxNumber: '11444777000161' })),
      'the certificate belongs to 11.444.777/0001-61',
    ],
  ];
  test.each(unusable)(
    '%s is refused locally with one sentence, and nothing is sent',
    async (_name, content, reason) => {
      const before = await uploads();
      const run = await upload(await content());
      const { code, message, exitCode, sent } = errorOf(run);
      expect([code, exitCode, sent, await uploads()]).toEqual(['certificate.unusable', 2, 'no', before]);
      expect(message).toContain(reason);
      expect(run.stderr).not.toContain('canário');
    },
  );

  test('--unchecked leaves the check to the service', async () => {
    const run = await upload(bytesOf(await make({ taxNumber: '11444777000161' })), '--unchecked');
    expect([run.exitCode, errorOf(run).code]).toEqual([6, 'service.refused']);
  });

  test('--dry-run shows sizes, never contents', async () => {
    const run = await upload(bytesOf(await make()), '--dry-run', '-o', 'json');
    expect(json(run)).toMatchObject({
      request: { method: 'POST', body: { file: expect.stringMatching(/^\(\d+ bytes\)$/), password: '***' } },
    });
  });

  test('without a terminal and without a password it names the flag, and no flag takes the password itself', async () => {
    const file = machine.put('a1.pfx', bytesOf(await make()));
    const bare = await machine.fiscal('certificate', 'upload', '--file', file);
    const flag = await machine.fiscal('certificate', 'upload', '--file', file, '--password', 'x');
    expect([bare.exitCode, errorOf(bare).code, flag.exitCode, errorOf(flag).code]).toEqual([
      2,
      'usage.missing',
      2,
      'usage.unknown_option',
    ]);
  });
});

describe('certificate list with a thumbprint', () => {
  test('shows one certificate by its thumbprint; colons and small letters are taken', async () => {
    const made = await make();
    await upload(bytesOf(made));
    const typed = made.thumbprint.toLowerCase().replaceAll(/(..)(?=.)/g, '$1:');
    const run = await machine.fiscal('certificate', 'list', typed, '-o', 'json');
    expect([run.exitCode, json(run)]).toEqual([
      0,
      { ...made, file: undefined, subject: expect.any(String), status: 'Active' },
    ]);
  });

  test('one that the service does not have ends 9, with the command that lists them', async () => {
    const run = await machine.fiscal('certificate', 'list', 'AB'.repeat(20));
    expect([run.exitCode, errorOf(run).hint]).toEqual([
      9,
      // By its CNPJ.
      expect.stringMatching(/fiscal certificate list --company \d{14}$/),
    ]);
  });

  test('what is no thumbprint is not sent', async () => {
    const run = await machine.fiscal('certificate', 'list', 'AB');
    expect([run.exitCode, errorOf(run).sent]).toEqual([2, 'no']);
  });
});

describe('certificate delete', () => {
  test('needs the thumbprint twice; colons and lowercase letters are accepted', async () => {
    const made = await make();
    const { thumbprint } = made;
    await upload(bytesOf(made));
    const typed = thumbprint.toLowerCase().replaceAll(/(..)(?=.)/g, '$1:');
    const bare = await machine.fiscal('certificate', 'delete', typed, '--yes');
    const done = await machine.fiscal('certificate', 'delete', typed, '--yes', '--confirm', typed, '-o', 'json');
    const again = await machine.fiscal('certificate', 'delete', typed, '--yes', '--confirm', typed);
    expect([bare.exitCode, json(done), again.exitCode]).toEqual([
      2,
      { companyId: service.ready().companyId, thumbprint, deleted: true },
      9,
    ]);
  });
});

describe('certificate check', () => {
  test.each([
    ['valid', 0, 'valid'],
    ['expiring', 13, 'expiring'],
    ['expired', 13, 'expired'],
    ['missing', 0, 'missing'],
  ] as const)('a certificate that is %s exits %i', async (state, exitCode, shown) => {
    await service.control('POST', 'certificates', { state });
    const run = await machine.fiscal('certificate', 'check', '--warn', '30d', '-o', 'json');
    const rows = json(run) as readonly { companyId: string; state: string }[];
    const own = rows.find(({ companyId }) => companyId === service.ready().companyId);
    expect([run.exitCode, own?.state, rows.length]).toEqual([exitCode, shown, 3]);
    if (shown !== 'valid') expect(rows[0]).toEqual(own);
    await service.control('POST', 'certificates', { state: 'valid' });
  });

  test('a company that no longer exists is unknown, the others are still printed, and it is not a success', async () => {
    machine.put('company.json', JSON.stringify(newCompany));
    const id = (await machine.fiscal('company', 'create', '--file', 'company.json', '-o', 'id')).stdout.trim();
    await machine.fiscal('company', 'list');
    const { url, invoiceKey: authorization, companyId } = service.ready();
    await fetch(`${url}/v2/companies/${id}`, { method: 'DELETE', headers: { authorization } });
    const run = await machine.fiscal('certificate', 'check', '--companies', `${companyId},${id}`, '-o', 'json');
    const rows = json(run) as readonly { companyId: string; state: string }[];
    expect([run.exitCode, rows.map((row) => [row.companyId, row.state])]).toEqual([
      3,
      [
        [id, 'unknown'],
        [companyId, 'valid'],
      ],
    ]);
  });

  test('an unknown company exits 9, and the known ones are named', async () => {
    const ids = [service.ready().companyId, 'gone'].join(',');
    const run = await machine.fiscal('certificate', 'check', '--companies', ids, '-o', 'json');
    expect([run.exitCode, run.stdout]).toEqual([9, '']);
    const { code, details } = errorOf(run);
    expect([code, details?.map(({ field }) => field)]).toEqual([
      'company.unknown',
      expect.arrayContaining([service.ready().companyId]),
    ]);
  });
});
