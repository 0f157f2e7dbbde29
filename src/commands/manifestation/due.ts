import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { documentOptions } from './plan-options.js';

const eventClasses = ['awareness', 'conclusive', 'taker'] as const;

export const command = defineCommand({
  summary: { en: 'List the manifestations that run out', pt: 'Lista as manifestações a vencer' },
  description: {
    en: 'Per document and class of event (awareness, conclusive, taker), overdue first; ends 13 when something is overdue. The terms count from the day of authorisation. No term is known for an NFS-e: add one with --deadline-rules. Nothing is sent.',
    pt: 'Por documento e classe de evento (awareness: ciência, conclusive: conclusivo, taker: tomador), vencidas primeiro; termina em 13 quando há algo vencido. Os prazos contam do dia da autorização. Não se conhece prazo para a NFS-e: acrescente um com --deadline-rules. Nada é enviado.',
  },
  options: {
    within: {
      kind: 'duration',
      value: 'time',
      default: '10d',
      summary: { en: 'What runs out within this time', pt: 'O que vence dentro deste tempo' },
    },
    overdueUpTo: {
      kind: 'duration',
      value: 'time',
      summary: {
        en: 'Leave out what ran out longer ago',
        pt: 'Deixa de fora o que venceu há mais tempo',
      },
    },
    class: {
      kind: 'choice',
      choices: eventClasses,
      summary: { en: 'Only this class of event', pt: 'Só esta classe de evento' },
    },
    ics: {
      kind: 'text',
      value: 'file',
      summary: { en: 'Write a calendar too (ICS)', pt: 'Grava também um calendário (ICS)' },
    },
    ...documentOptions,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal manifestation due --within 10d',
      summary: { en: 'The next ten days', pt: 'Os próximos dez dias' },
    },
    {
      command: 'fiscal manifestation due --within 30d --class conclusive --ics due.ics',
      summary: { en: 'As a calendar', pt: 'Como calendário' },
    },
  ],
  exitCodes: [
    ExitCode.credentials,
    ExitCode.temporary,
    ExitCode.forbidden,
    ExitCode.rateLimited,
    ExitCode.endedBadly,
  ],
  idField: 'accessKey',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView(['accessKey', 'eventClass', 'deadline', 'daysLeft', 'state', 'supplier', 'amount']);
  },
  async run({ context, io, options }) {
    const { dueManifestations } = await import('../../services/manifestation/due.js');
    const { input, own, deadlineRules, ics, within, overdueUpTo } = options;
    return dueManifestations(context, {
      ...{ input, own, deadlineRules, ics, language: io.language },
      withinMs: within,
      overdueUpToMs: overdueUpTo,
      eventClass: options.class,
    });
  },
});
