import { describe, expect, test } from 'vitest';
import {
  eventTypes,
  rejectionReasons,
  codeOfListed,
  eventOfCode,
  findEvent,
  highestSequence,
  isDenial,
  refusalOf,
} from '../../src/domain/event-codes.js';

test('the events are those of the service document, in the order of its tables', () => {
  expect(eventTypes.map(({ code }) => code)).toEqual([
    210200, 210210, 210220, 210240, 211110, 211124, 211128, 211130, 211140, 211150, 212110, 212120, 110001, 203202,
    203206,
  ]);
});

test('no name means two events', () => {
  const words = eventTypes.flatMap(({ code, name, aliases }) => [String(code), name, ...aliases]);
  expect(new Set(words).size).toBe(words.length);
});

describe('an event is found', () => {
  test.each([
    ['210200', 210200],
    ['confirmation', 210200],
    ['Confirmação', 210200],
    ['ciencia', 210210],
    ['CIÊNCIA', 210210],
    ['desconhecimento', 210220],
    ['Operação não realizada', 210240],
    ['not_performed', 210240],
    ['nao-realizada', 210240],
    ['fuel-credit', 211140],
    ['confirm', 203202],
    ['rejeição', 203206],
  ])('by the name %s', (word, code) => {
    expect(findEvent(word)?.code).toBe(code);
  });

  test('never by an unknown name', () => {
    expect([findEvent('maybe'), findEvent(''), findEvent('21020'), eventOfCode(211120)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test('the events of the authority and the removed one are refused with a reason', () => {
  expect(refusalOf('211120')?.en).toContain('removed by technical note 2025.002-RTC v1.40');
  expect(refusalOf('412120')?.pt).toContain('só pode ser lido');
  expect(refusalOf('412130')).toEqual(refusalOf('412120'));
  expect(refusalOf('210200')).toBeUndefined();
});

test('awareness and the taker have one sequence, conclusive events two, the others no known limit', () => {
  const limits = eventTypes.map((event) => [event.code, highestSequence(event)]);
  expect(limits.filter(([, limit]) => limit === 1)).toEqual([
    [210210, 1],
    [203202, 1],
    [203206, 1],
  ]);
  expect(limits.filter(([, limit]) => limit === 2).map(([code]) => code)).toEqual([210200, 210220, 210240]);
});

test('three events deny a document', () => {
  expect(eventTypes.map(({ code }) => code).filter(isDenial)).toEqual([210220, 210240, 203206]);
});

test('the reasons of a rejection are those of the service document', () => {
  expect(rejectionReasons.map(({ code }) => code)).toEqual([1, 2, 3, 4, 5, 9]);
});

test('the code of a listed event comes from its key or its type, unless they contradict each other', () => {
  const accessKey = '35250530057049000141550010000280181030656857';
  const found = [
    { eventKey: `ID210240${accessKey}02`, type: 'productInvoiceEvent' },
    { eventKey: `ID110111${accessKey}001` },
    { eventKey: 'opaque', type: '210210' },
    { eventKey: `ID210240${accessKey}01`, type: '210200' },
    { eventKey: 'opaque', type: 'productInvoiceEvent' },
  ].map(codeOfListed);
  expect(found).toEqual([
    { code: 210240, sequence: 2 },
    { code: 110111, sequence: 1 },
    { code: 210210, sequence: 1 },
    undefined,
    undefined,
  ]);
});
