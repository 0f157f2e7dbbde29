import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createIntake, type Candidate } from '../../src/archive/intake.js';
import { createFolderWriter } from '../../src/archive/folder/write.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { nfe, NFE_KEY, nfeSummary, signedNfe } from './signed-xml.js';

const expected: Candidate['expected'] = { family: 'nfe', part: 'document', accessKey: NFE_KEY };

function open() {
  const archive = temporaryFolder();
  const writer = createFolderWriter({ archive, workerId: 'worker-1' });
  return { archive, intake: createIntake(writer) };
}

test('a document as expected is archived byte for byte', async () => {
  const { archive, intake } = open();
  const bytes = Buffer.from(signedNfe());
  const admission = await intake.admit({ place: 'a/k.xml', bytes, expected });
  expect(admission).toEqual({
    signature: 'valid',
    xmlKind: 'full',
    facts: {
      issuedOn: '2026-10-05T10:00:00-03:00',
      issuer: '30057049000141',
      issuerName: 'A & B <Ltda> "São"',
      recipient: '33000167000101',
    },
    file: { path: 'a/k.xml', bytes: bytes.length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(readFileSync(join(archive, 'a/k.xml'))).toEqual(bytes);
});

test('a summary is archived as one, even if signatures are required, and never replaces the full document', async () => {
  const { archive, intake } = open();
  const candidate = { place: 'k.xml', bytes: Buffer.from(nfeSummary()), expected };
  const refused = await intake.admit({ ...candidate, expected: { ...expected, hasFull: true } });
  expect('problem' in refused && refused.problem.code).toBe('summary-after-full');
  expect(existsSync(join(archive, 'k.xml'))).toBe(false);
  const strict = { ...candidate, expected: { ...expected, requireSignature: true } };
  expect(await intake.admit(strict)).toMatchObject({ xmlKind: 'summary', file: { path: 'k.xml' } });
});

test.each([
  { what: 'unsigned', text: nfe(), more: { requireSignature: true }, code: 'no-signature' },
  { what: 'of another key', text: nfe(), more: { accessKey: '0'.repeat(44) }, code: 'other-key' },
  { what: 'no XML', text: 'not here', more: {}, code: 'malformed' },
])('what is $what has a problem and is not archived', async ({ text, more, code }) => {
  const { archive, intake } = open();
  const candidate = { place: 'k.xml', bytes: Buffer.from(text), expected: { ...expected, ...more } };
  const admission = await intake.admit(candidate);
  expect('problem' in admission && admission.problem.code).toBe(code);
  expect(existsSync(join(archive, 'k.xml'))).toBe(false);
});
