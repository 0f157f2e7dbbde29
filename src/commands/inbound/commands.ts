import type { CommandGroup } from '../../cli/command.js';

const reading = () => import('./read-commands.js');
const syncing = () => import('./sync-commands.js');
const closing = () => import('./close-commands.js');
const capturing = () => import('./capture-commands.js');

export const group: CommandGroup = {
  parts: {
    archive: { en: 'The archive as a whole', pt: 'A pasta de documentos inteira' },
    capture: { en: 'The capture of a company', pt: 'A captura de uma empresa' },
  },
  verbs: {
    list: async () => ({ command: (await reading()).verbs.list }),
    get: async () => ({ command: (await reading()).verbs.get }),
    xml: async () => ({ command: (await reading()).verbs.xml }),
    pdf: async () => ({ command: (await reading()).verbs.pdf }),
    events: async () => ({ command: (await reading()).verbs.events }),
    'fetch-by-key': async () => ({ command: (await syncing()).verbs.fetchByKey }),
    sync: async () => ({ command: (await syncing()).verbs.sync }),
    outstanding: async () => ({ command: (await syncing()).verbs.outstanding }),
    close: async () => ({ command: (await closing()).verbs.close }),
    verify: async () => ({ command: (await closing()).verbs.verify }),
    'archive copy': async () => ({ command: (await closing()).verbs.copy }),
    reconcile: async () => ({ command: (await closing()).verbs.reconcile }),
    reprocess: async () => ({ command: (await reading()).verbs.reprocess }),
    'capture show': async () => ({ command: (await capturing()).show }),
    'capture enable': async () => ({ command: (await capturing()).enable }),
    'capture update': async () => ({ command: (await capturing()).update }),
    'capture disable': async () => ({ command: (await capturing()).disable }),
    'capture run': async () => ({ command: (await capturing()).run }),
    'capture reactivate': async () => ({ command: (await capturing()).reactivate }),
    'capture reset-nsu': async () => ({ command: (await capturing()).resetNsu }),
    'capture notices': async () => ({ command: (await capturing()).notices }),
  },
};
