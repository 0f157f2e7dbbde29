import { argument, choice, count, define, duration, example, listOf, text, toggle } from '../../cli/define.js';
import { type OptionValues } from '../../cli/command.js';
import { companiesOption } from '../../cli/options.js';
import { isRecord } from '../../domain/record.js';

/** What happens to a document once it is captured: webhooks, and manifestation by itself. */
const deliveryOptions = {
  webhookVersion: text('text', 'Version of the webhooks (nfe)', 'Versão dos webhooks (nfe)', { rare: true }),
  webhookEvents: listOf(
    'event',
    'Events to receive, e.g. product_invoice_inbound.received; none: all (nfe)',
    'Eventos a receber, ex. product_invoice_inbound.received; nenhum: todos (nfe)',
    { rare: true },
  ),
  webhookUrl: text('url', 'Address of the webhook (nfse)', 'Endereço do webhook (nfse)'),
  minutesToOperationConfirmation: count(
    'n',
    'Minutes until the operation is confirmed automatically (nfe)',
    'Minutos até a confirmação automática da operação (nfe)',
    { rare: true },
  ),
  minutesToUnknownOperation: count(
    'n',
    'Minutes until the operation is disowned automatically (nfe)',
    'Minutos até o desconhecimento automático da operação (nfe)',
    { rare: true },
  ),
  automaticManifestation: choice(['true', 'false'], 'Manifest automatically (nfse)', 'Manifestação automática (nfse)'),
  automaticManifestationDelay: duration(
    'time',
    'After this time, at most 7d (nfse)',
    'Depois deste tempo, no máximo 7d (nfse)',
    { rare: true },
  ),
};

const familyOption = {
  type: choice(['nfe', 'cte', 'nfse'], 'Family of documents (required)', 'Família de documentos (obrigatória)'),
};

/** Every setting of the three families; those that a family does not have are refused by name. */
const settingsOptions = {
  ...familyOption,
  ...companiesOption,
  startFromDate: text(
    'day',
    'Cut-off of the capture, a day (sent as its midnight in Brasília, in UTC) or a UTC time; only when it is enabled',
    'Data de corte da captura, um dia (enviado como a meia-noite em Brasília, em UTC) ou um horário UTC; só na ativação',
  ),
  startFromNsu: text(
    'nsu',
    'First NSU; only when it is enabled. For NFS-e, 0 is sent when it is absent',
    'Primeiro NSU; só na ativação. Para NFS-e, envia 0 quando falta',
    { rare: true },
  ),
  environment: choice(
    ['Production', 'Test'],
    'Environment of the tax authority (nfe, cte)',
    'Ambiente da Sefaz (nfe, cte)',
  ),
  outboundEnabled: choice(
    ['true', 'false'],
    'Also deliver the invoices that the company issues (nfe, nfse)',
    'Entrega também as notas que a empresa emite (nfe, nfse)',
  ),
  ...deliveryOptions,
  confirm: text(
    'companyId',
    'The company again, to confirm that operations are disowned automatically',
    'A empresa, indicada de novo, para confirmar o desconhecimento automático de operações',
  ),
  file: text(
    'file',
    'The settings as JSON; - for stdin; flags take precedence',
    'As configurações em JSON; - para o stdin; as opções prevalecem',
  ),
};

const showOptions = {
  ...familyOption,
  ...companiesOption,
  statistics: toggle(
    'Also documents, how many are hidden, the last NSU and capture (nfse)',
    'Também os documentos, quantos ocultos, o último NSU e a última captura (nfse)',
  ),
  listed: toggle(
    "The service's own list of the companies that capture (nfse): few requests, fewer fields",
    'A lista do próprio serviço, só das empresas com captura (nfse): poucas requisições, menos campos',
    { onlyWith: ['allCompanies'], notWith: ['statistics'] },
  ),
  notices: toggle(
    'Instead, what happened to the capture of NFS-e: the notices of the service, newest first',
    'Em vez disso, o que aconteceu com a captura de NFS-e: os avisos do serviço, do mais novo ao mais antigo',
    { notWith: ['statistics', 'listed', 'allCompanies'] },
  ),
};

export const show = define('Show how the capture of a family is set', 'Mostra como está a captura de uma família', {
  description: {
    en: 'Every field as the service returns it. For a spaced capture (rateLimitedUntil), shows the possible causes. For one company, exits 9 when the family is not enabled; with several, each has a row, and one that is not enabled has enabled: false. --statistics and --notices need the role Management. Notices: capture spaced, certificate missing or expired, capture reactivated or reset, history released or revoked. All families of all companies: fiscal status --check.',
    pt: 'Todos os campos como o serviço os informa. Para uma captura bloqueada por consumo indevido (rateLimitedUntil), mostra as causas possíveis. Com uma empresa, termina com 9 quando a família não está ativada; com várias, cada uma tem uma linha, e a que não está ativada traz enabled: false. --statistics e --notices precisam do papel Management. Avisos: captura bloqueada por consumo indevido, certificado ausente ou vencido, captura reativada ou reiniciada, histórico liberado ou revogado. Todas as famílias de todas as empresas: fiscal status --check.',
  },
  options: showOptions,
  scope: ['company'],
  examples: [
    example('--type nfe --company c1', 'Of NF-e', 'De NF-e'),
    example(
      '--type nfse --company c1 --statistics',
      'Of NFS-e, with its documents and last NSU',
      'De NFS-e, com documentos e último NSU',
    ),
    example(
      '--type nfse --all-companies --listed -o csv',
      'Which companies capture NFS-e, for a spreadsheet',
      'Quem captura NFS-e, para uma planilha',
    ),
    example(
      '--notices --company c1',
      'What happened to the capture of NFS-e',
      'O que aconteceu com a captura de NFS-e',
    ),
  ],
  exits: ['partial', 'calls'],
  id: ['id', 'companyId'],
  view: async () => {
    const { columnsView, defaultView } = await import('../../presenters/generic.js');
    const notices = columnsView(['createdOn', 'createdAt', 'severity', 'type', 'title', 'message', 'description'], {
      required: ['severity', 'title', 'message', 'description'],
      below: ['message', 'description'],
    });
    const isNotice = (row: unknown) => isRecord(row) && ('severity' in row || 'title' in row || 'message' in row);
    return (data, look) => (Array.isArray(data) && data.some(isNotice) ? notices : defaultView)(data, look);
  },
});

export const enable = define('Enable the capture of a family', 'Ativa a captura de uma família', {
  description: {
    en: 'The cut-off (--start-from-date) is set here once; afterwards only that of NFS-e moves, by "fiscal backfill start-from". Where the capture exists already, settings that are not named stay as they are, and the command shows the difference and asks for consent (--yes). --minutes-to-unknown-operation makes the service disown operations on its own and also needs --confirm. For several companies it shows the difference of each and asks once; a company that fails has a row with the reason, and the others continue (exit 3).',
    pt: 'A data de corte (--start-from-date) é definida aqui uma vez; depois, só a de NFS-e muda, com "fiscal backfill start-from". Onde a captura já existe, as configurações não citadas ficam como estão, e a diferença é mostrada e confirmada (--yes). Com --minutes-to-unknown-operation o serviço passa a desconhecer operações sozinho, o que também exige --confirm. Para várias empresas, a diferença de cada uma é mostrada e a confirmação é pedida uma vez; a que falha mantém sua linha, e as demais continuam (saída 3).',
  },
  options: settingsOptions,
  scope: ['company'],
  examples: [
    example(
      '--type nfe --environment Production --start-from-date 2026-10-01',
      'NF-e since October',
      'NF-e desde outubro',
    ),
    example(
      '--type nfse --start-from-nsu 0 --outbound-enabled true',
      'NFS-e, issued ones too',
      'NFS-e, inclusive as emitidas',
    ),
  ],
  exits: ['partial', 'calls', 'conflict'],
});

export const update = define(
  'Change the capture settings of a company',
  'Altera as configurações de captura de uma empresa',
  {
    description: {
      en: 'Reads the settings first; those that are not named stay as they are, also inside automaticManifesting. Shows the difference and asks for consent (--yes); --minutes-to-unknown-operation makes the service disown operations on its own and also needs --confirm. For several companies it shows the difference of each and asks once; a company that fails has a row with the reason, and the others continue (exit 3). null in a file removes a setting. The cut-off is not changed here; that of NFS-e moves by "fiscal backfill start-from".',
      pt: 'As configurações são lidas antes; as não citadas ficam como estão, também dentro de automaticManifesting. A diferença é mostrada e confirmada (--yes); com --minutes-to-unknown-operation o serviço passa a desconhecer operações sozinho, o que também exige --confirm. Para várias empresas, a diferença de cada uma é mostrada e a confirmação é pedida uma vez; a que falha mantém sua linha, e as demais continuam (saída 3). null em um arquivo retira uma configuração. A data de corte não muda aqui; a de NFS-e muda com "fiscal backfill start-from".',
    },
    options: settingsOptions,
    scope: ['company'],
    examples: [
      example(
        '--type nfe --minutes-to-operation-confirmation 60',
        'Confirm after an hour',
        'Confirma depois de uma hora',
      ),
    ],
    exits: ['partial', 'calls', 'conflict'],
  },
);

export const disable = define('Disable the capture of a family', 'Desativa a captura de uma família', {
  description: {
    en: 'What arrives from then on is not captured. Needs consent (--yes).',
    pt: 'O que chegar a partir daí não é capturado. Precisa de consentimento (--yes).',
  },
  options: familyOption,
  scope: ['company'],
  examples: [example('--type cte --company c1 --yes', 'Of CT-e', 'De CT-e')],
  exits: ['calls'],
});

export const run = define('Capture NFS-e now', 'Captura as NFS-e agora', {
  description: {
    en: 'Does not wait for the schedule of the service. Once accepted, the capture continues in the background. While the capture is spaced, the command waits up to --max-retry-wait; beyond that it exits 12. Needs the role Management and consent (--yes).',
    pt: 'Não espera o agendamento do serviço. Depois de aceita, a captura continua em segundo plano. Com a captura bloqueada por consumo indevido, o comando espera até --max-retry-wait; além desse tempo, termina com 12. Precisa do papel Management e de consentimento (--yes).',
  },
  options: {
    fromNsu: text(
      'nsu',
      'Begin at this NSU instead of the position of the capture',
      'Começa neste NSU, e não na posição da captura',
    ),
  },
  scope: ['company'],
  examples: [example('--company c1 --yes', 'Of one company', 'De uma empresa')],
  exits: ['calls', 'conflict'],
  id: 'companyId',
});

export const reactivate = define('Resume the capture of NFS-e', 'Retoma a captura de NFS-e', {
  description: {
    en: 'For a capture that the service stopped or spaced, once you have fixed the cause, e.g. uploaded a new certificate. Needs the role Management and consent (--yes).',
    pt: 'Para uma captura que o serviço parou ou pausou, depois de resolvida a causa, por exemplo com um certificado novo. Precisa do papel Management e de consentimento (--yes).',
  },
  options: {},
  scope: ['company'],
  examples: [example('--company c1 --yes', 'Of one company', 'De uma empresa')],
  exits: ['calls', 'conflict'],
  id: 'companyId',
});

export const resetNsu = define(
  'Restart the NFS-e capture after an NSU',
  'Recomeça a captura de NFS-e depois de um NSU',
  {
    description: {
      en: 'Documents after that NSU may be captured and billed again; an NSU after the last one skips documents permanently. Sent once, never repeated. Needs the role Management, consent (--yes) and the id of the company again (--confirm).',
      pt: 'Os documentos depois desse NSU podem ser capturados e cobrados de novo; um NSU à frente do último deixa documentos de fora para sempre. Enviado uma vez, nunca repetido. Precisa do papel Management, de consentimento (--yes) e do id da empresa de novo (--confirm).',
    },
    takes: { nsu: argument('Up to 15 digits; 0 for the beginning', 'Até 15 algarismos; 0 para o começo') },
    options: { confirm: text('companyId', 'The company, named again', 'A empresa, indicada de novo') },
    scope: ['company'],
    examples: [example('1200 --company c1 --confirm c1 --yes', 'After NSU 1200', 'Depois do NSU 1200')],
    exits: ['partial', 'calls', 'conflict'],
    id: 'companyId',
  },
);

/** Every setting, as it is typed. */
export type SettingsOptions = OptionValues<typeof settingsOptions>;
