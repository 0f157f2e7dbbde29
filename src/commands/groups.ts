import type { Catalogue } from '../cli/command.js';
import type { Output } from '../presenters/record.js';

export { writes } from './writes.js';

/** The first screen, in the order of use. Every command stands in one section. */
export const sections: Catalogue['sections'] = [
  { title: { en: 'Start', pt: 'Início' }, commands: ['setup', 'status', 'auth', 'company', 'sandbox'] },
  { title: { en: 'Received', pt: 'Recebidos' }, commands: ['inbound', 'backfill'] },
  { title: { en: 'Manifestation', pt: 'Manifestação' }, commands: ['manifestation'] },
  { title: { en: 'Issuing', pt: 'Emissão' }, commands: ['invoice', 'product', 'tax'] },
  { title: { en: 'Automation', pt: 'Automação' }, commands: ['job', 'webhook'] },
  {
    title: { en: 'Tools', pt: 'Ferramentas' },
    commands: [],
    names: [
      ...['report', 'export', 'certificate', 'doctor', 'lookup', 'key', 'config', 'usage', 'history', 'store'],
      ...['api', 'completion', 'schema'],
    ],
  },
];

/** Lists for what a person at a terminal leaves out. */
export const pickers: Catalogue['pickers'] = {
  company: () => import('./pick-company.js'),
  companies: async () => ({ picker: (await import('./pick-company.js')).severalPicker }),
  companyArgument: async () => ({ picker: (await import('./pick-company.js')).argumentPicker }),
  event: () => import('./manifestation/pick-event.js'),
  plannedEvent: async () => ({ picker: (await import('./manifestation/pick-event.js')).plannedPicker }),
  item: async () => ({ picker: (await import('./job/pick.js')).itemPicker }),
  job: () => import('./job/pick.js'),
  failedJob: async () => ({ picker: (await import('./job/pick.js')).failedPicker }),
  product: () => import('./product/pick.js'),
};

export const otherWords: Catalogue['otherWords'] = () => import('./other-words.js');

/** Nouns with verbs. Their summaries are written here only. */
export const groups: Catalogue['groups'] = {
  auth: { summary: { en: 'Keys and profiles', pt: 'Chaves e perfis' }, load: () => import('./auth/commands.js') },
  config: {
    summary: { en: 'Settings, and where each comes from', pt: 'Configurações, e de onde cada uma vem' },
    load: () => import('./config/commands.js'),
  },
  product: {
    summary: { en: 'The product registry', pt: 'O cadastro de produtos' },
    load: () => import('./product/commands.js'),
  },
  manifestation: {
    summary: {
      en: 'Events of recipients (NF-e) and takers (NFS-e)',
      pt: 'Eventos do destinatário (NF-e) e tomador (NFS-e)',
    },
    load: () => import('./manifestation/commands.js'),
  },
  inbound: {
    summary: { en: 'Received documents', pt: 'Documentos recebidos' },
    load: () => import('./inbound/commands.js'),
  },
  invoice: {
    summary: { en: 'Invoices that you issue', pt: 'Notas fiscais que você emite' },
    load: () => import('./invoice/commands.js'),
  },
  backfill: {
    summary: { en: 'Retained history of NFS-e', pt: 'Histórico retido de NFS-e' },
    load: () => import('./backfill/commands.js'),
  },
  export: {
    summary: { en: 'Documents to hand over, and as tables', pt: 'Documentos para entregar, e em tabelas' },
    load: () => import('./export/commands.js'),
  },
  report: {
    summary: { en: 'A month to look at and to hand over', pt: 'Um mês para ver e para entregar' },
    load: () => import('./report/commands.js'),
  },
  tax: {
    summary: { en: 'The tax engine', pt: 'O motor de cálculo de tributos' },
    load: () => import('./tax/commands.js'),
  },
  lookup: {
    summary: { en: 'Queries of public registries', pt: 'Consultas a cadastros públicos' },
    load: () => import('./lookup/commands.js'),
  },
  company: {
    summary: { en: 'Companies of the account', pt: 'Empresas da conta' },
    load: () => import('./company/commands.js'),
  },
  certificate: {
    summary: { en: 'Digital certificates of the companies', pt: 'Certificados digitais das empresas' },
    load: () => import('./certificate/commands.js'),
  },
  webhook: {
    summary: { en: 'Events that the service sends you', pt: 'Eventos que o serviço envia a você' },
    load: () => import('./webhook/commands.js'),
  },
  job: {
    summary: { en: 'What was sent, what is in progress', pt: 'O que foi enviado, o que está em andamento' },
    load: () => import('./job/commands.js'),
  },
  key: {
    summary: {
      en: 'Access keys, CNPJ, CPF and CEP, without network',
      pt: 'Chaves de acesso, CNPJ, CPF e CEP, sem rede',
    },
    load: () => import('./key/commands.js'),
  },
  store: {
    summary: { en: 'The store of this machine: what it has sent', pt: 'O banco local: o que esta máquina já enviou' },
    load: () => import('./store/commands.js'),
  },
  sandbox: {
    summary: { en: 'The service itself, on this machine', pt: 'O próprio serviço, nesta máquina' },
    load: () => import('./sandbox/commands.js'),
  },
};

/** Commands without a verb. The summary is that of the definition, which the top help does not load. */
export const singles: Catalogue['singles'] = {
  api: {
    summary: { en: 'Any call of the service', pt: 'Qualquer chamada do serviço' },
    load: () => import('./api/commands.js'),
  },
  history: {
    summary: { en: 'What this machine sent, redacted', pt: 'O que esta máquina enviou, sem segredos' },
    load: () => import('./history/commands.js'),
  },
  status: {
    summary: { en: 'The morning on one screen', pt: 'Pendências do dia' },
    load: () => import('./status/commands.js'),
  },
  setup: {
    summary: { en: 'Set up a profile, step by step', pt: 'Configura um perfil, passo a passo' },
    load: () => import('./setup/commands.js'),
  },
  usage: {
    summary: { en: 'Billed calls of this machine', pt: 'Chamadas cobradas desta máquina' },
    load: () => import('./usage/commands.js'),
  },
  doctor: {
    summary: { en: 'Check this installation', pt: 'Verifica esta instalação' },
    load: () => import('./doctor/commands.js'),
  },
  completion: {
    summary: { en: 'Completion for your shell', pt: 'Completar comandos no seu shell' },
    load: () => import('./completion.js'),
  },
  schema: {
    summary: { en: 'The JSON Schema of an output', pt: 'O JSON Schema de um resultado' },
    load: () => import('./schema.js'),
  },
};

/** What a command prints, for people. */
export const outputOf = async (name: string): Promise<Output | undefined> =>
  await (await import('./outputs.js')).outputOf(name);
