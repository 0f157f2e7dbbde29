import { describe, expect, it } from 'vitest';
import { readForm } from '../../../src/sandbox/http/multipart.js';

const bytes = Buffer.from([0, 13, 10, 45, 45, 255]);

describe('a form of several parts', () => {
  it('is read as browsers and Node write it', async () => {
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'a1.pfx');
    form.append('password', 'senha ç');
    const request = new Request('http://localhost', { method: 'POST', body: form });
    const type = request.headers.get('content-type') ?? '';
    const read = readForm(type, new Uint8Array(await request.arrayBuffer()));
    expect([...read]).toEqual([
      ['file', { bytes, fileName: 'a1.pfx' }],
      ['password', { bytes: Buffer.from('senha ç'), fileName: undefined }],
    ]);
  });

  it('may have a quoted boundary, other parameters and words before it', () => {
    const body = 'hello\r\n--a b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--a b--\r\n';
    expect([...readForm('multipart/form-data; charset=utf-8; boundary="a b"', Buffer.from(body))]).toEqual([
      ['x', { bytes: Buffer.from('1'), fileName: undefined }],
    ]);
  });

  it.each([
    ['application/json', ''],
    ['multipart/form-data', ''],
    ['multipart/form-data; boundary=a', ''],
    ['multipart/form-data; boundary=a', '--a\r\nContent-Disposition: form-data; name="x"\r\n\r\n1'],
    ['multipart/form-data; boundary=a', '--a\r\nContent-Disposition: form-data\r\n\r\n1\r\n--a--'],
    ['multipart/form-data; boundary=a', '--a\r\nname\r\n--a--'],
    ['multipart/form-data; boundary=a', '--a\r\n\r\n'.repeat(50)],
  ])('as %s and %j is refused', (type, body) => {
    expect(() => readForm(type, Buffer.from(body))).toThrow();
  });
});
