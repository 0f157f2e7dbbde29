import type { CommandGroup } from '../../cli/command.js';

const reading = () => import('./read-commands.js');
const syncing = () => import('./sync-commands.js');
const closing = () => import('./close-commands.js');
const setting = () => import('./settings-commands.js');
const maintaining = () => import('./maintenance-commands.js');

export const group: CommandGroup = {
  parts: {
    archive: { en: 'The archive as a whole', pt: 'A pasta de documentos inteira' },
    settings: { en: 'The capture of a company', pt: 'A captura de uma empresa' },
    maintenance: { en: 'The capture of NFS-e, for support', pt: 'A captura de NFS-e, para suporte' },
  },
  verbs: {
    list: async () => ({ command: (await reading()).list }),
    get: async () => ({ command: (await reading()).get }),
    xml: async () => ({ command: (await reading()).xml }),
    pdf: async () => ({ command: (await reading()).pdf }),
    events: async () => ({ command: (await reading()).events }),
    'fetch-by-key': async () => ({ command: (await syncing()).fetchByKey }),
    sync: async () => ({ command: (await syncing()).sync }),
    outstanding: async () => ({ command: (await syncing()).outstanding }),
    close: async () => ({ command: (await closing()).close }),
    verify: async () => ({ command: (await closing()).verify }),
    'archive copy': async () => ({ command: (await closing()).copy }),
    reconcile: async () => ({ command: (await closing()).reconcile }),
    reprocess: async () => ({ command: (await reading()).reprocess }),
    'settings list': async () => ({ command: (await setting()).listSettings }),
    'settings show': async () => ({ command: (await setting()).showSettings }),
    'settings enable': async () => ({ command: (await setting()).enableSettings }),
    'settings update': async () => ({ command: (await setting()).updateSettings }),
    'settings disable': async () => ({ command: (await setting()).disableSettings }),
    'maintenance fetch-now': async () => ({ command: (await maintaining()).fetchNow }),
    'maintenance notifications': async () => ({ command: (await maintaining()).notifications }),
    'maintenance statistics': async () => ({ command: (await maintaining()).statistics }),
    'maintenance reactivate': async () => ({ command: (await maintaining()).reactivate }),
    'maintenance reset-nsu': async () => ({ command: (await maintaining()).resetNsu }),
  },
};
