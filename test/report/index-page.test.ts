import { expect, test } from 'vitest';
import { indexPage, type IndexRow } from '../../src/report/index-page.js';
import { sumOf } from '../../src/report/sums.js';
import { document, facts, hostileNames } from './facts.js';

function row(name: string, more: Partial<IndexRow> = {}): IndexRow {
  return {
    direction: 'received',
    company: { id: name, name, taxNumber: '11222333000181' },
    file: '11222333000181-2026-10.html',
    ...{ verdict: 'complete', closedAt: '2026-11-02T12:30:00.000Z', gaps: 0 },
    documents: { count: 2, standing: sumOf([document(1), document(2)]) },
    terms: facts().terms,
    ...more,
  };
}

const page = (rows: readonly IndexRow[]) => indexPage({ month: '2026-10', madeAt: 0, version: '1.2.3', rows }, 'en');

test('what needs a person comes first, then the names in order', () => {
  const text = page([
    row('Beta'),
    row('Alfa'),
    row('Zeta', { verdict: 'not-closed' }),
    row('Gama', { verdict: 'incomplete' }),
  ]);
  const names = [...text.matchAll(/<a href="11222333000181-2026-10.html">(\w+)<\/a>/g)].map(([, name]) => name);
  expect(names).toEqual(['Gama', 'Zeta', 'Alfa', 'Beta']);
});

test('a company that was neither synced nor closed has no figures', () => {
  const known = page([row('Alfa')]);
  const unknown = page([
    row('Alfa', { verdict: 'not-closed', closedAt: undefined, gaps: undefined, documents: undefined }),
  ]);
  expect(known.match(/not known/g)).toBeNull();
  expect(unknown.match(/<span class="dim">not known<\/span>/g)).toHaveLength(4);
  expect(known).toContain('R$ 200.20');
});

test.each(hostileNames)('shows the company %j as text and runs nothing', (name) => {
  const text = page([row(name)]);
  expect(text).not.toContain('<script');
  expect(text).toContain("default-src 'none'");
  expect(text).not.toMatch(/<img|<!--|<svg|<style>body/);
});

test('both directions of a company have a row each, which says whose documents it counts', () => {
  const issued = { direction: 'issued', file: '11222333000181-2026-10-issued.html' } as const;
  const text = page([row('Alfa'), row('Alfa', issued)]);
  expect(text).toContain('Received documents, Issued invoices');
  expect(text).toContain('<p class="lead">1 company</p>');
  expect(text.match(/<div>(Received documents|Issued invoices)<\/div>/g)).toHaveLength(2);
  expect(text).toContain('<td class="number">3 / 113</td>');
  expect(page([row('Alfa', issued)])).not.toContain('Deadlines');
});
