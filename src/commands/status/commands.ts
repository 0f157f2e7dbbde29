import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand, inModes, type OptionSpecs } from '../../cli/command.js';
import { certificateOption, horizonOptions, watchOptions } from '../../cli/options.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';

/** Thresholds of the check, and where the result goes. */
const checkOptions = {
  idle: {
    kind: 'duration',
    value: 'time',
    default: '30d',
    summary: {
      en: 'Warn when no document arrives for this long',
      pt: 'Avisa quando não chega documento há esse tempo',
    },
  },
  ...certificateOption,
  ...horizonOptions,
  expect: {
    kind: 'list',
    value: 'nfe,cte,nfse',
    choices: ['nfe', 'cte', 'nfse'],
    summary: { en: 'A family that is not captured is a problem', pt: 'Família não capturada é problema' },
  },
  warnOnly: {
    kind: 'toggle',
    summary: { en: 'Exit 0 even with problems', pt: 'Termina com 0 mesmo com problemas' },
  },
  prometheus: {
    kind: 'toggle',
    summary: {
      en: 'Prometheus text on stdout, instead of --output',
      pt: 'Texto do Prometheus no stdout, em vez de --output',
    },
  },
  metricsFile: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'Also write the Prometheus text to this file',
      pt: 'Grava também o texto do Prometheus neste arquivo',
    },
  },
} as const satisfies OptionSpecs;

export const command = defineCommand({
  summary: { en: 'The morning on one screen', pt: 'Pendências do dia' },
  description: {
    en: 'For every company that this machine knows: manifestations due and lost, documents new since yesterday, documents without their file, summaries that wait, months closed, open and broken, failed and uncertain jobs, certificates that expire within 30 days, syncs that failed, captures that are behind, and the billed calls of the month, each with the next command. Without network: each figure says when its data was read, and names the companies of which it is unknown; "fiscal inbound sync" and "fiscal certificate check" bring it up to date. Exits 0 when shown. --check is for a monitor: it asks the service about every company of the account (capture, spacing and age of the last document by family, certificate, cut-off, hidden history; deadlines as this machine knows them), shows each problem with the next command, and exits 13 when there are any. A company that cannot be read has the problem in its row. --company narrows both; the company of the profile is ignored. Changes nothing.',
    pt: 'De cada empresa que esta máquina conhece: manifestações a vencer e fora do prazo, documentos novos desde ontem, documentos sem o arquivo, resumos que aguardam, meses fechados, em aberto e não mais provados, lotes com falha ou sem confirmação, certificados que vencem em 30 dias, sincronizações que falharam, capturas atrasadas e as chamadas cobradas do mês, cada um com o próximo comando. Sem rede: cada número diz quando seus dados foram lidos e nomeia as empresas das quais não se sabe; "fiscal inbound sync" e "fiscal certificate check" o atualizam. Termina com 0 quando mostrado. --check é para monitoramento: consulta no serviço todas as empresas da conta (captura, pausas e idade do último documento por família, certificado, data de corte, histórico oculto; os prazos que esta máquina conhece), mostra cada problema com o próximo comando e termina com 13 quando há algum. Uma empresa que não pôde ser lida aparece com o problema na própria linha. --company restringe os dois; a empresa do perfil é ignorada. Não altera nada.',
  },
  options: {
    check: {
      kind: 'toggle',
      summary: {
        en: 'Ask the service about every company, for a monitor; exits 13 with problems',
        pt: 'Consulta no serviço todas as empresas, para monitoramento; termina com 13 se há problemas',
      },
    },
    allProfiles: {
      kind: 'toggle',
      notWith: ['company', 'profile', 'check'],
      summary: { en: 'Every profile, one after the other', pt: 'Todos os perfis, um após o outro' },
    },
    deadlineRules: {
      kind: 'text',
      value: 'file',
      summary: {
        en: 'Your own deadlines by state, supplier or event, as YAML or JSON',
        pt: 'Seus prazos por UF, fornecedor ou evento, em YAML ou JSON',
      },
    },
    ...inModes(checkOptions, { onlyWith: ['check'] }),
    ...inModes(watchOptions, { notWith: ['check'] }),
  },
  scope: ['company'],
  examples: [
    { command: 'fiscal status', summary: { en: 'All companies', pt: 'Todas as empresas' } },
    {
      command: 'fiscal status --all-profiles --watch --every 5m',
      summary: { en: 'On a screen in the office', pt: 'Em uma tela do escritório' },
    },
    {
      command: 'fiscal status --check --expect nfe,nfse --idle 20d --warn 45d',
      summary: {
        en: 'For a monitor, with stricter limits',
        pt: 'Para monitoramento, com limites mais rígidos',
      },
    },
    {
      command: 'fiscal status -o json --query "profiles[].due.byCompany[]"',
      summary: { en: 'For a bot: who has something due', pt: 'Para um robô: quem tem prazo vencendo' },
    },
    {
      command: 'fiscal status --check --metrics-file companies.prom --warn-only -q',
      summary: { en: 'For the textfile collector', pt: 'Para o textfile collector' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.endedBadly],
  exitMeanings: {
    [ExitCode.endedBadly]: {
      en: 'with --check, a company has a problem (0 with --warn-only)',
      pt: 'com --check, uma empresa tem um problema (0 com --warn-only)',
    },
  },
  idField: 'companyId',
  view: async () => {
    const { statusView } = await import('../../presenters/status.js');
    const { checkView } = await import('../../presenters/status-check.js');
    return (data, options) => (Array.isArray(data) ? checkView : statusView)(data, options);
  },
  async run({ context, io, options }) {
    const { check, allProfiles, deadlineRules, idle, warn, within, overdueUpTo, prometheus } = options;
    if (!check) {
      if ((await context.settings()).output === 'id') throw noIds();
      const { readStatus } = await import('./status.js');
      return { data: await readStatus(context, { allProfiles, deadlineRules }) };
    }
    const { checkCompanies } = await import('./check.js');
    const { company } = context.flags;
    const { expect, warnOnly, metricsFile } = options;
    const { rows, metrics, exitCode, notices } = await checkCompanies(context, {
      ...{ expect, warnOnly, metricsFile, deadlineRules },
      company: typeof company === 'string' ? company : undefined,
      ...{ idleMs: idle, warnMs: warn, withinMs: within, overdueUpToMs: overdueUpTo },
    });
    if (!prometheus) return { data: rows, exitCode, notices };
    await io.stdout.write(metrics);
    return { data: undefined, written: true, exitCode, notices };
  },
});

function noIds(): FiscalError {
  const message = {
    en: '-o id: only with --check are there ids to print',
    pt: '-o id: só com --check há ids a mostrar',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}
