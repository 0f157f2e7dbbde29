import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { eventPath, layoutPresets, safeName, stemOf, type LayoutValues, readLayout } from '../../src/archive/layout.js';

const key = '35250530057049000141550010000280181030656857';
const placed: LayoutValues = {
  cnpj: '30057049000141',
  companyId: 'c-1',
  type: 'nfe',
  key,
  issuer: '11222333000181',
  issuedOn: '2026-10-03T09:00:00Z',
};

test('each preset builds the path that its name describes', () => {
  const places = Object.entries(layoutPresets).map(([name, template]) => [name, stemOf(template, placed)]);
  expect(Object.fromEntries(places)).toEqual({
    month: `30057049000141/2026-10/nfe/${key}`,
    day: `30057049000141/2026/10/03/nfe/${key}`,
    issuer: `30057049000141/2026-10/nfe/11222333000181/${key}`,
    type: `nfe/30057049000141/2026-10/${key}`,
    flat: `30057049000141/${key}`,
  });
});

test('without a date of issue the month comes from the key', () => {
  const { issuedOn: _, ...undated } = placed;
  const service = '21113002200574753000100000000000146726037032711025';
  expect(stemOf('{yyyy}-{mm}-{dd}/{key}', undated)).toBe(`2025-05-00/${key}`);
  expect(stemOf('{yyyy}-{mm}/{key}', { ...undated, key: service })).toBe(`2026-03/${service}`);
  expect(stemOf('{yyyy}-{mm}/{key}', { ...undated, key: 'x' })).toBe('0000-00/x');
});

/** A repeatable source of bad text. */
function* hostileTexts(count: number): Iterable<string> {
  const parts = ['..', '.', '/', '\\', '\0', '~', 'a', '1', ' ', ':', '\u202e', 'é', '-', 'con', 'NUL.', '%2e', '\n'];
  let state = 7;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  for (let i = 0; i < count; i += 1) {
    yield Array.from({ length: next(12) }, () => parts[next(parts.length)]).join('');
  }
  yield 'x'.repeat(5_000);
}

test('whatever the service sends, no path leaves the archive or is invalid on any system', () => {
  for (const text of hostileTexts(500)) {
    const bad = { ...placed, key: text, issuer: text, issuedOn: text, cnpj: text, companyId: text };
    for (const template of Object.values(layoutPresets)) {
      const path = eventPath(stemOf(template, bad), text);
      expect(posix.normalize(path)).toBe(path);
      for (const name of path.split('/')) {
        expect(name).toMatch(/^[\w-][\w.-]{0,254}$/);
        expect(name).not.toMatch(/^(?:con|nul)(?:\.|$)/i);
      }
    }
  }
});

test('two different texts never become the same name', () => {
  const names = ['a/b', 'a_b', 'a\\b', 'a b', '../a', '..', '.', '', 'A'.repeat(200), 'A'.repeat(201)].map(safeName);
  expect(new Set(names).size).toBe(names.length);
  expect(safeName(key)).toBe(key);
});

test('a layout is a preset or a relative template with the key in its last part', () => {
  expect(readLayout('flat')).toEqual({ template: '{cnpj}/{key}.xml' });
  expect(readLayout('{type}/nota-{key}.xml')).toEqual({ template: '{type}/nota-{key}.xml' });
  const refused = ['week', '/{key}', '../{key}', '{cnpj}/../{key}', '{key}/x', '{cnpj}', '{token}/{key}', 'a//{key}'];
  expect(refused.filter((text) => 'template' in readLayout(text))).toEqual([]);
});

test('the month is that of Brasília, not of UTC', () => {
  const night = { ...placed, issuedOn: '2026-11-01T01:30:00Z' };
  expect(stemOf('{yyyy}-{mm}-{dd}', night)).toBe('2026-10-31');
});
