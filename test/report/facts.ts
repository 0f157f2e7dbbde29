import type { CloseFacts, ReportDocument, ReportFacts } from '../../src/report/facts.js';

export const noSince: CloseFacts['since'] = { added: 0, changed: 0, unknown: 0 };

export const unclosed: CloseFacts = {
  ...{ verdict: 'not-closed', reasons: [], gaps: [], coverage: [], assumptions: [], since: noSince },
  issued: { coverage: [], series: [] },
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
    party: '30057049000141',
    partyName: 'Padaria Sol Ltda',
    day: '2026-10-05',
    amount: '100.10',
    state: 'standing',
    competence: undefined,
    file: 'full',
    isProven: true,
    manifestation: 'none',
    terms: [],
    answers: [],
    ...more,
  };
}

export function facts(more: Partial<ReportFacts> = {}): ReportFacts {
  return {
    direction: 'received',
    undecided: { refused: 0, notFinal: 0 },
    month: '2026-10',
    company: { id: 'c1', name: 'Acme Ltda', taxNumber: '11222333000181' },
    madeAt: Date.UTC(2026, 10, 3, 15),
    version: '1.2.3',
    close: closed,
    lists: [{ family: 'nfe', readAt: Date.UTC(2026, 10, 2, 12) }],
    documents: [document(1)],
    withoutTerms: 0,
    terms: {
      horizon: { first: '2026-10-01', last: '2026-12-08' },
      ...{ open: 3, lost: 113, presumed: 0, unknown: 0, earlier: 19, unreadable: 0 },
    },
    certificate: undefined,
    usage: [],
    commands: {
      ...{ sync: 'fiscal inbound sync', close: 'fiscal inbound close 2026-10', verify: 'fiscal inbound verify' },
      ...{ due: 'fiscal manifestation due', certificate: 'fiscal certificate list' },
    },
    ...more,
  };
}

/** A month of issued invoices: closed, with a gap in the numbers of one serie. */
export function issuedFacts(more: Partial<ReportFacts> = {}): ReportFacts {
  const at = '2026-11-02T12:29:00.000Z';
  const coverage = [
    { family: 'nfe', listReadAt: at, listed: 2, archived: 2, refused: 1, eventsAskedAt: at },
    { family: 'nfce', listReadAt: at, listed: 1, archived: 1, refused: 0, eventsAskedAt: null },
    { family: 'nfse', listReadAt: null, listed: 0, archived: 0, refused: 0, eventsAskedAt: 'none' },
  ] as const;
  const counts = { used: 2, disabled: 1, declared: 3, missing: 4 };
  const disable = 'fiscal invoice disable --model nfe --serie 7 --from 105 --to 108 --state <UF> --reason <text>';
  const series = [
    { family: 'nfe', serie: 7, first: 101, last: 110, ...counts, ranges: [{ first: 105, last: 108, disable }] },
  ] as const;
  return facts({
    direction: 'issued',
    close: { ...closed, verdict: 'not-provable', coverage: [], issued: { coverage, series } },
    documents: [document(1), document(2, { family: 'nfce', party: undefined, partyName: undefined })],
    undecided: { refused: 5, notFinal: 2 },
    ...more,
  });
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
    document(index, { partyName: name }),
    document(index + 100, { partyName: name, party: name, key: name, state: 'cancelled' }),
    document(index + 200, { ...{ partyName: name, key: name }, terms: [{ lastDay: '2026-11-30', state: 'open' }] }),
  ]);
}
