import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stepMarkdown, type StepReport } from '../../src/presenters/ci.js';
import { anyText } from '../support/any-text.js';

const report: StepReport = {
  command: 'fiscal inbound sync',
  exitCode: 3,
  meaning: { en: 'some items failed', pt: 'alguns itens falharam' },
  closings: [{ type: 'summary', companies: 2, archived: 40, hidden: undefined, parts: [1], exitCode: 3 }],
  troubles: [{ what: 'acme nfe', state: 'quarantined', reason: 'not | XML <b>' }],
  troubleCount: 3,
  notes: [{ en: 'see fiscal job list', pt: 'veja fiscal job list' }],
};

describe('the section of a run', () => {
  test('contains the outcome, the counts, the failures and the next steps', () => {
    expect(stepMarkdown(report, 'en')).toBe(
      [
        '### fiscal inbound sync: some items failed (exit code 3)',
        '',
        '| field | value |',
        '|---|---|',
        '| companies | 2 |',
        '| archived | 40 |',
        '',
        '| what | state | reason |',
        '|---|---|---|',
        '| acme nfe | quarantined | not &#124; XML &#60;b&#62; |',
        '',
        '… and 2 more',
        '',
        '- see fiscal job list',
        '',
        '',
      ].join('\n'),
    );
  });

  test('is available in Portuguese; names of fields are not translated', () => {
    expect(stepMarkdown(report, 'pt')).toBe(
      [
        '### fiscal inbound sync: alguns itens falharam (código de saída 3)',
        '',
        '| campo | valor |',
        '|---|---|',
        '| companies | 2 |',
        '| archived | 40 |',
        '',
        '| o quê | estado | motivo |',
        '|---|---|---|',
        '| acme nfe | quarantined | not &#124; XML &#60;b&#62; |',
        '',
        '… e mais 2',
        '',
        '- veja fiscal job list',
        '',
        '',
      ].join('\n'),
    );
  });

  test('is only a heading if there is nothing else to show', () => {
    const bare = { ...report, exitCode: 0, closings: [], troubles: [], troubleCount: 0, notes: [] };
    expect(stepMarkdown(bare, 'en')).toBe('### fiscal inbound sync: some items failed (exit code 0)\n\n');
  });
});

test('text of the service stays in its cell and never becomes HTML, markup or a link', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 400 }), (text) => {
      const page = stepMarkdown({ ...report, troubles: [{ what: text, state: text, reason: text }] }, 'en');
      const cell = (page.split('\n').find((_, index, all) => all[index - 1] === '|---|---|---|') ?? '')
        .slice(2, -2)
        .split(' | ');
      expect(cell).toHaveLength(3);
      expect(page.split('\n')).toHaveLength(16);
      expect(cell.join('')).not.toMatch(/[\u0000-\u001f|<>`*_[\]\\]|:\/\/|www\./i);
    }),
  );
});

test('the section is bounded whatever the input', () => {
  const long = 'ç'.repeat(100_000);
  const closing = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, long]));
  const page = stepMarkdown({ ...report, closings: [closing], notes: Array(500).fill({ en: long, pt: long }) }, 'en');
  expect(Buffer.byteLength(page)).toBeLessThan(64 * 1024);
});
