import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { schemeNames, schemes } from '../../src/receiver/schemes.js';

const secret = '0123456789abcdef0123456789abcdef';
const now = Date.UTC(2026, 10, 21, 12);
const body = Buffer.from('{"action":"product.active","payload":{"id":"p-1"}}');

describe.each(schemeNames)('%s', (name) => {
  const scheme = schemes[name];
  const headers = scheme.sign({ id: 'd-1', body, now }, secret);

  test('its own signature is genuine, and the id is read', () => {
    expect(scheme.name).toBe(name);
    expect(scheme.verify({ headers, body, now }, [secret])).toBe('genuine');
    expect(scheme.deliveryId(headers)).toBe('d-1');
    expect(scheme.deliveryId({})).toBe('');
  });

  test('any of several secrets is accepted, so that one can be replaced', () => {
    expect(scheme.verify({ headers, body, now }, ['another', secret])).toBe('genuine');
    expect(scheme.verify({ headers, body, now }, ['another'])).toBe('wrong');
    expect(scheme.verify({ headers, body, now }, [])).toBe('wrong');
  });

  test('a change of any byte of the body makes the signature wrong', () => {
    for (const index of body.keys()) {
      const changed = Buffer.from(body);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(scheme.verify({ headers, body: changed, now }, [secret])).toBe('wrong');
    }
    expect(scheme.verify({ headers, body: body.subarray(1), now }, [secret])).toBe('wrong');
  });

  test('an absent signature is missing', () => {
    expect(scheme.verify({ headers: {}, body, now }, [secret])).toBe('missing');
  });
});

describe('hub-sha1', () => {
  const hex = createHmac('sha1', secret).update(body).digest('hex');
  const verdict = (signature: string) =>
    schemes['hub-sha1'].verify({ headers: { 'x-hub-signature': signature }, body, now }, [secret]);

  test('the hex digits may be in either case', () => {
    expect(verdict(`sha1=${hex}`)).toBe('genuine');
    expect(verdict(`sha1=${hex.toUpperCase()}`)).toBe('genuine');
    expect(verdict(`SHA1=${hex}`)).toBe('genuine');
  });

  test('anything else than a signature is wrong', () => {
    for (const text of [
      hex,
      `sha256=${hex}`,
      `sha1=${hex}00`,
      `sha1=${hex.slice(2)}`,
      'sha1=',
      `sha1=${'z'.repeat(40)}`,
    ])
      expect(verdict(text)).toBe('wrong');
  });
});

describe('standard-webhooks', () => {
  const scheme = schemes['standard-webhooks'];
  const signed = scheme.sign({ id: 'msg_1', body, now }, secret);

  test('a genuine delivery from another time is stale, in both directions', () => {
    const at = (ms: number) => scheme.verify({ headers: signed, body, now: now + ms }, [secret]);
    expect(at(300_000)).toBe('genuine');
    expect(at(-300_000)).toBe('genuine');
    expect(at(301_000)).toBe('stale');
    expect(at(-301_000)).toBe('stale');
  });

  test('one of several signatures is enough; other versions are ignored', () => {
    const own = signed['webhook-signature'] ?? '';
    const verdict = (signature: string) =>
      scheme.verify({ headers: { ...signed, 'webhook-signature': signature }, body, now }, [secret]);
    expect(verdict(`v1,AAAA v1a,BBBB ${own}`)).toBe('genuine');
    expect(verdict(`v2,${own.slice(3)}`)).toBe('wrong');
    expect(verdict(`${'v1,AAAA '.repeat(20)}${own}`)).toBe('wrong');
  });

  test('id and time are signed too', () => {
    const changed = (header: string, value: string) =>
      scheme.verify({ headers: { ...signed, [header]: value }, body, now }, [secret]);
    expect(changed('webhook-id', 'msg_2')).toBe('wrong');
    expect(changed('webhook-timestamp', String(now / 1000 + 1))).toBe('wrong');
    expect(changed('webhook-timestamp', 'yesterday')).toBe('wrong');
  });

  test('a secret with the prefix whsec_ is base64', () => {
    const key = Buffer.from('a key of thirty-two bytes, exact');
    const expected = createHmac('sha256', key)
      .update(`msg_1.${now / 1000}.`)
      .update(body)
      .digest('base64');
    const written = scheme.sign({ id: 'msg_1', body, now }, `whsec_${key.toString('base64')}`);
    expect(written).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(now / 1000),
      'webhook-signature': `v1,${expected}`,
    });
  });
});
