import { expect, test } from 'vitest';
import { Certificates } from '../../src/archive/signature-certificate.js';

test('text that is not a certificate is rejected, also from the cache', () => {
  const certificates = new Certificates();
  expect([certificates.read('AAAA'), certificates.read('AAAA')]).toEqual([undefined, undefined]);
});
