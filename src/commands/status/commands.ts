import { define, does, duration, example, listOf, text, toggle } from '../../cli/define.js';
import { inModes } from '../../cli/command.js';
import { certificateOption, horizonOptions, watchOptions } from '../../cli/options.js';

/** Thresholds of the check, and where the result goes. */
const checkOptions = {
  idle: duration(
    'time',
    'Warn when no document arrives for this long',
    'Avisa quando não chega documento há esse tempo',
    { default: '30d' },
  ),
  ...certificateOption,
  ...horizonOptions,
  expect: listOf('nfe,cte,nfse', 'A family that is not captured is a problem', 'Família não capturada é problema', {
    choices: ['nfe', 'cte', 'nfse'],
  }),
  warnOnly: toggle('Exit 0 even with problems', 'Termina com 0 mesmo com problemas'),
  prometheus: toggle(
    'Prometheus text on stdout, instead of --output',
    'Texto do Prometheus no stdout, em vez de --output',
  ),
  nagios: toggle(
    'One line for Nagios, and its codes: 0 fine, 1 warning, 2 critical, 3 unknown',
    'Uma linha para o Nagios, e os códigos dele: 0 bem, 1 atenção, 2 crítico, 3 desconhecido',
    { notWith: ['prometheus', 'warnOnly'] },
  ),
  metricsFile: text(
    'file',
    'Also write the Prometheus text to this file',
    'Grava também o texto do Prometheus neste arquivo',
  ),
};

export const status = define('The morning on one screen', 'Pendências do dia', {
  description: {
    en: 'For every company that this machine knows: manifestations due and lost, documents new since yesterday, documents without their file, summaries that wait, months closed, open and broken, failed and uncertain jobs, certificates that expire within 30 days, syncs that failed, captures that are behind, and the billed calls of the month, each with the next command. Without network: each figure says when its data was read, and names the companies of which it is unknown; "fiscal inbound sync" and "fiscal certificate check" bring it up to date. Exits 0 when shown. --check is for a monitor: it asks the service about every company of the account (capture, spacing and age of the last document by family, certificate, cut-off, hidden history; deadlines as this machine knows them), shows each problem with the next command, and exits 13 when there are any. A company that cannot be read has the problem in its row. --company narrows both; the company of the profile is ignored. Changes nothing.',
    pt: 'De cada empresa que esta máquina conhece: manifestações a vencer e fora do prazo, documentos novos desde ontem, documentos sem o arquivo, resumos que aguardam, meses fechados, em aberto e não mais provados, lotes com falha ou sem confirmação, certificados que vencem em 30 dias, sincronizações que falharam, capturas atrasadas e as chamadas cobradas do mês, cada um com o próximo comando. Sem rede: cada número diz quando seus dados foram lidos e nomeia as empresas das quais não se sabe; "fiscal inbound sync" e "fiscal certificate check" o atualizam. Termina com 0 quando mostrado. --check é para monitoramento: consulta no serviço todas as empresas da conta (captura, pausas e idade do último documento por família, certificado, data de corte, histórico oculto; os prazos que esta máquina conhece), mostra cada problema com o próximo comando e termina com 13 quando há algum. Uma empresa que não pôde ser lida aparece com o problema na própria linha. --company restringe os dois; a empresa do perfil é ignorada. Não altera nada.',
  },
  options: {
    check: toggle(
      'Ask the service about every company, for a monitor; exits 13 with problems',
      'Consulta no serviço todas as empresas, para monitoramento; termina com 13 se há problemas',
    ),
    allProfiles: toggle('Every profile, one after the other', 'Todos os perfis, um após o outro', {
      notWith: ['company', 'profile', 'check'],
    }),
    deadlineRules: text(
      'file',
      'Your own deadlines by state, supplier or event, as YAML or JSON',
      'Seus prazos por UF, fornecedor ou evento, em YAML ou JSON',
    ),
    ...inModes(checkOptions, { onlyWith: ['check'] }),
    ...inModes(watchOptions, { notWith: ['check'] }),
  },
  scope: ['company'],
  examples: [
    example('', 'All companies', 'Todas as empresas'),
    example('--all-profiles --watch --every 5m', 'On a screen in the office', 'Em uma tela do escritório'),
    example(
      '--check --expect nfe,nfse --idle 20d --warn 45d',
      'For a monitor, with stricter limits',
      'Para monitoramento, com limites mais rígidos',
    ),
    example(
      '-o json --query "profiles[].due.byCompany[]"',
      'For a bot: who has something due',
      'Para um robô: quem tem prazo vencendo',
    ),
    example(
      '--check --metrics-file companies.prom --warn-only -q',
      'For the textfile collector',
      'Para o textfile collector',
    ),
  ],
  exits: ['calls', 'endedBadly'],
  exitMeanings: {
    endedBadly: {
      en: 'with --check, a company has a problem (0 with --warn-only; with --nagios the codes of Nagios)',
      pt: 'com --check, uma empresa tem um problema (0 com --warn-only; com --nagios, os códigos do Nagios)',
    },
  },
  id: 'companyId',
  view: async () => {
    const { statusView } = await import('../../presenters/status.js');
    const { checkView } = await import('../../presenters/status-check.js');
    return (data, options) => (Array.isArray(data) ? checkView : statusView)(data, options);
  },
});

export const command = does(status, async ({ check }) =>
  check ? (await import('./check.js')).checkCompanies : (await import('./status.js')).showStatus,
);
