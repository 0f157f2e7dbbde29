import { signed } from '../../src/commands/backfill/plan-file.js';
import { Prose } from '../../src/domain/prose.js';
import { newCompany } from '../facts/company.js';

/** What exists at the service before the commands run. */
export interface World {
  readonly companyId: string;
  /** Without any capture. */
  readonly emptyCompanyId: string;
  readonly tenantId: string;
  readonly nfeKeys: readonly string[];
  readonly cteKey: string;
  readonly nfseKey: string;
  readonly nfseId: string;
  /** A note with an event of the recipient, and the key of that event. */
  readonly manifested: string;
  readonly eventKey: string;
  readonly productId: string;
  readonly invoiceId: string;
  readonly nfeId: string;
  readonly nfceId: string;
  readonly nfseInvoiceId: string;
  readonly eventId: string;
  readonly webhookId: string;
  /** Takes every delivery. */
  readonly receiverUrl: string;
  readonly stateTaxId: string;
  readonly municipalTaxId: string;
  readonly thumbprint: string;
  readonly month: string;
  readonly pfx: Uint8Array;
  readonly samples: Readonly<Record<string, string>>;
}

/** One line per command, or per command and `--model`: how it is called, with what files, and how it ends before a service in order. */
export interface Call {
  readonly words: readonly string[];
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: string;
  readonly ends?: number;
}

/** A command that is not run here, with the reason. It never asks the service for anything but its own liveness. */
export interface Left {
  readonly left: string;
}

const clients = `companies: [${JSON.stringify({ cnpj: '11444777000161', ...newCompany, federalTaxNumber: undefined })}]`;
const yes = ['--yes'];
/** What is there already is seen at once, also by a machine that does much else. */
const patient = ['--timeout', '2m', '--interval', '1s'];
const server = { left: 'it serves until it is ended, and asks nothing' };
const control = { left: 'it speaks to the control of the sandbox, which is not the service' };
const own = { left: 'it works on files of this machine and asks nothing' };
const jobs = { left: 'it works on jobs of this machine: the kinds of jobs are run by their own commands' };

/** A row of a plan that this machine has not carried out. */
export function releasedRow(companyId: string): object {
  const company = { companyId, companyName: 'Padaria', companyTaxNumber: '11444777000161' };
  const note = new Prose({ en: '', pt: '' });
  return signed({ ...company, action: 'release', hidden: 5, note, plannedAt: '2026-11-01T12:00:00.000Z' }, 'en');
}

/** `product get --wait` is a row of its own for a mode of `product get`. */
export function commandOf(name: string): string {
  return name.replace(/ --.*/, '');
}

/**
 * Every command of the program, in an order in which a service in order lets each of them succeed: what deletes stands last.
 */
export function callsOf(w: World): Readonly<Record<string, Call | Left>> {
  const confirm = ['--confirm', w.companyId];
  const product = JSON.stringify({ sku: 'CLAIM-2', description: 'Café', origin: 'National', tax: { ncm: '09012100' } });
  const invoice = (name: string): NonNullable<Call['files']> => ({ 'body.json': w.samples[name] ?? '' });
  const issue = (model: string): Call => ({
    words: ['--file', 'body.json', '--external-id', `CLAIM-${model}`, ...yes],
    files: invoice(model),
  });
  const records = (model: string): Call => ({
    words: ['records.ndjson', ...yes],
    files: { 'records.ndjson': `${JSON.stringify(JSON.parse(w.samples[model] ?? '{}'))}\n` },
  });
  const reason = ['--reason', 'Dados do destinatario incorretos'];
  const [first = '', second = '', third = ''] = w.nfeKeys;
  return {
    api: { words: ['GET', '/v2/companies'] },
    history: { words: [] },
    usage: { words: [] },
    doctor: { words: ['--online'] },
    completion: { words: ['bash'] },
    schema: { words: ['job', 'list'] },
    setup: { left: 'it asks what a login and the doctor ask' },
    'auth login': own,
    'auth status': { words: ['--check'] },
    'auth logout': own,
    'auth status --all': { words: [] },
    'auth use': own,
    'config list': { words: [] },
    'config get': own,
    'config set': own,
    'config unset': own,
    'key check': { words: [first] },
    'sandbox start': server,
    'sandbox exec': server,
    ...Object.fromEntries(
      ['status', 'reset', 'clock', 'fault', 'deliver', 'ledger', 'seed', 'mode'].map((verb) => [
        `sandbox ${verb}`,
        control,
      ]),
    ),
    'schema --openapi': { words: ['--openapi'] },
    ...Object.fromEntries(['show', 'items', 'resume', 'cancel', 'resolve'].map((verb) => [`job ${verb}`, jobs])),
    'job list': { words: [] },
    'job show --check': jobs,
    'job prune': { words: ['--older-than', '90d', ...yes] },

    'company alias': { words: [] },
    'job resume --end-waits': { words: [] },
    status: { words: [] },
    'store status': { words: [] },
    'store check': { words: [] },
    'store migrate': { words: [] },
    'store grant': own,
    'store copy': own,
    'store release': own,
    'store adopt': own,
    'company list': { words: ['--all'] },
    'company get': { words: [w.companyId] },
    'company create': {
      words: ['--file', 'company.json', '--tax-regime', 'MEI'],
      files: { 'company.json': JSON.stringify(newCompany) },
    },
    'company update': { words: [w.companyId, '--trade-name', 'Nova', ...yes] },
    'company export': { words: ['--out', 'clients.yaml'] },
    'company registration list': { words: [] },
    'company registration list --kind municipal': { words: [] },
    'company registration get': { words: [w.stateTaxId] },
    'company registration get --kind municipal': { words: [w.municipalTaxId] },
    'company registration create': { words: ['--state', 'RJ', '--tax-number', '78.043.215', '--type', 'NFe'] },
    'company registration create --city 3304557': { words: ['--tax-number', '7654321'] },
    'company registration update': { words: [w.stateTaxId, '--serie', '2', ...yes] },
    'company registration update --kind municipal': { words: [w.municipalTaxId, '--serie', 'B2', ...yes] },
    'company registration switch-authorizer': { words: [w.stateTaxId, '--to', 'EPEC', ...reason, ...yes] },
    'certificate list': { words: [] },
    'certificate check': { words: [] },
    'certificate upload': {
      words: ['--file', 'a1.pfx', '--password-file', '-'],
      files: { 'a1.pfx': w.pfx },
      stdin: 'senha\n',
    },
    'certificate list --company': { words: [w.companyId, w.thumbprint] },
    // A company of the account was never synced on this machine: its terms are not known.
    'status --check': { words: [], ends: 13 },
    'company apply': { words: ['clients.yaml', ...yes], files: { 'clients.yaml': clients } },

    'product create': {
      words: ['--sku', 'CLAIM-1', '--description', 'Café', '--origin', 'National', '--ncm', '09012100'],
    },
    'product get': { words: [w.productId] },
    'product update': { words: [w.productId, '--file', 'product.json'], files: { 'product.json': product } },
    'product revalidate': { words: [w.productId] },
    'product get --wait': { words: [w.productId, '--timeout', '2s', '--interval', '1s'], ends: 8 },
    'product apply --create-only': { words: ['products.ndjson', ...yes], files: { 'products.ndjson': `${product}\n` } },
    'product apply': { words: ['products.ndjson', ...yes], files: { 'products.ndjson': `${product}\n` } },
    'product list': { words: [] },
    'tax codes': { words: ['operation-code'] },
    'tax calculate': { words: ['--file', 'body.json'], files: { 'body.json': w.samples['tax'] ?? '' } },
    'lookup cnpj': { words: ['29638438000181'] },
    'lookup cpf': { words: ['52998224725', '--birth-date', '1990-12-31'] },
    'lookup address': { words: ['01310100'] },
    'lookup nfe': { words: [first] },
    'lookup cte': { words: [w.cteKey] },

    'inbound list': { words: ['--type', 'nfe', '--all'] },
    'inbound outstanding': { words: [], ends: 3 },
    'inbound get': { words: [w.manifested, '--event', w.eventKey] },
    'inbound xml': { words: [w.manifested, '--event', w.eventKey] },
    'inbound pdf': { words: [first] },
    'inbound events': { words: [first] },
    'inbound sync': { words: ['--archive', 'notas'] },
    'inbound close': { words: [w.month, '--archive', 'notas'], ends: 3 },
    'inbound archive copy': { words: ['--from', 'notas', '--to', 'copia'], ends: 2 },
    'inbound verify': { words: ['--archive', 'notas'], ends: 2 },
    'export package': { words: [w.month, '--archive', 'notas', '--out', 'packages'] },
    'export table': { words: ['header', w.month, '--archive', 'notas', '--out', 'notas.csv'] },
    'report month': { words: [w.month, '--archive', 'notas', '--out', 'reports'] },
    'inbound reconcile': {
      words: ['--erp', 'erp.csv', '--month', w.month],
      files: { 'erp.csv': `accessKey\n${first}\n` },
      ends: 3,
    },
    'inbound reprocess': { words: [w.nfseKey] },
    'inbound fetch-by-key': { words: [w.nfseKey, ...yes] },
    'inbound capture show': { words: ['--type', 'nfe'] },
    'inbound capture show --statistics': { words: ['--type', 'nfse'] },
    'inbound capture show --listed': { words: ['--type', 'nfse', '--all-companies'] },
    'inbound capture update': { words: ['--type', 'nfe', '--outbound-enabled', 'true', ...yes] },
    'inbound capture enable': { words: ['--type', 'nfe', ...yes] },
    'inbound capture run': { words: [...yes] },
    'inbound capture show --notices': { words: [] },
    'inbound capture reactivate': { words: [...yes] },
    'inbound capture reset-nsu': { words: ['3', ...yes, ...confirm] },
    'backfill show': { words: [] },
    'backfill plan': { words: ['--out', 'plan.csv'] },
    'backfill approve': own,
    // A machine that has sent nothing knows of no release.
    'backfill report': { words: [], ends: 3 },
    'backfill report --plan': {
      words: ['released.json'],
      files: { 'released.json': JSON.stringify([releasedRow(w.companyId)]) },
    },
    'backfill release': { words: [...yes, ...confirm] },
    'backfill revoke': { words: [...yes, ...confirm] },
    'backfill start-from': { words: ['2025-01-01', ...yes, ...confirm] },
    'backfill show --wait': { words: [...patient] },

    'manifestation submit': { words: [first, '--event', 'awareness'] },
    'manifestation get': { words: [w.eventId] },
    'manifestation poll': { words: [w.eventId, ...patient] },
    'manifestation list': { words: [w.nfseKey] },
    'manifestation apply --skip-invalid': {
      words: ['events.csv', ...yes],
      files: { 'events.csv': `accessKey,event\n${second},awareness\n` },
    },
    'manifestation plan': {
      words: ['--rules', 'rules.yaml', '--input', 'documents.csv', '--own', 'account', '--out', 'plan.csv'],
      files: {
        'rules.yaml': 'rules:\n  - name: all\n    event: awareness\n',
        'documents.csv': `accessKey,issuedOn\n${third},${new Date().toISOString()}\n`,
      },
    },
    'manifestation apply': own,
    'manifestation due': { words: [], ends: 3 },
    'manifestation codes': { words: [] },

    'invoice issue --model general': { words: ['--file', 'body.json', ...yes], files: invoice('general') },
    'invoice get --model general': { words: [w.invoiceId] },
    'invoice sync': { words: ['--archive', 'notas'] },
    'invoice issue --model nfe': issue('nfe'),
    'invoice list --model nfe': { words: [] },
    'invoice get --model nfe': { words: [w.nfeId] },
    'invoice events --model nfe': { words: [w.nfeId] },
    'invoice xml --model nfe': { words: [w.nfeId] },
    'invoice pdf --model nfe': { words: [w.nfeId] },
    'invoice xml --model nfe --of rejection': { words: [w.nfeId], ends: 9 },
    'invoice xml --model nfce --of rejection': { words: [w.nfceId], ends: 9 },
    'invoice xml --model nfe --of letter': { words: [w.nfeId], ends: 9 },
    'invoice pdf --model nfe --of letter': { words: [w.nfeId], ends: 9 },
    'invoice correct': { words: [w.nfeId, '--text', 'Correcao do endereco do destinatario', ...yes] },
    'invoice disable': { words: [w.nfeId, ...reason, ...yes], ends: 13 },
    'invoice disable --model nfe': {
      words: ['--serie', '1', '--from', '120', '--to', '125', '--state', 'SP', ...reason, ...yes],
    },
    'invoice apply --model nfe': records('nfe'),
    'invoice cancel --model nfe': { words: [w.nfeId, ...reason, ...yes] },
    'invoice issue --model nfce': issue('nfce'),
    'invoice list --model nfce': { words: [] },
    'invoice get --model nfce': { words: [w.nfceId] },
    'invoice events --model nfce': { words: [w.nfceId] },
    'invoice xml --model nfce': { words: [w.nfceId] },
    'invoice pdf --model nfce': { words: [w.nfceId] },
    'invoice disable --model nfce': {
      words: ['--serie', '1', '--from', '120', '--to', '125', '--state', 'SP', ...reason, ...yes],
    },
    'invoice apply --model nfce': records('nfce'),
    'invoice cancel --model nfce': { words: [w.nfceId, ...reason, ...yes] },
    'invoice issue --model nfse': issue('nfse'),
    'invoice list --model nfse': { words: [] },
    'invoice get --model nfse': { words: [w.nfseInvoiceId] },
    'invoice email': { words: [w.nfseInvoiceId] },
    'invoice xml --model nfse --of cancellation': { words: [w.nfseInvoiceId], ends: 9 },
    'invoice xml --model nfse': { words: [w.nfseInvoiceId] },
    'invoice pdf --model nfse': { words: [w.nfseInvoiceId] },
    'invoice apply --model nfse': records('nfse'),
    'invoice cancel --model nfse': { words: [w.nfseInvoiceId, ...reason, ...yes] },

    'webhook list': { words: [] },
    'webhook get': { words: [w.webhookId] },
    'webhook create': { words: [`${w.receiverUrl}/again`, '--secret-out', 'secret.txt', ...yes] },
    'webhook update': { words: [w.webhookId, '--status', 'inactive', ...yes] },
    'webhook ping': { words: [w.webhookId] },
    'webhook events --types': { words: [] },
    'webhook listen': server,
    'webhook verify': own,
    'webhook events': { words: [] },
    'webhook resend': own,
    'webhook missed': { words: ['--since', '30d'] },

    'webhook delete': { words: [w.webhookId, ...yes] },
    'certificate delete': { words: [w.thumbprint, ...yes, '--confirm', w.thumbprint] },
    'inbound capture disable': { words: ['--type', 'nfe', ...yes] },
    'company delete': { words: [w.emptyCompanyId, ...yes, '--confirm', w.emptyCompanyId] },
  };
}
