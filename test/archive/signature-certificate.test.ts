import { expect, test } from 'vitest';
import { Certificates } from '../../src/archive/signature-certificate.js';

test('what is no certificate is none, also when it comes again', () => {
  const certificates = new Certificates();
  expect([certificates.read('AAAA'), certificates.read('AAAA')]).toEqual([undefined, undefined]);
});
