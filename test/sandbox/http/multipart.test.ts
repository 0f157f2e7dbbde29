import { describe, expect, it } from 'vitest';
import { testService } from '../../conformance/service.js';
import { certificatesPath } from '../../facts/company.js';

const service = testService();
const boundary = 'quoted boundary';
const usualType = `multipart/form-data; charset=utf-8; boundary="${boundary}"`;
const part = (name: string, content: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
const end = `--${boundary}--\r\n`;

/** Uploads a certificate, the operation that takes a form, and gives the status, the code and the refused field. */
async function upload(body: string | FormData, type?: string) {
  const answer = await fetch(service.ready().url + certificatesPath(service.ready().companyId), {
    method: 'POST',
    headers: { Authorization: service.ready().invoiceKey, ...(type === undefined ? {} : { 'Content-Type': type }) },
    body,
  });
  const { error, certificate } = (await answer.json()) as {
    readonly error?: { readonly code: string; readonly details: readonly { readonly field: string }[] };
    readonly certificate?: { readonly status: string };
  };
  return [answer.status, error?.code ?? certificate?.status, error?.details[0]?.field];
}

describe('a multipart form', () => {
  it('is read byte for byte as browsers and Node write it', async () => {
    const password = 'senha ç';
    const { file } = await service.control('POST', 'pfx', { password });
    const form = new FormData();
    form.append('file', new Blob([Buffer.from(file, 'base64')]), 'a1.pfx');
    form.append('password', password);
    expect(await upload(form)).toEqual([200, 'Active', undefined]);
  });

  it('may have a quoted boundary and other parameters; the later of two parts with one name wins', async () => {
    const { file } = await service.control('POST', 'pfx', { password: 'right' });
    const form = new FormData();
    for (const password of ['wrong', 'right']) form.append('password', password);
    form.append('file', new Blob([Buffer.from(file, 'base64')]), 'a1.pfx');
    expect(await upload(form)).toEqual([200, 'Active', undefined]);
    expect(await upload(part('file', 'x') + part('password', 'y') + end, usualType)).toEqual([
      400,
      'validation_error',
      'file',
    ]);
  });

  it.each([
    ['application/json', ''],
    ['application/x-www-form-urlencoded', 'file=x&password=y'],
    ['multipart/form-data', ''],
  ])('of the type %s is refused', async (type, body) => {
    expect(await upload(body, type)).toEqual([400, 'unsupported_content_type', undefined]);
  });

  it.each([
    ['nothing', ''],
    ['no end', part('file', 'x')],
    ['a part without a name', `--${boundary}\r\nContent-Disposition: form-data\r\n\r\n1\r\n${end}`],
    ['a part without a head', `--${boundary}\r\nname\r\n${end}`],
    ['too many parts', Array.from({ length: 21 }, (_, index) => part(`p${index}`, 'x')).join('') + end],
    ['too many parts of one name', part('file', 'x').repeat(21) + end],
  ])('with %s is refused', async (_what, body) => {
    expect(await upload(body, usualType)).toEqual([400, 'malformed_request', undefined]);
  });

  it('above the size limit is refused', async () => {
    const body = part('file', 'x'.repeat(1024 * 1024)) + end;
    expect(await upload(body, usualType)).toEqual([400, 'body_too_large', undefined]);
  });
});
