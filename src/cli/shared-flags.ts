import { choice, count, duration, text, toggle } from './define.js';

/**
 * The flags of every command, before or after the verb. Their values go to the configuration, which ranks them above
 * environment and profile.
 */
export const sharedFlags = {
  profile: text('name', 'Profile to use', 'Perfil a usar'),
  company: text(
    'company',
    'Company: id, CNPJ, beginning of the name or alias',
    'Empresa: id, CNPJ, início do nome ou apelido',
  ),
  tenant: text('id', 'Tenant id (product registry)', 'Id do tenant (cadastro de produtos)'),
  output: choice(['table', 'json', 'ndjson', 'yaml', 'csv', 'xlsx', 'id'], 'Output format', 'Formato do resultado', {
    short: 'o',
  }),
  csvStyle: choice(
    ['rfc4180', 'excel-br'],
    'Form of a CSV (excel-br: semicolons, decimal commas, formulas as text)',
    'Forma do CSV (excel-br: ponto e vírgula, vírgula decimal, fórmulas como texto)',
  ),
  out: text('file', 'File of -o xlsx, complete or not at all', 'Arquivo do -o xlsx, inteiro ou nada'),
  fields: text(
    'a,b',
    'Only these fields (nested with dots: tax.ncm)',
    'Só estes campos (aninhados com pontos: tax.ncm)',
  ),
  query: text('jmespath', 'JMESPath over the whole result', 'JMESPath sobre o resultado inteiro'),
  errorFormat: choice(['text', 'json'], 'Format of errors on stderr', 'Formato dos erros no stderr'),
  color: choice(['auto', 'always', 'never'], 'Colour', 'Cores'),
  lang: choice(['en', 'pt-BR', 'pt'], 'Language of messages', 'Idioma das mensagens'),
  utc: toggle(
    'Show times in UTC instead of Brasília (data are always UTC)',
    'Mostra horários em UTC, não nos de Brasília (os dados são sempre UTC)',
  ),
  quiet: toggle(
    'Print nothing unless something needs a person, then one paragraph; with -o, --fields or --query, the data',
    'Não mostra nada, salvo se algo exigir a atenção de alguém: então, um parágrafo; com -o, --fields ou --query, os dados',
    { short: 'q' },
  ),
  verbose: toggle('More details on stderr', 'Mais detalhes no stderr', { short: 'v' }),
  debugHttp: toggle(
    'Show each request on stderr, secrets masked',
    'Mostra cada requisição no stderr, com segredos mascarados',
  ),
  noInput: toggle('Never prompt', 'Nunca pergunta'),
  noPager: toggle(
    'No pager for long tables and help (FISCAL_PAGER, PAGER, less)',
    'Tabelas e ajuda longas sem paginador (FISCAL_PAGER, PAGER, less)',
  ),
  yes: toggle('Give consent without a prompt', 'Confirma sem perguntar', { short: 'y' }),
  dryRun: toggle(
    'Show what would be done, send and change nothing',
    'Mostra o que seria feito, sem enviar nem alterar nada',
  ),
  ci: choice(
    ['github', 'none'],
    'Summary and annotations for a pipeline (github inside GitHub Actions)',
    'Resumo e anotações para um pipeline (github dentro do GitHub Actions)',
  ),
  connectTimeout: duration('time', 'Time limit for connecting (5s)', 'Tempo limite de conexão (5s)'),
  readTimeout: duration('time', 'Time limit for an answer (30s)', 'Tempo limite de resposta (30s)'),
  maxRetryWait: duration('time', 'Longest wait for a retry (5m)', 'Maior espera por nova tentativa (5m)'),
  maxBelievedWait: duration(
    'time',
    'Longest wait that is believed when the service asks for one (15m)',
    'Maior espera em que se acredita quando o serviço pede uma (15m)',
  ),
  settleTime: duration(
    'time',
    'After an unknown outcome, conclude that nothing arrived only after this time (10m when issuing)',
    'Após um resultado desconhecido, só considera que nada chegou depois deste tempo (10m na emissão)',
  ),
  resendAbsent: toggle(
    'Send again what is not found at the service after that time',
    'Reenvia o que não for encontrado no serviço depois desse tempo',
  ),
  requireStore: toggle(
    'Send nothing from a store without earlier sends of the profile',
    'Não envia nada com um arquivo de estado sem envios anteriores do perfil',
  ),
  concurrency: count('n', 'Requests at the same time', 'Requisições ao mesmo tempo', { min: 1 }),
  rps: text('n', 'Maximum requests per second', 'Máximo de requisições por segundo'),
  budget: text(
    'file',
    'Prices and monthly budgets of companies (YAML): no billed call passes them (exit 14)',
    'Preços e orçamentos mensais das empresas (YAML): nenhuma chamada cobrada os ultrapassa (saída 14)',
  ),
  caCert: text('file', 'Further trusted certificates (PEM)', 'Mais certificados confiáveis (PEM)'),
  proxy: text('url', 'HTTP proxy', 'Proxy HTTP'),
};

export type SharedFlag = keyof typeof sharedFlags;
