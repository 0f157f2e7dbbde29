import { defineCommand } from '../../cli/command.js';
import { watchOptions } from '../../cli/options.js';

export const command = defineCommand({
  summary: { en: 'The morning on one screen', pt: 'Pendências do dia' },
  description: {
    en: 'For every company that this machine knows: manifestations due and lost, documents new since yesterday, documents without their file, summaries that wait, months closed, open and broken, failed and uncertain jobs, certificates that expire within 30 days, syncs that failed, captures that are behind, and the billed calls of the month, each with the next command. Without network: each figure says when its data was read, and names the companies of which it is unknown; "fiscal inbound sync" and "fiscal certificate check" bring it up to date. --company narrows it; the company of the profile is ignored. Exits 0 when shown: for a monitor, use fiscal fleet check.',
    pt: 'De cada empresa que esta máquina conhece: manifestações a vencer e fora do prazo, documentos novos desde ontem, documentos sem o arquivo, resumos que aguardam, meses fechados, em aberto e não mais provados, lotes com falha ou sem confirmação, certificados que vencem em 30 dias, sincronizações que falharam, capturas atrasadas e as chamadas cobradas do mês, cada um com o próximo comando. Sem rede: cada número diz quando seus dados foram lidos e nomeia as empresas das quais não se sabe; "fiscal inbound sync" e "fiscal certificate check" o atualizam. --company restringe; a empresa do perfil é ignorada. Termina com 0 quando mostrado: para monitoramento, use fiscal fleet check.',
  },
  options: {
    allProfiles: {
      kind: 'toggle',
      notWith: ['company', 'profile'],
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
    ...watchOptions,
  },
  scope: ['company'],
  examples: [
    { command: 'fiscal status', summary: { en: 'All companies', pt: 'Todas as empresas' } },
    {
      command: 'fiscal status --all-profiles --watch --every 5m',
      summary: { en: 'On a screen in the office', pt: 'Em uma tela do escritório' },
    },
    {
      command: 'fiscal status -o json --query "profiles[].due.byCompany[]"',
      summary: { en: 'For a bot: who has something due', pt: 'Para um robô: quem tem prazo vencendo' },
    },
  ],
  exitCodes: [],
  view: async () => (await import('../../presenters/status.js')).statusView,
  async run({ context, options: { allProfiles, deadlineRules } }) {
    const { readStatus } = await import('./status.js');
    return { data: await readStatus(context, { allProfiles, deadlineRules }) };
  },
});
