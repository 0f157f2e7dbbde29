import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Received documents', pt: 'Documentos recebidos' },
  verbs: {
    list: () => import('./list.js'),
    get: () => import('./get.js'),
    xml: () => import('./xml.js'),
    pdf: () => import('./pdf.js'),
    events: () => import('./events.js'),
    'event xml': () => import('./event/xml.js'),
    'fetch-by-key': () => import('./fetch-by-key.js'),
    sync: () => import('./sync.js'),
    close: () => import('./close.js'),
    verify: () => import('./verify.js'),
    reconcile: () => import('./reconcile.js'),
    reprocess: () => import('./reprocess.js'),
    'resend-webhook': () => import('./resend-webhook.js'),
    'settings show': () => import('./settings/show.js'),
    'settings enable': () => import('./settings/enable.js'),
    'settings update': () => import('./settings/update.js'),
    'settings disable': () => import('./settings/disable.js'),
    'maintenance fetch-now': () => import('./maintenance/fetch-now.js'),
    'maintenance notifications': () => import('./maintenance/notifications.js'),
    'maintenance statistics': () => import('./maintenance/statistics.js'),
    'maintenance reactivate': () => import('./maintenance/reactivate.js'),
    'maintenance reset-nsu': () => import('./maintenance/reset-nsu.js'),
  },
};
