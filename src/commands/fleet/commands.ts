import { callExitCodes } from '../../cli/exit-codes.js';
import { type CommandGroup, defineCommand, type OptionSpecs } from '../../cli/command.js';
import { horizonOptions } from '../../cli/options.js';
import { ExitCode } from '../../errors/exit-code.js';

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
  warn: {
    kind: 'duration',
    value: 'time',
    default: '30d',
    summary: {
      en: 'Warn this long before a certificate expires',
      pt: 'Avisa com essa antecedência do vencimento do certificado',
    },
  },
  ...horizonOptions,
  deadlineRules: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'Your own deadlines by state, supplier or event, as YAML or JSON',
      pt: 'Seus prazos por UF, fornecedor ou evento, em YAML ou JSON',
    },
  },
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

const check = defineCommand({
  summary: { en: 'Check every company, for a monitor', pt: 'Verifica todas as empresas, para monitoramento' },
  description: {
    en: 'Per company: capture, spacing and age of the last document by family, certificate, cut-off, hidden history, and deadlines of manifestations as this machine knows them from inbound sync. Each problem comes with the next command. Exits 13 when there are problems. A company that cannot be read has the problem in its row. --company narrows the list; the company of the profile is ignored. Changes nothing.',
    pt: 'Por empresa: captura, pausas e idade do último documento por família, certificado, data de corte, histórico oculto e os prazos de manifestação que esta máquina conhece pelo inbound sync. Cada problema vem com o próximo comando. Termina com 13 quando há problemas. Uma empresa que não pôde ser lida aparece com o problema na própria linha. --company restringe a lista; a empresa do perfil é ignorada. Não altera nada.',
  },
  options: checkOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal fleet check',
      summary: { en: 'All companies', pt: 'Todas as empresas' },
    },
    {
      command: 'fiscal fleet check --expect nfe,nfse --idle 20d --warn 45d',
      summary: { en: 'With stricter limits', pt: 'Com limites mais rígidos' },
    },
    {
      command: 'fiscal fleet check --metrics-file fleet.prom --warn-only -q',
      summary: { en: 'For the textfile collector', pt: 'Para o textfile collector' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.endedBadly],
  exitMeanings: {
    [ExitCode.endedBadly]: {
      en: 'a company has a problem (0 with --warn-only)',
      pt: 'uma empresa tem um problema (0 com --warn-only)',
    },
  },
  idField: 'companyId',
  view: async () => (await import('../../presenters/fleet.js')).fleetView,
  async run({ context, io, options }) {
    const { checkFleet } = await import('./check.js');
    const { idle, warn, within, overdueUpTo, prometheus, ...others } = options;
    const { company } = context.flags;
    const { rows, metrics, exitCode, notices } = await checkFleet(context, {
      ...others,
      company: typeof company === 'string' ? company : undefined,
      ...{ idleMs: idle, warnMs: warn, withinMs: within, overdueUpToMs: overdueUpTo },
    });
    if (!prometheus) return { data: rows, exitCode, notices };
    await io.stdout.write(metrics);
    return { data: undefined, written: true, exitCode, notices };
  },
});

export const group: CommandGroup = {
  verbs: { check },
};
