import { describe, expect, it } from 'vitest';
import { placeRank, templateOf, withoutEndings } from '../../../src/sandbox/http/app.js';
import { ledgerPath } from '../../../src/sandbox/http/serve.js';

describe('the template of a path', () => {
  it('has a parameter for each name in braces, including its suffix', () => {
    expect([templateOf('/{tenantId}/products'), templateOf('/v2/notes/{key}.pdf')]).toEqual([
      '/:tenantId/products',
      '/v2/notes/:key{[\\w-]+\\.pdf}',
    ]);
  });

  it('returns parameters without their suffixes', () => {
    const path = '/v2/{company}/notes/{key}.pdf';
    expect(withoutEndings(path, { company: 'c.pdf', key: '1.pdf' })).toEqual({ company: 'c.pdf', key: '1' });
  });

  it('sorts literals first and parameters without a suffix last', () => {
    const places = [':key', ':key{[\\w-]+\\.pdf}', 'events'];
    expect(places.toSorted((one, other) => placeRank(one) - placeRank(other))).toEqual([
      'events',
      ':key{[\\w-]+\\.pdf}',
      ':key',
    ]);
  });
});

describe('a path in the ledger', () => {
  it('masks the person or company looked up', () => {
    const path = '/v1/naturalperson/status/11144477735/1980-12-31';
    expect([ledgerPath('lookup.cpf', path), ledgerPath('lookup.cnpj', path), ledgerPath(null, '/x')]).toEqual([
      '/v1/naturalperson/status/*********35/****-**-**',
      path,
      '/x',
    ]);
  });
});
