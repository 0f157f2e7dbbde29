import { expect, test } from 'vitest';
import { readListed } from '../../../src/services/documents/events.js';

test('only events that the authority registered count, and those of a kind that is not known are counted apart', () => {
  const confirmation = { code: 210200, sequence: 1 };
  const events = [
    { facts: { ...confirmation, answerCode: '135' } },
    { facts: { code: 210220, sequence: 1, answerCode: '596' } },
    { facts: { code: 110111, sequence: 1 } },
    { facts: { code: 110110, sequence: 1 } },
    {},
  ];
  expect(readListed(events)).toEqual({
    events: [
      { eventCode: 210200, sequence: 1, progress: 'registered' },
      { eventCode: 110111, sequence: 1, progress: 'registered' },
    ],
    unread: 1,
  });
});
