import fc from 'fast-check';
import { expect, test } from 'vitest';
import { metricsText } from '../../../src/commands/status/metrics.js';
import { unknownFamily, type CompanyCheck } from '../../../src/commands/status/row.js';
import { anyText } from '../../support/any-text.js';

const row: CompanyCheck = {
  ...{
    type: 'company',
    companyId: 'c1',
    companyName: 'Um "S/A"',
    companyTaxNumber: '29638438000181',
    state: 'critical',
  },
  nfe: {
    capture: 'on',
    environment: null,
    startFromDate: '2025-06-01T00:00:00.000Z',
    rateLimitedUntil: '2026-01-15T13:00:00.000Z',
    rateLimitedCause: 'unknown',
    lastDocumentOn: '2026-01-05T11:00:00.500Z',
    lastDocumentIsNewest: true,
    idleDays: 10,
  },
  cte: { ...unknownFamily, capture: 'off' },
  nfse: unknownFamily,
  backfill: { released: true, hiddenDocumentsCount: 7 },
  certificate: {
    ...{ state: 'expired', validUntil: '2026-01-01T00:00:00.000Z', daysLeft: -14 },
    ...{ subject: null, thumbprint: null },
  },
  manifestations: {
    ...{ open: 2, sent: 0, lost: 0, presumed: 3, unknown: 1, earlier: 19, unreadable: 4 },
    nextDeadline: '2026-01-20',
  },
  problems: [
    { code: 'unreachable', level: 'critical', family: null, message: { en: '', pt: '' }, next: '' },
    { code: 'unreachable', level: 'critical', family: null, message: { en: 'x', pt: 'x' }, next: '' },
    { code: 'spaced', level: 'warning', family: 'nfe', message: { en: '', pt: '' }, next: '' },
  ],
};

test('every metric has its help and type, and an unknown value has no line', () => {
  const lines = metricsText([row], 1_768_478_400_500).split('\n');
  expect(lines.filter((line) => !line.startsWith('#'))).toEqual([
    'fiscal_company_check_timestamp_seconds 1768478400.5',
    String.raw`fiscal_company_info{company_id="c1",name="Um \"S/A\"",federal_tax_number="29638438000181"} 1`,
    'fiscal_company_up{company_id="c1"} 0',
    'fiscal_company_capture_enabled{company_id="c1",family="nfe"} 1',
    'fiscal_company_capture_enabled{company_id="c1",family="cte"} 0',
    'fiscal_company_last_document_timestamp_seconds{company_id="c1",family="nfe"} 1767610800.5',
    'fiscal_company_rate_limited_until_timestamp_seconds{company_id="c1",family="nfe"} 1768482000',
    'fiscal_company_start_from_timestamp_seconds{company_id="c1",family="nfe"} 1748736000',
    'fiscal_company_hidden_documents{company_id="c1"} 7',
    'fiscal_company_history_released{company_id="c1"} 1',
    'fiscal_company_certificate_valid{company_id="c1"} 0',
    'fiscal_company_certificate_expires_timestamp_seconds{company_id="c1"} 1767225600',
    'fiscal_company_manifestation_terms{company_id="c1",state="open"} 2',
    'fiscal_company_manifestation_terms{company_id="c1",state="sent"} 0',
    'fiscal_company_manifestation_terms{company_id="c1",state="lost"} 0',
    'fiscal_company_manifestation_terms{company_id="c1",state="presumed"} 3',
    'fiscal_company_manifestation_terms{company_id="c1",state="unknown"} 1',
    'fiscal_company_manifestation_terms{company_id="c1",state="earlier"} 19',
    'fiscal_company_documents_without_terms{company_id="c1"} 4',
    'fiscal_company_problem{company_id="c1",code="unreachable",level="critical",family=""} 1',
    'fiscal_company_problem{company_id="c1",code="spaced",level="warning",family="nfe"} 1',
    '',
  ]);
});

test('an account without companies has only the time of the check', () => {
  expect(metricsText([], 1000)).toBe(
    '# HELP fiscal_company_check_timestamp_seconds When the companies were checked\n' +
      '# TYPE fiscal_company_check_timestamp_seconds gauge\nfiscal_company_check_timestamp_seconds 1\n',
  );
});

/** A line of the exposition format, as its readers take it. */
const sample =
  /^fiscal_company_[a-z_]+(\{[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\[\\"n])*")*\})? -?\d+(\.\d+)?$/;

test('whatever the names contain, each line is valid, samples are grouped by metric and no line is repeated', () => {
  const text = anyText();
  const ids = fc.uniqueArray(text, { maxLength: 5 });
  fc.assert(
    fc.property(ids, text, (companyIds, name) => {
      const rows = companyIds.map((companyId) => ({ ...row, companyId, name }));
      const lines = metricsText(rows, 0).trimEnd().split('\n');
      const heads = lines.filter((line) => line.startsWith('#'));
      const samples = lines.filter((line) => !line.startsWith('#'));
      expect(samples.filter((line) => !sample.test(line))).toEqual([]);
      expect(new Set(heads).size).toBe(heads.length);
      const blocks = lines.map((line) => /fiscal_company_[a-z_]+/.exec(line)?.[0]);
      const changes = blocks.filter((block, index) => block !== blocks[index - 1]);
      expect(new Set(changes).size).toBe(changes.length);
    }),
  );
});
