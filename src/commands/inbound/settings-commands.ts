import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand, type OptionSpecs, type OptionValues } from '../../cli/command.js';
import { companiesOption } from '../../cli/options.js';
import type { InboundFamily } from '../../contract/inbound.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { SettingsFlags } from './settings-fields.js';

/** What happens to a document once it is captured: webhooks, and manifestation by itself. */
const deliveryOptions = {
  webhookVersion: {
    kind: 'text',
    value: 'text',
    summary: { en: 'Version of the webhooks (nfe)', pt: 'Versão dos webhooks (nfe)' },
    rare: true,
  },
  webhookEvents: {
    rare: true,
    kind: 'list',
    value: 'event',
    summary: {
      en: 'Events to receive, e.g. product_invoice_inbound.received; none: all (nfe)',
      pt: 'Eventos a receber, ex. product_invoice_inbound.received; nenhum: todos (nfe)',
    },
  },
  webhookUrl: {
    kind: 'text',
    value: 'url',
    summary: { en: 'Address of the webhook (nfse)', pt: 'Endereço do webhook (nfse)' },
  },
  minutesToOperationConfirmation: {
    kind: 'count',
    value: 'n',
    summary: {
      en: 'Minutes until the operation is confirmed automatically (nfe)',
      pt: 'Minutos até a confirmação automática da operação (nfe)',
    },
    rare: true,
  },
  minutesToUnknownOperation: {
    kind: 'count',
    value: 'n',
    summary: {
      en: 'Minutes until the operation is disowned automatically (nfe)',
      pt: 'Minutos até o desconhecimento automático da operação (nfe)',
    },
    rare: true,
  },
  automaticManifestation: {
    kind: 'choice',
    choices: ['true', 'false'],
    summary: { en: 'Manifest automatically (nfse)', pt: 'Manifestação automática (nfse)' },
  },
  automaticManifestationDelay: {
    kind: 'duration',
    value: 'time',
    summary: { en: 'After this time, at most 7d (nfse)', pt: 'Depois deste tempo, no máximo 7d (nfse)' },
    rare: true,
  },
} as const satisfies OptionSpecs;

const familyOption = {
  type: {
    kind: 'choice',
    choices: ['nfe', 'cte', 'nfse'],
    summary: { en: 'Family of documents (required)', pt: 'Família de documentos (obrigatória)' },
  },
} as const satisfies OptionSpecs;

/** Every setting of the three families; those that a family does not have are refused by name. */
const settingsOptions = {
  ...familyOption,
  startFromDate: {
    kind: 'text',
    value: 'day',
    summary: {
      en: 'Cut-off of the capture, a day (sent as its midnight in Brasília, in UTC) or a UTC time; only when it is enabled',
      pt: 'Data de corte da captura, um dia (enviado como a meia-noite em Brasília, em UTC) ou um horário UTC; só na ativação',
    },
  },
  startFromNsu: {
    kind: 'text',
    value: 'nsu',
    summary: {
      en: 'First NSU; only when it is enabled. For NFS-e, 0 is sent when it is absent',
      pt: 'Primeiro NSU; só na ativação. Para NFS-e, envia 0 quando falta',
    },
    rare: true,
  },
  environment: {
    kind: 'choice',
    choices: ['Production', 'Test'],
    summary: { en: 'Environment of the tax authority (nfe, cte)', pt: 'Ambiente da Sefaz (nfe, cte)' },
  },
  outboundEnabled: {
    kind: 'choice',
    choices: ['true', 'false'],
    summary: {
      en: 'Also deliver the invoices that the company issues (nfe, nfse)',
      pt: 'Entrega também as notas que a empresa emite (nfe, nfse)',
    },
  },
  ...deliveryOptions,
  confirm: {
    kind: 'text',
    value: 'companyId',
    summary: {
      en: 'The company again, to confirm that operations are disowned automatically',
      pt: 'A empresa, indicada de novo, para confirmar o desconhecimento automático de operações',
    },
  },
  file: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'The settings as JSON; - for stdin; flags take precedence',
      pt: 'As configurações em JSON; - para o stdin; as opções prevalecem',
    },
  },
} as const satisfies OptionSpecs;

/** Settings belong to one family: it is never guessed. */
function requiredFamily(type: InboundFamily | undefined): InboundFamily {
  if (type === undefined) throw new FiscalError('usage.missing', { names: '--type' }, { sent: 'no' });
  return type;
}

/** The words of the user as the services take them. */
function settingsFlags(options: OptionValues<typeof settingsOptions>): SettingsFlags {
  const { type: _type, confirm: _confirm, automaticManifestationDelay, ...flags } = options;
  return { ...flags, automaticManifestationDelayMs: automaticManifestationDelay };
}

export const listSettings = defineCommand({
  summary: {
    en: 'List the companies that capture NFS-e',
    pt: 'Lista as empresas que capturam NFS-e',
  },
  description: {
    en: 'Shows the settings of each. The service has this list for NFS-e only; for all families of all companies: fiscal status --check.',
    pt: 'Com a configuração de cada uma. O serviço só tem essa lista para NFS-e; todas as famílias de todas as empresas: fiscal status --check.',
  },
  options: {},
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal inbound settings list -o csv',
      summary: { en: 'For a spreadsheet', pt: 'Para uma planilha' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'companyId',
  async run({ context }) {
    const { listCapturing } = await import('./settings.js');
    return listCapturing(context);
  },
});

export const showSettings = defineCommand({
  summary: {
    en: 'Show the capture settings of a company',
    pt: 'Mostra as configurações de captura de uma empresa',
  },
  description: {
    en: 'Every field as the service returns it. For a spaced capture (rateLimitedUntil), shows the possible causes. For one company, exits 9 when the family is not enabled; with several, each has a row, and one that is not enabled has enabled: false.',
    pt: 'Todos os campos como o serviço os informa. Para uma captura bloqueada por consumo indevido (rateLimitedUntil), mostra as causas possíveis. Com uma empresa, termina com 9 quando a família não está ativada; com várias, cada uma tem uma linha, e a que não está ativada traz enabled: false.',
  },
  options: { ...companiesOption, ...familyOption },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound settings show --type nfe --company c1',
      summary: { en: 'Of NF-e', pt: 'De NF-e' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes],
  async run({ context, options: { type, allCompanies } }) {
    const { showSettings } = await import('./settings.js');
    return showSettings(context, requiredFamily(type), allCompanies);
  },
});

export const enableSettings = defineCommand({
  summary: { en: 'Enable the capture of a family', pt: 'Ativa a captura de uma família' },
  description: {
    en: 'The cut-off (--start-from-date) is set here once; afterwards only that of NFS-e moves, by "fiscal backfill start-from". Where the capture exists already, settings that are not named stay as they are, and the command shows the difference and asks for consent (--yes). --minutes-to-unknown-operation makes the service disown operations on its own and also needs --confirm. For several companies it shows the difference of each and asks once; a company that fails has a row with the reason, and the others continue (exit 3).',
    pt: 'A data de corte (--start-from-date) é definida aqui uma vez; depois, só a de NFS-e muda, com "fiscal backfill start-from". Onde a captura já existe, as configurações não citadas ficam como estão, e a diferença é mostrada e confirmada (--yes). Com --minutes-to-unknown-operation o serviço passa a desconhecer operações sozinho, o que também exige --confirm. Para várias empresas, a diferença de cada uma é mostrada e a confirmação é pedida uma vez; a que falha mantém sua linha, e as demais continuam (saída 3).',
  },
  options: { ...companiesOption, ...settingsOptions },
  scope: ['company'],
  examples: [
    {
      command:
        'fiscal inbound settings enable --type nfe --environment Production --start-from-date 2026-10-01',
      summary: { en: 'NF-e since October', pt: 'NF-e desde outubro' },
    },
    {
      command: 'fiscal inbound settings enable --type nfse --start-from-nsu 0 --outbound-enabled true',
      summary: { en: 'NFS-e, issued ones too', pt: 'NFS-e, inclusive as emitidas' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.conflict],
  async run({ context, options }) {
    const { enableInbound } = await import('./settings-change.js');
    const { allCompanies, type, confirm } = options;
    return enableInbound(context, {
      ...{ family: requiredFamily(type), allCompanies, confirm },
      flags: settingsFlags(options),
    });
  },
});

export const updateSettings = defineCommand({
  summary: {
    en: 'Change the capture settings of a company',
    pt: 'Altera as configurações de captura de uma empresa',
  },
  description: {
    en: 'Reads the settings first; those that are not named stay as they are, also inside automaticManifesting. Shows the difference and asks for consent (--yes); --minutes-to-unknown-operation makes the service disown operations on its own and also needs --confirm. For several companies it shows the difference of each and asks once; a company that fails has a row with the reason, and the others continue (exit 3). null in a file removes a setting. The cut-off is not changed here; that of NFS-e moves by "fiscal backfill start-from".',
    pt: 'As configurações são lidas antes; as não citadas ficam como estão, também dentro de automaticManifesting. A diferença é mostrada e confirmada (--yes); com --minutes-to-unknown-operation o serviço passa a desconhecer operações sozinho, o que também exige --confirm. Para várias empresas, a diferença de cada uma é mostrada e a confirmação é pedida uma vez; a que falha mantém sua linha, e as demais continuam (saída 3). null em um arquivo retira uma configuração. A data de corte não muda aqui; a de NFS-e muda com "fiscal backfill start-from".',
  },
  options: { ...companiesOption, ...settingsOptions },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound settings update --type nfe --minutes-to-operation-confirmation 60',
      summary: { en: 'Confirm after an hour', pt: 'Confirma depois de uma hora' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.conflict],
  async run({ context, options }) {
    const { updateInbound } = await import('./settings-change.js');
    const { allCompanies, type, confirm } = options;
    return updateInbound(context, {
      ...{ family: requiredFamily(type), allCompanies, confirm },
      flags: settingsFlags(options),
    });
  },
});

export const disableSettings = defineCommand({
  summary: { en: 'Disable the capture of a family', pt: 'Desativa a captura de uma família' },
  description: {
    en: 'What arrives from then on is not captured. Needs consent (--yes).',
    pt: 'O que chegar a partir daí não é capturado. Precisa de consentimento (--yes).',
  },
  options: familyOption,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound settings disable --type cte --company c1 --yes',
      summary: { en: 'Of CT-e', pt: 'De CT-e' },
    },
  ],
  exitCodes: callExitCodes,
  async run({ context, options: { type } }) {
    const { disableInbound } = await import('./settings.js');
    return disableInbound(context, requiredFamily(type));
  },
});
