import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { knownCompaniesOption } from '../../cli/company-options.js';
import { documentOptions } from './plan-options.js';

const eventClasses = ['awareness', 'conclusive', 'taker'] as const;

export const command = defineCommand({
  summary: { en: 'List the manifestations that run out', pt: 'Lista as manifestações a vencer' },
  description: {
    en: 'Per document and class of event (awareness, conclusive, taker), first what is over. States: open, sent, lost (this event can no longer be sent), presumed (the operation is presumed to have occurred), unknown (nothing shows whether an event was registered), cancelled (by the issuer). remains and remainsUntil say which events are still possible; basis says whose word it is: this machine’s (local), that of the last sync (synced) or of the service (service). Ends 13 when something is lost or presumed, 3 when that cannot be told. The terms count from the day of authorisation. No term is known for an NFS-e: add one with --deadline-rules. Nothing is sent.',
    pt: 'Por documento e classe de evento (awareness: ciência, conclusive: conclusivo, taker: tomador), primeiro o que venceu. Estados: open (em aberto), sent (enviado), lost (este evento não pode mais ser enviado), presumed (a operação é presumida como ocorrida), unknown (nada mostra se houve evento), cancelled (cancelado pelo emitente). remains e remainsUntil dizem quais eventos ainda são possíveis; basis diz de onde vem a informação: desta máquina (local), da última sincronização (synced) ou do serviço (service). Termina em 13 quando há algo perdido ou presumido, em 3 quando não se pode dizer. Os prazos contam do dia da autorização. Não se conhece prazo para a NFS-e: acrescente um com --deadline-rules. Nada é enviado.',
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
    ...knownCompaniesOption,
    ...documentOptions,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal manifestation due --within 10d',
      summary: { en: 'The next ten days', pt: 'Os próximos dez dias' },
    },
    {
      command: 'fiscal manifestation due --overdue-up-to 30d --check-service',
      summary: {
        en: 'Ask the service where no sync has read the events',
        pt: 'Consulta o serviço onde nenhuma sincronização leu os eventos',
      },
    },
    {
      command: 'fiscal manifestation due --within 30d --class conclusive --ics due.ics',
      summary: { en: 'As a calendar', pt: 'Como calendário' },
    },
  ],
  exitCodes: [
    ExitCode.partial,
    ExitCode.credentials,
    ExitCode.temporary,
    ExitCode.forbidden,
    ExitCode.rateLimited,
    ExitCode.endedBadly,
  ],
  idField: 'accessKey',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView([
      'accessKey',
      'companyName',
      'eventClass',
      'state',
      'deadline',
      'daysLeft',
      'remainsUntil',
      'basis',
      'supplier',
      'amount',
    ]);
  },
  async run({ context, io, options }) {
    const { dueManifestations } = await import('./due.js');
    const { allCompanies, input, own, deadlineRules, checkService, ics, within, overdueUpTo } = options;
    return dueManifestations(context, {
      ...{ allCompanies, input, own, deadlineRules, checkService, ics, language: io.language },
      withinMs: within,
      overdueUpToMs: overdueUpTo,
      eventClass: options.class,
    });
  },
});
