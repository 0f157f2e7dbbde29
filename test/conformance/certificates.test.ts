import { afterEach, describe, expect, it } from 'vitest';
import { companiesPath } from '../facts/authentication.js';
import { certificatePath, certificatesPath, newCompany } from '../facts/company.js';
import { nfeSettingsPath } from '../facts/inbound.js';
import { testService } from './service.js';

const service = testService();
const password = 'senha de teste ç';

interface Made {
  readonly file: string;
  readonly thumbprint: string;
  readonly validUntil: string;
}

/** One or the other. */
interface Uploaded {
  readonly certificate: { readonly subject: string };
  readonly error: { readonly details: readonly { readonly field: string; readonly message: string }[] };
}

const make = (more: object = {}): Promise<Made> => service.control('POST', 'pfx', { password, ...more });

/** As a form, with bare fetch. */
async function upload(parts: Readonly<Record<string, string | Uint8Array>>, companyId = service.ready().companyId) {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.append(name, part);
    else form.append(name, new Blob([Buffer.from(part)]), 'a1.pfx');
  }
  const { status, json } = await service.send('POST', certificatesPath(companyId), { form });
  return { status, json: json as Uploaded };
}

async function list(companyId = service.ready().companyId) {
  return (await service.send('GET', certificatesPath(companyId))).json.certificates;
}

async function spacedUntil(): Promise<string | undefined> {
  return (await service.send('GET', nfeSettingsPath(service.ready().companyId))).json.rateLimitedUntil;
}

const bytesOf = ({ file }: Made): Uint8Array => Buffer.from(file, 'base64');
const statusOf = (status: string) => (each: { readonly status: string }) => each.status === status;

afterEach(() => service.control('POST', 'reset'));

describe('the upload of a certificate (public)', () => {
  it.each(['modern', 'legacy'])(
    'accepts a PFX with %s encryption and shows neither key nor password',
    async (encryption) => {
      const made = await make({ encryption });
      const { status, json } = await upload({ file: bytesOf(made), password });
      const { thumbprint, validUntil } = made;
      expect([status, json]).toEqual([
        200,
        { certificate: { subject: json.certificate.subject, validUntil, thumbprint, status: 'Active' } },
      ]);
      expect((await list()).filter(statusOf('Active'))).toEqual([json.certificate]);
      const told = JSON.stringify([await list(), await service.control('GET', 'ledger')]);
      expect(told).not.toContain(password);
    },
  );

  it.each([
    ['File', 'Password'],
    ['FILE', 'passWord'],
  ])('accepts the parts %s and %s: both spellings are published', async (file, secret) => {
    const made = await make();
    const { status } = await upload({ [file]: bytesOf(made), [secret]: password });
    const thumbprints = (await list())
      .filter(statusOf('Active'))
      .map((each: { thumbprint: string }) => each.thumbprint);
    expect([status, thumbprints]).toEqual([200, [made.thumbprint]]);
  });

  it('repeated, returns the same certificate', async () => {
    const file = bytesOf(await make());
    const [first, second] = [await upload({ file, password }), await upload({ file, password })];
    expect(second).toEqual(first);
    expect((await list()).filter(statusOf('Active'))).toHaveLength(1);
  });

  it('of a new certificate replaces the previous one', async () => {
    await upload({ file: bytesOf(await make({ days: 30 })), password });
    const made = await make({ days: 20 });
    await upload({ file: bytesOf(made), password });
    const active = (await list()).filter(statusOf('Active'));
    expect(active.map(({ thumbprint }: Made) => thumbprint)).toEqual([made.thumbprint]);
  });

  it('refuses a wrong password, a file that is not a PFX and a missing part', async () => {
    const file = bytesOf(await make());
    const answers = [
      await upload({ file, password: 'outra' }),
      await upload({ file: Buffer.from('%PDF-1.4'), password }),
      await upload({ password }),
      await upload({ file }),
    ];
    expect(answers.map(({ status, json }) => [status, json.error.details[0]?.field])).toEqual([
      [400, 'password'],
      [400, 'file'],
      [400, 'file'],
      [400, 'password'],
    ]);
  });

  it('refuses an expired certificate and one of another company', async () => {
    const [expired, foreign] = [await make({ days: -1 }), await make({ taxNumber: '12345678000195' })];
    const answers = [
      await upload({ file: bytesOf(expired), password }),
      await upload({ file: bytesOf(foreign), password }),
    ];
    expect(answers.map(({ status, json }) => [status, json.error.details[0]?.message])).toEqual([
      [400, `The certificate has expired: ${expired.validUntil}.`],
      [400, 'The certificate is of another company: 12345678000195.'],
    ]);
  });

  it('accepts only a form, and only for a company of the account', async () => {
    const json = await service.send('POST', certificatesPath(service.ready().companyId), { body: {} });
    expect([json.status, json.json.error.code]).toEqual([400, 'unsupported_content_type']);
    expect((await upload({ file: bytesOf(await make()), password }, 'nobody')).status).toBe(404);
  });

  it('gives a new company its first certificate', async () => {
    const { id } = (await service.send('POST', companiesPath, { body: { company: newCompany } })).json.company;
    expect(await list(id)).toEqual([]);
    const { status } = await upload({ file: bytesOf(await make({ companyId: id })), password }, id);
    expect([status, (await list(id)).length]).toEqual([200, 1]);
  });
});

describe('one certificate (published)', () => {
  it('is read by its thumbprint, in any case, as the list shows it', async () => {
    const { thumbprint } = await make();
    const made = await make();
    await upload({ file: bytesOf(made), password });
    const { companyId } = service.ready();
    for (const word of [made.thumbprint, made.thumbprint.toLowerCase()]) {
      const { status, json } = await service.send('GET', certificatePath(companyId, word));
      expect([status, json]).toEqual([200, { certificate: (await list())[0] }]);
    }
    expect((await service.send('GET', certificatePath(companyId, thumbprint))).status).toBe(404);
    expect((await service.send('GET', certificatePath('nobody', made.thumbprint))).status).toBe(404);
  });

  it('is gone after its deletion', async () => {
    const made = await make();
    await upload({ file: bytesOf(made), password });
    const path = certificatePath(service.ready().companyId, made.thumbprint);
    await service.send('DELETE', path);
    expect((await service.send('GET', path)).status).toBe(404);
  });
});

describe('the list of certificates', () => {
  it('is limited to one status, in any letter case (published)', async () => {
    await upload({ file: bytesOf(await make()), password });
    const path = certificatesPath(service.ready().companyId);
    const counts = [];
    for (const status of ['active', 'INACTIVE', 'overdue']) {
      counts.push((await service.send('GET', `${path}?status=${status}`)).json.certificates.length);
    }
    expect(counts).toEqual([1, 1, 0]);
  });
});

describe('the deletion of a certificate (public)', () => {
  it('removes it from the list and spaces the capture (§2) until another is uploaded', async () => {
    const made = await make();
    await upload({ file: bytesOf(made), password });
    expect(await spacedUntil()).toBeUndefined();
    const path = certificatePath(service.ready().companyId, made.thumbprint.toLowerCase());
    const { status } = await service.send('DELETE', path);
    expect([status, (await list()).filter(statusOf('Active'))]).toEqual([204, []]);
    expect(typeof (await spacedUntil())).toBe('string');
    expect((await service.send('DELETE', path)).status).toBe(404);
    await upload({ file: bytesOf(await make()), password });
    expect(await spacedUntil()).toBeUndefined();
  });

  it('of an unknown certificate answers 404', async () => {
    const path = certificatePath(service.ready().companyId, 'AB'.repeat(20));
    expect((await service.send('DELETE', path)).status).toBe(404);
  });
});
