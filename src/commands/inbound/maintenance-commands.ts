import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';

export const fetchNow = defineCommand({
  summary: { en: 'Capture NFS-e now', pt: 'Captura as NFS-e agora' },
  description: {
    en: 'Does not wait for the schedule of the service. Once accepted, the capture continues in the background. While the capture is spaced, the command waits up to --max-retry-wait; beyond that it exits 12. Needs the role Management and consent (--yes).',
    pt: 'Não espera o agendamento do serviço. Depois de aceita, a captura continua em segundo plano. Com a captura bloqueada por consumo indevido, o comando espera até --max-retry-wait; além desse tempo, termina com 12. Precisa do papel Management e de consentimento (--yes).',
  },
  options: {
    fromNsu: {
      kind: 'text',
      value: 'nsu',
      summary: {
        en: 'Begin at this NSU instead of the position of the capture',
        pt: 'Começa neste NSU, e não na posição da captura',
      },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound maintenance fetch-now --company c1 --yes',
      summary: { en: 'Of one company', pt: 'De uma empresa' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  idField: 'companyId',
  async run({ context, options: { fromNsu } }) {
    const { fetchNow } = await import('./maintenance.js');
    return fetchNow(context, fromNsu);
  },
});

export const notifications = defineCommand({
  summary: {
    en: 'Show what happened to the capture of NFS-e',
    pt: 'Mostra o que aconteceu com a captura de NFS-e',
  },
  description: {
    en: 'The notices of the service, newest first: capture spaced, certificate missing or expired, capture reactivated or reset, history released or revoked. Needs the role Management.',
    pt: 'Os avisos do serviço, do mais novo ao mais antigo: captura bloqueada por consumo indevido, certificado ausente ou vencido, captura reativada ou reiniciada, histórico liberado ou revogado. Precisa do papel Management.',
  },
  options: {},
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound maintenance notifications --company c1',
      summary: { en: 'Of one company', pt: 'De uma empresa' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(['createdOn', 'createdAt', 'severity', 'type', 'title', 'message', 'description'], {
      required: ['severity', 'title', 'message', 'description'],
      below: ['message', 'description'],
    });
  },
  async run({ context }) {
    const { captureNotifications } = await import('./maintenance.js');
    return captureNotifications(context);
  },
});

export const statistics = defineCommand({
  summary: {
    en: 'Show the statistics of the NFS-e capture',
    pt: 'Mostra as estatísticas da captura de NFS-e',
  },
  description: {
    en: 'Documents, how many of them are hidden, the last NSU and the time of the last capture, as the service returns them. Needs the role Management.',
    pt: 'Documentos, quantos deles ocultos, o último NSU e quando o último documento foi capturado, como o serviço os informa. Precisa do papel Management.',
  },
  options: {},
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound maintenance statistics --company c1',
      summary: { en: 'Of one company', pt: 'De uma empresa' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'companyId',
  async run({ context }) {
    const { captureStatistics } = await import('./maintenance.js');
    return captureStatistics(context);
  },
});

export const reactivate = defineCommand({
  summary: { en: 'Resume the capture of NFS-e', pt: 'Retoma a captura de NFS-e' },
  description: {
    en: 'For a capture that the service stopped or spaced, once you have fixed the cause, e.g. uploaded a new certificate. Needs the role Management and consent (--yes).',
    pt: 'Para uma captura que o serviço parou ou pausou, depois de resolvida a causa, por exemplo com um certificado novo. Precisa do papel Management e de consentimento (--yes).',
  },
  options: {},
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound maintenance reactivate --company c1 --yes',
      summary: { en: 'Of one company', pt: 'De uma empresa' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  idField: 'companyId',
  async run({ context }) {
    const { reactivate } = await import('./maintenance.js');
    return reactivate(context);
  },
});

export const resetNsu = defineCommand({
  summary: {
    en: 'Restart the NFS-e capture after an NSU',
    pt: 'Recomeça a captura de NFS-e depois de um NSU',
  },
  description: {
    en: 'Documents after that NSU may be captured and billed again; an NSU after the last one skips documents permanently. Sent once, never repeated. Needs the role Management, consent (--yes) and the id of the company again (--confirm).',
    pt: 'Os documentos depois desse NSU podem ser capturados e cobrados de novo; um NSU à frente do último deixa documentos de fora para sempre. Enviado uma vez, nunca repetido. Precisa do papel Management, de consentimento (--yes) e do id da empresa de novo (--confirm).',
  },
  arguments: [
    {
      name: 'nsu',
      required: true,
      summary: { en: 'Up to 15 digits; 0 for the beginning', pt: 'Até 15 algarismos; 0 para o começo' },
    },
  ],
  options: {
    confirm: {
      kind: 'text',
      value: 'companyId',
      summary: { en: 'The company, named again', pt: 'A empresa, indicada de novo' },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound maintenance reset-nsu 1200 --company c1 --confirm c1 --yes',
      summary: { en: 'After NSU 1200', pt: 'Depois do NSU 1200' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.conflict],
  idField: 'companyId',
  async run({ context, options: { confirm }, arguments: { nsu = '' } }) {
    const { resetNsu } = await import('./maintenance.js');
    return resetNsu(context, { nsu, confirm });
  },
});
