import type { OptionSpecs } from './command.js';

/**
 * The flags of every command, before or after the verb. Their values go to the configuration, which ranks them above
 * environment and profile.
 */
export const sharedFlags = {
  profile: {
    kind: 'text',
    value: 'name',
    summary: { en: 'Profile to use', pt: 'Perfil a usar' },
  },
  company: {
    kind: 'text',
    value: 'company',
    summary: {
      en: 'Company: id, CNPJ, beginning of the name or alias',
      pt: 'Empresa: id, CNPJ, início do nome ou apelido',
    },
  },
  tenant: {
    kind: 'text',
    value: 'id',
    summary: { en: 'Tenant id (product registry)', pt: 'Id do tenant (cadastro de produtos)' },
  },
  output: {
    kind: 'choice',
    choices: ['table', 'json', 'ndjson', 'yaml', 'csv', 'xlsx', 'id'],
    short: 'o',
    summary: { en: 'Output format', pt: 'Formato do resultado' },
  },
  csvStyle: {
    kind: 'choice',
    choices: ['rfc4180', 'excel-br'],
    summary: {
      en: 'Form of a CSV (excel-br: semicolons, decimal commas, formulas as text)',
      pt: 'Forma do CSV (excel-br: ponto e vírgula, vírgula decimal, fórmulas como texto)',
    },
  },
  out: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'File of -o xlsx, complete or not at all',
      pt: 'Arquivo do -o xlsx, inteiro ou nada',
    },
  },
  fields: {
    kind: 'text',
    value: 'a,b',
    summary: {
      en: 'Only these fields (nested with dots: tax.ncm)',
      pt: 'Só estes campos (aninhados com pontos: tax.ncm)',
    },
  },
  query: {
    kind: 'text',
    value: 'jmespath',
    summary: { en: 'JMESPath over the whole result', pt: 'JMESPath sobre o resultado inteiro' },
  },
  errorFormat: {
    kind: 'choice',
    choices: ['text', 'json'],
    summary: { en: 'Format of errors on stderr', pt: 'Formato dos erros no stderr' },
  },
  color: {
    kind: 'choice',
    choices: ['auto', 'always', 'never'],
    summary: { en: 'Colour', pt: 'Cores' },
  },
  lang: {
    kind: 'choice',
    choices: ['en', 'pt-BR', 'pt'],
    summary: { en: 'Language of messages', pt: 'Idioma das mensagens' },
  },
  utc: {
    kind: 'toggle',
    summary: {
      en: 'Show times in UTC instead of Brasília (data are always UTC)',
      pt: 'Mostra horários em UTC, não nos de Brasília (os dados são sempre UTC)',
    },
  },
  quiet: {
    kind: 'toggle',
    short: 'q',
    summary: { en: 'No notices and no progress', pt: 'Sem avisos e sem progresso' },
  },
  verbose: {
    kind: 'toggle',
    short: 'v',
    summary: { en: 'More details on stderr', pt: 'Mais detalhes no stderr' },
  },
  debugHttp: {
    kind: 'toggle',
    summary: {
      en: 'Show each request on stderr, secrets masked',
      pt: 'Mostra cada requisição no stderr, com segredos mascarados',
    },
  },
  noInput: {
    kind: 'toggle',
    summary: { en: 'Never prompt', pt: 'Nunca pergunta' },
  },
  noPager: {
    kind: 'toggle',
    summary: {
      en: 'No pager for long tables and help (FISCAL_PAGER, PAGER, less)',
      pt: 'Tabelas e ajuda longas sem paginador (FISCAL_PAGER, PAGER, less)',
    },
  },
  yes: {
    kind: 'toggle',
    short: 'y',
    summary: { en: 'Give consent without a prompt', pt: 'Confirma sem perguntar' },
  },
  dryRun: {
    kind: 'toggle',
    summary: {
      en: 'Show what would be done, send and change nothing',
      pt: 'Mostra o que seria feito, sem enviar nem alterar nada',
    },
  },
  ci: {
    kind: 'choice',
    choices: ['github', 'none'],
    summary: {
      en: 'Summary and annotations for a pipeline (github inside GitHub Actions)',
      pt: 'Resumo e anotações para um pipeline (github dentro do GitHub Actions)',
    },
  },
  connectTimeout: {
    kind: 'duration',
    value: 'time',
    summary: { en: 'Time limit for connecting (5s)', pt: 'Tempo limite de conexão (5s)' },
  },
  readTimeout: {
    kind: 'duration',
    value: 'time',
    summary: { en: 'Time limit for an answer (30s)', pt: 'Tempo limite de resposta (30s)' },
  },
  maxRetryWait: {
    kind: 'duration',
    value: 'time',
    summary: { en: 'Longest wait for a retry (5m)', pt: 'Maior espera por nova tentativa (5m)' },
  },
  maxBelievedWait: {
    kind: 'duration',
    value: 'time',
    summary: {
      en: 'Longest wait that is believed when the service asks for one (15m)',
      pt: 'Maior espera em que se acredita quando o serviço pede uma (15m)',
    },
  },
  settleTime: {
    kind: 'duration',
    value: 'time',
    summary: {
      en: 'After an unknown outcome, conclude that nothing arrived only after this time (10m when issuing)',
      pt: 'Após um resultado desconhecido, só considera que nada chegou depois deste tempo (10m na emissão)',
    },
  },
  resendAbsent: {
    kind: 'toggle',
    summary: {
      en: 'Send again what is not found at the service after that time',
      pt: 'Reenvia o que não for encontrado no serviço depois desse tempo',
    },
  },
  requireStore: {
    kind: 'toggle',
    summary: {
      en: 'Send nothing from a store without earlier sends of the profile',
      pt: 'Não envia nada com um arquivo de estado sem envios anteriores do perfil',
    },
  },
  concurrency: {
    kind: 'count',
    value: 'n',
    min: 1,
    summary: { en: 'Requests at the same time', pt: 'Requisições ao mesmo tempo' },
  },
  rps: {
    kind: 'text',
    value: 'n',
    summary: { en: 'Maximum requests per second', pt: 'Máximo de requisições por segundo' },
  },
  budget: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'Prices and monthly budgets of companies (YAML): no billed call passes them (exit 14)',
      pt: 'Preços e orçamentos mensais das empresas (YAML): nenhuma chamada cobrada os ultrapassa (saída 14)',
    },
  },
  caCert: {
    kind: 'text',
    value: 'file',
    summary: { en: 'Further trusted certificates (PEM)', pt: 'Mais certificados confiáveis (PEM)' },
  },
  proxy: {
    kind: 'text',
    value: 'url',
    summary: { en: 'HTTP proxy', pt: 'Proxy HTTP' },
  },
} as const satisfies OptionSpecs;

export type SharedFlag = keyof typeof sharedFlags;
