import type { Operation } from './operation.js';

const maintained = {
  method: 'POST',
  host: 'product',
  key: 'invoice',
  role: 'Management',
  success: [202, 200],
  replay: 'safe',
  billed: null,
  queryKey: false,
} as const;

const prefix = '/v2/companies/{companyId}/inbound/nfse';

/** Cut-off, retained history and maintenance of the capture of NFS-e (§4; the rest as published for version 2.3). */
export const maintenanceOperations = {
  'nfse.startFromDate.set': {
    ...maintained,
    summary: { en: 'Change the capture cut-off of NFS-e', pt: 'Altera a data de corte da captura de NFS-e' },
    method: 'PUT',
    path: `${prefix}/maintenance/start-from-date`,
    success: [204, 200],
    mark: 'doc §4',
  },
  'nfse.backfill.summary': {
    ...maintained,
    summary: { en: 'Count the NFS-e before the cut-off', pt: 'Conta as NFS-e anteriores à data de corte' },
    method: 'GET',
    path: `${prefix}/backfill`,
    role: 'NFSeDist',
    success: [200],
    mark: 'doc §4',
  },
  'nfse.backfill.release': {
    ...maintained,
    summary: {
      en: 'Release or revoke the retained history of NFS-e',
      pt: 'Libera ou revoga o histórico retido de NFS-e',
    },
    path: `${prefix}/maintenance/backfill/release`,
    mark: 'doc §4',
  },
  'nfse.fetchNow': {
    ...maintained,
    summary: { en: 'Capture NFS-e now', pt: 'Captura as NFS-e agora' },
    path: `${prefix}/maintenance/fetch-now`,
    mark: 'public',
  },
  'nfse.notifications': {
    ...maintained,
    summary: { en: 'Read the notices of the capture of NFS-e', pt: 'Lê os avisos da captura de NFS-e' },
    method: 'GET',
    path: `${prefix}/maintenance/notifications`,
    success: [200],
    mark: 'public',
  },
  'nfse.statistics': {
    ...maintained,
    summary: { en: 'Read the figures of the capture of NFS-e', pt: 'Lê os números da captura de NFS-e' },
    method: 'GET',
    path: `${prefix}/maintenance/statistics`,
    success: [200],
    mark: 'public',
  },
  'nfse.reactivate': {
    ...maintained,
    summary: { en: 'Reactivate the capture of NFS-e', pt: 'Reativa a captura de NFS-e' },
    path: `${prefix}/maintenance/reactivate`,
    mark: 'public',
  },
  'nfse.resetNsu': {
    ...maintained,
    summary: { en: 'Restart the capture of NFS-e at an NSU', pt: 'Recomeça a captura de NFS-e em um NSU' },
    path: `${prefix}/reset-nsu`,
    // A repeat would restart the capture, which is billed.
    replay: 'unsafe',
    mark: 'public',
  },
} as const satisfies Record<string, Operation>;
