import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { checkOptions } from './check-options.js';

export const command = defineCommand({
  summary: { en: 'Check every company, for a monitor', pt: 'Verifica todas as empresas, para monitoramento' },
  description: {
    en: 'Per company: capture and age of the last document by family, spacing, certificate, cut-off, hidden history, and terms of manifestations as this machine knows them from inbound sync. Each problem comes with the next command. Ends 13 when there are problems. A company that cannot be read is a problem of its own row. --company as typed narrows the list; the company of the profile does not. Changes nothing.',
    pt: 'Por empresa: captura e idade do último documento por família, espaçamento, certificado, data de corte, histórico oculto e prazos de manifestação que esta máquina conhece pelo inbound sync. Cada problema vem com o próximo comando. Termina em 13 quando há problemas. Uma empresa que não pôde ser lida é um problema da própria linha. --company digitado restringe a lista; a empresa do perfil, não. Não altera nada.',
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
