import { defineCommand } from '../../cli/command.js';
import { knownCompaniesOption } from '../../cli/company-options.js';
import { ExitCode } from '../../errors/exit-code.js';

export const command = defineCommand({
  summary: {
    en: 'List what the service lists and no sync could bring',
    pt: 'Lista o que consta no serviço e nenhum sync conseguiu trazer',
  },
  description: {
    en: 'Documents and events whose files are missing, quarantined or not there yet at the service: why, since when, how often they were tried, and when a sync tries them next. Without network. --forget writes one off, with a reason that is kept: it is no longer tried nor counted, and inbound close shows it as written-off, never as complete.',
    pt: 'Documentos e eventos cujos arquivos faltam, estão em quarentena ou ainda não estão no serviço: por quê, desde quando, quantas vezes foram tentados e quando um sync tenta de novo. Sem rede. --forget dá baixa em um, com um motivo que fica guardado: ele não é mais tentado nem contado, e inbound close o mostra como written-off, nunca como completo.',
  },
  options: {
    ...knownCompaniesOption,
    type: {
      kind: 'list',
      value: 'types',
      summary: { en: 'Only these: nfe, cte, nfse', pt: 'Só estes: nfe, cte, nfse' },
    },
    forget: {
      kind: 'text',
      value: 'key',
      summary: {
        en: 'Write off this document or event; needs --reason',
        pt: 'Dá baixa neste documento ou evento; exige --reason',
      },
    },
    reason: {
      kind: 'text',
      value: 'text',
      summary: { en: 'Why it is written off', pt: 'Por que a baixa foi dada' },
    },
    restore: {
      kind: 'text',
      value: 'key',
      summary: {
        en: 'Take the write-off back: the next sync tries it',
        pt: 'Desfaz a baixa: o próximo sync tenta de novo',
      },
    },
    writtenOff: {
      notWith: ['forget', 'restore'],
      kind: 'toggle',
      summary: { en: 'Those that were written off', pt: 'Os que receberam baixa' },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound outstanding',
      summary: {
        en: 'Of every company that this machine knows',
        pt: 'De todas as empresas que esta máquina conhece',
      },
    },
    {
      command:
        "fiscal inbound outstanding --forget 35261012345678000195550010000000011000000010 --reason 'issuer confirms: never authorised'",
      summary: { en: 'Give one up, with the reason', pt: 'Desistir de um, com o motivo' },
    },
    {
      command: 'fiscal inbound outstanding --written-off -o ndjson',
      summary: { en: 'What was given up, and why', pt: 'Do que se desistiu, e por quê' },
    },
  ],
  exitCodes: [ExitCode.usage, ExitCode.notFound],
  idField: 'key',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView([
      ...['key', 'reason', 'since', 'nextTryAt', 'tries'],
      ...['writtenOffReason', 'event', 'family', 'companyName'],
    ]);
  },
  async run({ context, options: { type, ...options } }) {
    const { outstandingDocuments } = await import('./outstanding.js');
    const { familiesOf } = await import('./close-families.js');
    return outstandingDocuments(context, { ...options, families: familiesOf(type) });
  },
});
