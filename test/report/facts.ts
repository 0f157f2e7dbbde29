import type { CloseFacts, ReportDocument, ReportFacts } from '../../src/report/facts.js';

export const noSince: CloseFacts['since'] = { added: 0, changed: 0, unknown: 0 };

export const unclosed: CloseFacts = {
  ...{ verdict: 'not-closed', reasons: [], gaps: [], coverage: [], assumptions: [], since: noSince },
};

export const closed: CloseFacts = {
  ...unclosed,
  verdict: 'complete',
  closedAt: '2026-11-02T12:30:00.000Z',
  coverage: [
    {
      ...{ family: 'nfe', capture: 'on', enabledSince: '2026-09-01T03:00:00.000Z' },
      ...{ listReadAt: '2026-11-02T12:29:00.000Z', listed: 3, archived: 3, summaries: 0 },
      events: { readAt: '2026-11-02T12:29:30.000Z', count: 1 },
    },
  ],
  manifest: { path: 'proofs/2026-10/c1/manifest.jsonl', sha256: 'ab'.repeat(32), entries: 3 },
};

export function document(ordinal: number, more: Partial<ReportDocument> = {}): ReportDocument {
  return {
    key: String(ordinal).padStart(44, '0'),
    family: 'nfe',
    issuer: '30057049000141',
    issuerName: 'Padaria Sol Ltda',
    day: '2026-10-05',
    amount: '100.10',
    fate: 'not-cancelled',
    file: 'full',
    isProven: true,
    manifestation: 'none',
    term: undefined,
    ...more,
  };
}

export function facts(more: Partial<ReportFacts> = {}): ReportFacts {
  return {
    month: '2026-10',
    company: { id: 'c1', name: 'Acme Ltda', taxNumber: '11222333000181' },
    madeAt: Date.UTC(2026, 10, 3, 15),
    version: '1.2.3',
    close: closed,
    lists: [{ family: 'nfe', readAt: Date.UTC(2026, 10, 2, 12) }],
    documents: [document(1)],
    withoutTerms: 0,
    certificate: undefined,
    usage: [],
    commands: {
      ...{
        sync: 'fiscal inbound sync',
        close: 'fiscal inbound close 2026-10',
        verify: 'fiscal inbound verify',
      },
      ...{ due: 'fiscal manifestation due', certificate: 'fiscal certificate list' },
    },
    ...more,
  };
}

/** Names that would run, load or disguise something if any part of the page took them for more than text. */
export const hostileNames = [
  '</script><script>document.title="run"</script>',
  '<img src=x onerror="document.title=\'run\'">',
  '"><svg onload=document.title="run">',
  '<!--<script>',
  `'"&\u2028\u2029]]>`,
  'Padaria \u202Eadtl loS\u202C',
  'javascript:alert(1)',
  '<style>body{display:none}</style>',
] as const;

/** A document for each hostile name, also in its key, number and day. */
export function hostileDocuments(): readonly ReportDocument[] {
  return hostileNames.flatMap((name, index) => [
    document(index, { issuerName: name }),
    document(index + 100, { issuerName: name, issuer: name, key: name, fate: 'cancelled' }),
    document(index + 200, {
      ...{ issuerName: name, key: name },
      term: { lastDay: '2026-11-30', state: 'open' },
    }),
  ]);
}
