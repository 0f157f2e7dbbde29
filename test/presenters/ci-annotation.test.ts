import { expect, test } from 'vitest';
import { annotationLine } from '../../src/presenters/ci.js';

test('an annotation is one line, escaped for the runner', () => {
  const line = annotationLine({
    level: 'error',
    title: 'fiscal inbound sync: a,b 100%',
    message: 'c1 (nfe): 50%, see below\r\nsecond line ::warning::not one',
  });
  expect(line).toBe(
    '::error title=fiscal inbound sync%3A a%2Cb 100%25::c1 (nfe): 50%25, see below\\u000d\\nsecond line ::warning::not one',
  );
});

test('control characters are visible, and the length is limited', () => {
  const line = annotationLine({ level: 'warning', title: 't', message: `\u001b[31m${'x'.repeat(5000)}` });
  expect(line).toBe(`::warning title=t::\\u001b[31m${'x'.repeat(990)}`);
});
