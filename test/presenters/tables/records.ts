import { Prose } from '../../../src/domain/prose.js';

/** Records of commands as the service and the store give them, and what every table of them must show in full. */
export interface TableCase {
  readonly command: string;
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** The titles that no terminal drops, in English and Portuguese. */
  readonly titles: readonly (readonly [en: string, pt: string])[];
  /** Texts of cells that every terminal shows whole. */
  readonly cells?: readonly (readonly [en: string, pt: string])[];
}

const serra = {
  companyId: '5a0dbe11-7e57-4c0d-9a6e-000000c09a27',
  companyName: 'Indústria Serra Azul Ltda',
  companyTaxNumber: '29638438000181',
};
const mantiqueira = {
  companyId: '95b3220e-523a-4061-bf13-0e00cdfa0e2c',
  companyName: 'Importadora Mantiqueira Ltda',
  companyTaxNumber: '43907773000169',
};
const keys = {
  nfe: '35261075901775000137550010000000031110913429',
  cte: '41261022153820000156570010000000111874679849',
  nfse: '26116062270813542000169000000000000126106932733447',
};
const rejection = 'Rejeição: Evento de Ciência da Operação para NF-e cancelada ou denegada';

export const tableCases: readonly TableCase[] = [
  {
    command: 'inbound close',
    records: [
      { type: 'gap', ...serra, family: 'cte', kind: 'not-synced', key: keys.cte },
      {
        ...{ type: 'gap', ...serra, family: 'nfse', kind: 'not-archived', key: keys.nfse },
        reason: new Prose({
          en: 'not found (HTTP 404): no such document',
          pt: 'não encontrado (HTTP 404): no such document',
        }),
      },
      {
        ...{ type: 'close', month: '2026-10', ...serra, complete: false, verdict: 'incomplete' },
        ...{ families: ['cte', 'nfe', 'nfse'], listed: 6, archived: 4, summaries: 1, problems: 2, reasons: [] },
      },
      {
        ...{ type: 'close', month: '2026-10', ...mantiqueira, complete: false, verdict: 'not-provable' },
        ...{ families: ['nfe'], listed: 2, archived: 2, summaries: 0, problems: 0 },
        reasons: [
          {
            code: 'enabled-after-month-began',
            message: {
              en: 'the capture of NF-e was enabled on 2026-10-14 09:30, after the month began',
              pt: 'a captura de NF-e foi habilitada em 14/10/2026 09:30, depois do início do mês',
            },
          },
        ],
      },
      {
        ...{ type: 'summary', month: '2026-10', companies: 2, complete: 0, incomplete: 1, notProvable: 1 },
        ...{ verdict: 'incomplete', listed: 8, archived: 6, summaries: 1, problems: 2, exitCode: 3 },
      },
    ],
    titles: [
      ['verdict', 'conferência'],
      ['problems', 'problemas'],
      ['kind', 'tipo'],
      ['key', 'chave'],
    ],
    cells: [
      ['✗ incomplete', '✗ incompleto'],
      ['! not-provable', '! sem comprovação'],
      ['not-synced', 'não sincronizado'],
      ['was enabled on 2026-10-14 09:30', 'foi habilitada em 14/10/2026 09:30'],
      ['not found (HTTP 404)', 'não encontrado (HTTP 404)'],
    ],
  },
  {
    command: 'job list',
    records: [
      {
        ...{ type: 'job', id: '261123-0520-24f889', kind: 'manifestation-submit', profile: 'sandbox' },
        ...{ operation: 'nfe.manifestation.submit', ...serra, state: 'open' },
        ...{ createdAt: '2026-11-23T05:20:13.301Z', updatedAt: '2026-11-23T05:20:14.002Z' },
        ...{ items: 1250, done: 1201, bad: 3, uncertain: 1 },
      },
      {
        ...{ type: 'job', id: '261123-0508-208e93', kind: 'product-create', profile: 'sandbox' },
        ...{ operation: 'product.create', state: 'done', createdAt: '2026-11-23T05:08:24.062Z' },
        ...{ updatedAt: '2026-11-23T05:08:24.454Z', items: 2, done: 2, bad: 0, uncertain: 0 },
      },
    ],
    titles: [
      ['id', 'id'],
      ['state', 'situação'],
      ['failed', 'com falha'],
      ['uncertain', 'sem confirmação'],
    ],
    cells: [
      ['261123-0520-24f889', '261123-0520-24f889'],
      ['… open', '… em aberto'],
      ['done', 'concluído'],
    ],
  },
  {
    command: 'job items',
    records: [
      {
        ...{ type: 'item', id: '9715f185-1f03-412b-b9ea-4dff96489e4d', ordinal: 2, label: 'TEA-100' },
        ...{ billed: false, state: 'succeeded', attempts: 1, remoteStatus: 'Active', httpStatus: 201 },
        resourceId: 'c6f98619-b37b-4295-90b2-3fd8349b8e0b',
      },
      {
        ...{ type: 'item', id: '7c49a2d1-42f6-4cb4-8a8e-b4f4a2745f01', ordinal: 3, label: 'TEA-250' },
        ...{ billed: false, state: 'rejected', attempts: 1, remoteStatus: 'Error', errorCode: '650' },
        ...{ errorMessage: rejection, resourceId: 'd77b8951-c08c-4e74-992e-4e33e5c9071b' },
      },
      {
        ...{ type: 'item', id: '6959d499-fce9-431f-b3ec-76f852f10ccb', ordinal: 4, label: 'TEA-500' },
        ...{ billed: false, state: 'uncertain', attempts: 1, errorCode: 'outcome.unknown' },
        errorMessage: new Prose({
          en: 'the connection to api.example was cut before the answer was complete',
          pt: 'a conexão com api.example caiu antes do fim da resposta',
        }),
      },
    ],
    titles: [
      ['label', 'identificação'],
      ['state', 'situação'],
      ['id', 'id'],
    ],
    cells: [
      ['✓ succeeded', '✓ concluído'],
      ['✗ rejected', '✗ rejeitado'],
      ['! uncertain', '! sem confirmação'],
      ['Rejeição: Evento de Ciência', 'Rejeição: Evento de Ciência'],
      ['the connection to api.example', 'a conexão com api.example'],
    ],
  },
  {
    command: 'manifestation due',
    records: [
      {
        ...{ type: 'manifestation', accessKey: keys.nfe, eventClass: 'awareness', events: ['awareness'] },
        ...{ deadline: '2026-10-24', daysLeft: -30, state: 'lost', remainsUntil: '2027-01-12' },
        ...{ remains: ['confirmation', 'disavowal', 'not-performed'], basis: 'synced' },
        ...{ supplier: '75901775000137', amount: '10075.14', ...serra },
      },
      {
        ...{ type: 'manifestation', accessKey: keys.cte, eventClass: 'conclusive', state: 'open' },
        ...{ events: ['confirmation', 'disavowal', 'not-performed'], deadline: '2026-12-03', daysLeft: 10 },
        ...{ basis: 'synced', supplier: '70813542000169', amount: '27692.65', ...mantiqueira },
      },
    ],
    titles: [
      ['deadline', 'prazo'],
      ['days', 'dias'],
      ['state', 'situação'],
      ['event', 'manifestação'],
      ['key', 'chave'],
    ],
    cells: [
      ['2026-10-24', '24/10/2026'],
      ['✗ lost', '✗ fora do prazo'],
      ['… open', '… em aberto'],
    ],
  },
  {
    command: 'manifestation list',
    records: [
      {
        ...{ type: 'manifestation', id: 'a6af07bc-4413-4a32-a199-0d0f07d04fc5', accessKey: keys.nfe },
        ...{ eventCode: 210200, event: 'confirmation', nSequencia: 1, status: 'Rejected', ...serra },
        ...{ errorCode: '650', errorMessage: rejection, seenAt: '2026-11-23T05:20:14.120Z' },
      },
      {
        ...{ type: 'manifestation', id: 'b65f2cbb-0ac7-47cc-8cc6-5de6d1a9770d', accessKey: keys.nfe },
        ...{ eventCode: 210210, event: 'awareness', nSequencia: 1, status: 'Pending', ...serra },
        ...{ protocol: '891260000000003', seenAt: '2026-11-23T05:20:13.901Z' },
      },
    ],
    titles: [
      ['event', 'evento'],
      ['status', 'situação'],
      ['key', 'chave'],
    ],
    cells: [
      ['✗ Rejected', '✗ Rejeitado'],
      ['… Pending', '… Pendente'],
      ['Rejeição: Evento de Ciência', 'Rejeição: Evento de Ciência'],
    ],
  },
  {
    command: 'sandbox ledger',
    records: [
      {
        ...{ type: 'request', sequence: 58, at: '2026-11-23T05:08:24.132Z', operation: 'product.create' },
        ...{ status: 201, cut: null, billed: null, fault: null },
        effect: { created: 'product', id: 'c6f98619-b37b-4295-90b2-3fd8349b8e0b', sku: 'TEA-100' },
      },
      {
        ...{ type: 'request', sequence: 94, at: '2026-11-23T05:20:11.020Z', status: 202, cut: null },
        ...{ operation: 'nfe.manifestation.submit', billed: 'Event', fault: 'drop' },
        effect: {
          ...{ created: 'nfe-manifestation', id: 'd83570a4-6e02-49d1-86ae-34d6bb95c6af' },
          ...{ accessKey: keys.nfe, eventCode: 210210 },
        },
      },
    ],
    titles: [
      ['operation', 'operação'],
      ['status', 'situação'],
      ['billed', 'cobrado'],
      ['fault', 'falha'],
    ],
    cells: [['nfe.manifestation.submit', 'nfe.manifestation.submit']],
  },
  {
    command: 'export table',
    records: [
      {
        ...{ type: 'coverage', ...serra, month: '2026-10', verdict: 'complete' },
        ...{ closedAt: '2026-11-02T12:30:00.000Z', documents: 20000, unread: 1, rows: 812003 },
      },
      {
        ...{ type: 'total', documentType: 'nfe', state: 'standing' },
        rows: 811990,
        amount: '26871003.55',
        withoutAmount: 0,
      },
      { ...{ type: 'total', documentType: 'nfe', state: 'cancelled' }, rows: 13, amount: '155.00', withoutAmount: 3 },
      {
        ...{ type: 'withheld', ...serra, month: '2026-10', documentType: 'nfse' },
        ...{ key: keys.nfse, amount: '1150.00', declaredAmount: '1000.00' },
      },
      {
        ...{ type: 'left-out', documentType: 'cte', element: 'imp/infTribFed/vNovo' },
        ...{ key: keys.cte, documents: 12 },
      },
      {
        ...{ type: 'unread', ...serra, month: '2026-10', documentType: 'nfe' },
        ...{
          key: keys.nfe,
          xml: 'unreadable',
          reason: new Prose({
            en: 'the field total/ICMSTot/vNF is no number: 1,00',
            pt: 'o campo total/ICMSTot/vNF não é um número: 1,00',
          }),
        },
      },
    ],
    titles: [
      ['company', 'empresa'],
      ['without fields', 'sem campos'],
    ],
    cells: [
      ['standing', 'ativa'],
      ['unreadable', 'ilegível'],
    ],
  },
  {
    command: 'export package',
    records: [
      {
        ...{ type: 'package', month: '2026-10', ...serra, state: 'written', number: 2 },
        ...{ verdict: 'complete', closedAt: '2026-11-02T12:30:00.000Z', documents: 20000, events: 312 },
        ...{ pdfs: 1200, bytes: 61950260, sha256: 'ab'.repeat(32) },
        file: '/home/ana/packages/29638438000181-2026-10-2.zip',
      },
      {
        ...{ type: 'difference', ...mantiqueira, kind: 'missing' },
        path: `43907773000169/2026-10/nfe/${keys.nfe}.xml`,
      },
      {
        ...{ type: 'package', month: '2026-10', ...mantiqueira, state: 'damaged', number: 1 },
        ...{ verdict: 'not-closed', closedAt: null, documents: 12, events: 0, pdfs: 0 },
        ...{ bytes: null, sha256: null, file: null },
      },
    ],
    titles: [
      ['company', 'empresa'],
      ['verdict', 'conferência'],
    ],
    cells: [['/home/ana/packages/29638438000181-2026-10-2.zip', '/home/ana/packages/29638438000181-2026-10-2.zip']],
  },
  {
    command: 'report month',
    records: [
      {
        ...{ type: 'report', month: '2026-10', ...serra, verdict: 'not-provable' },
        ...{ closedAt: '2026-11-02T12:30:00.000Z', gaps: 0, documents: 20000 },
        ...{ file: '/home/ana/reports/29638438000181-2026-10.html', bytes: 1950260 },
      },
      {
        ...{ type: 'report', month: '2026-10', ...mantiqueira, verdict: 'not-closed', closedAt: null, gaps: null },
        ...{ documents: 12, file: '/home/ana/reports/43907773000169-2026-10.html', bytes: 40221 },
      },
    ],
    titles: [
      ['company', 'empresa'],
      ['verdict', 'conferência'],
    ],
    cells: [['/home/ana/reports/29638438000181-2026-10.html', '/home/ana/reports/29638438000181-2026-10.html']],
  },
  {
    command: 'usage',
    records: [
      {
        ...{ profile: 'sandbox', company: serra.companyId, companyName: serra.companyName },
        ...{ operation: 'nfse.inbound.by-key', billedAs: 'GetDocByKey', billed: 120, unknown: 1 },
        freeRepeats: 7,
      },
      { ...{ profile: 'sandbox', operation: 'lookup.cnpj', billedAs: 'call', billed: 4, unknown: 0 }, freeRepeats: 0 },
    ],
    titles: [
      ['operation', 'operação'],
      ['billed', 'cobrado'],
      ['unknown outcome', 'sem resultado'],
    ],
    cells: [['nfse.inbound.by-key', 'nfse.inbound.by-key']],
  },
  {
    command: 'auth status',
    records: [
      { type: 'profile', profile: 'escritorio', current: true, keys: ['invoice', 'data'] },
      { type: 'profile', profile: 'sandbox', current: false, keys: [] },
    ],
    titles: [
      ['profile', 'perfil'],
      ['in use', 'em uso'],
      ['keys', 'chaves'],
    ],
    cells: [['invoice, data', 'emissão, dados']],
  },
  {
    command: 'inbound list',
    records: [
      {
        ...{ accessKey: keys.nfe, companyId: serra.companyId, status: 'Processed', nsu: '1' },
        ...{ webhookStatus: 'Skipped', issuedOn: '2026-10-23T00:30:43.074Z', type: 'productInvoice' },
        ...{ issuer: { federalTaxNumber: '75901775000137', name: 'Comercial Paraíso Ltda' } },
        ...{ totalInvoiceAmount: '10075.14', companyName: serra.companyName },
        ...{ state: 'standing', day: '2026-10-22', month: '2026-10', otherMonths: [] },
      },
      {
        ...{ accessKey: keys.cte, companyId: serra.companyId, status: 'Failed', nsu: '2' },
        ...{ webhookStatus: 'Skipped', issuedOn: '2026-10-14T09:21:48.995Z', type: 'productInvoice' },
        ...{ issuer: { federalTaxNumber: '22153820000156', name: 'Transportadora Caminho Novo Ltda' } },
        ...{ totalInvoiceAmount: '875.00', companyName: serra.companyName },
        ...{ state: 'cancelled', stateBy: 'event 110111' },
        ...{ day: '2026-10-14', month: '2026-10', otherMonths: [] },
      },
    ],
    titles: [
      ['day', 'dia'],
      ['amount', 'valor'],
      ['state', 'situação'],
      ['key', 'chave'],
    ],
    cells: [
      ['2026-10-22', '22/10/2026'],
      ['10075.14', '10.075,14'],
      ['✗ Failed', '✗ Com falha'],
    ],
  },
  {
    command: 'inbound sync',
    records: [
      {
        ...{ type: 'company', ...serra, family: 'nfe', state: 'done', added: 8, changed: 0, archived: 7 },
        ...{ summaries: 0, quarantined: 0, failed: 1, outstanding: 1, bytes: 65941 },
      },
      {
        ...{ type: 'problem', ...serra, family: 'nfe', key: keys.nfe },
        reason: new Prose({
          en: 'the access key in the file differs from its metadata',
          pt: 'a chave de acesso no arquivo difere dos metadados',
        }),
      },
      {
        ...{ type: 'summary', companies: 1, added: 8, changed: 0, archived: 7, failed: 1, outstanding: 1 },
        ...{ archive: '/home/maria/.local/share/fiscal/archive/acme', elapsedSeconds: 0.382, exitCode: 3 },
      },
    ],
    titles: [
      ['state', 'situação'],
      ['failed', 'com falha'],
      ['outstanding', 'pendentes'],
      ['key', 'chave'],
    ],
    cells: [
      ['the access key in the file differs', 'a chave de acesso no arquivo difere'],
      ['files are in: /home/maria', 'arquivos em: /home/maria'],
    ],
  },
  {
    command: 'product list',
    records: [
      {
        ...{ type: 'product', id: 'd77b8951-c08c-4e74-992e-4e33e5c9071b', sku: 'TEA-250' },
        ...{ name: 'Green tea, 250 g', status: 'Active', seenAt: '2026-11-23T05:08:24.452Z' },
      },
      {
        ...{ type: 'product', id: 'c6f98619-b37b-4295-90b2-3fd8349b8e0b', sku: 'TEA-100' },
        ...{ name: 'Green tea, 100 g', status: 'CustomTaxPending', seenAt: '2026-11-23T05:08:24.450Z' },
      },
    ],
    titles: [
      ['SKU', 'SKU'],
      ['status', 'situação'],
    ],
    cells: [
      ['✓ Active', '✓ Ativo'],
      ['… CustomTaxPending', '… Tributação pendente'],
    ],
  },
  {
    command: 'product apply',
    records: [
      { ...{ type: 'item', line: 2, label: 'TEA-100', action: 'create', state: 'succeeded' }, status: 'Active' },
      {
        ...{ type: 'item', line: 3, label: 'TEA-250', action: 'update', state: 'rejected', status: 'Error' },
        error: 'the service keeps this product in Error: ICMS of operation 1 has no CST for the regime RealProfit',
      },
      { type: 'summary', total: 2, create: 1, update: 1, succeeded: 1, rejected: 1, billedCalls: 0 },
    ],
    titles: [
      ['SKU', 'SKU'],
      ['action', 'ação'],
      ['state', 'situação'],
    ],
    cells: [
      ['✗ Error', '✗ Erro'],
      ['ICMS of operation 1', 'ICMS of operation 1'],
    ],
  },
  {
    command: 'company list',
    records: [
      {
        ...{ type: 'company', id: serra.companyId, name: serra.companyName, status: 'Active' },
        federalTaxNumber: '29638438000181',
      },
      {
        ...{ type: 'company', id: mantiqueira.companyId, name: mantiqueira.companyName, status: 'Inactive' },
        ...{ federalTaxNumber: '43907773000169', alias: 'mantiqueira' },
      },
    ],
    titles: [
      ['name', 'nome'],
      ['CNPJ', 'CNPJ'],
      ['status', 'situação'],
    ],
    cells: [
      ['29.638.438/0001-81', '29.638.438/0001-81'],
      ['✓ Active', '✓ Ativo'],
    ],
  },
  {
    command: 'webhook list',
    records: [
      {
        ...{ id: '55df4dc6b6cd9007e4f13ee8', status: 'Active', uri: 'https://erp.example.com.br/hooks/fiscal' },
        ...{ filters: ['product_invoice_inbound.issued'], modifiedOn: '2026-11-20T12:00:00Z' },
      },
    ],
    titles: [
      ['status', 'situação'],
      ['address', 'endereço'],
    ],
    cells: [
      ['✓ Active', '✓ Ativo'],
      ['https://erp.example.com.br/hooks/fiscal', 'https://erp.example.com.br/hooks/fiscal'],
    ],
  },
  {
    command: 'webhook events',
    records: [
      {
        ...{ type: 'webhook-event', id: '0d4c5dc2-9e2e-4a26-a6a0-77c8c26a2f51', state: 'dead', attempts: 8 },
        ...{ receivedAt: '2026-11-23T05:08:24.452Z', event: 'product_invoice_inbound.issued' },
        ...{ resource: keys.nfe, lastError: 'http://127.0.0.1:9000/hooks answered 500' },
      },
    ],
    titles: [
      ['event', 'evento'],
      ['state', 'situação'],
    ],
    cells: [
      ['✗ dead', '✗ sem entrega'],
      ['answered 500', 'answered 500'],
    ],
  },
  {
    command: 'backfill report',
    records: [
      {
        ...{ ...serra, type: 'report', asked: 'release', state: 'succeeded', evidence: 'both', hiddenBefore: 1340 },
        ...{ hiddenAfter: 0, revealed: 1340, requestedAt: '2026-11-23T05:08:24.452Z', user: 'ana', planId: '3f9a1c20' },
      },
      {
        ...{ ...mantiqueira, type: 'report', asked: 'release', state: 'failed', evidence: 'job', hiddenBefore: 12 },
        ...{ errorCode: 'backfill.forbidden', error: 'the key lacks the role Management' },
      },
      { type: 'summary', companies: 2, rows: 2, succeeded: 1, failed: 1, uncertain: 1, revealed: 1340, exitCode: 3 },
    ],
    titles: [
      ['hidden after', 'ocultas depois'],
      ['evidence', 'evidência'],
    ],
    cells: [
      ['both', 'lote e serviço'],
      ['✗ failed', '✗ com falha'],
    ],
  },
  {
    command: 'backfill plan',
    records: [
      {
        ...{ ...serra, startFromDate: '2026-10-01T03:00:00.000Z', released: false, hidden: 1340 },
        ...{ action: 'release', fingerprint: '0b6f' },
        note: 'billed as history: 1340 documents; the key lacks the role Management',
      },
      { ...mantiqueira, released: true, hidden: 0, action: 'none', note: '', fingerprint: '77aa' },
    ],
    titles: [
      ['company', 'empresa'],
      ['action', 'ação'],
      ['hidden', 'ocultas'],
    ],
    cells: [
      ['release', 'liberar'],
      ['the key lacks the role Management', 'the key lacks the role Management'],
    ],
  },
];
