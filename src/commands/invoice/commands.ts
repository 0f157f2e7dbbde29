import type { CommandGroup } from '../../cli/command.js';

const issued = async () => (await import('./issue-commands.js')).verbs;
const read = async () => (await import('./read-commands.js')).verbs;
const change = async () => (await import('./change-commands.js')).verbs;

export const group: CommandGroup = {
  verbs: {
    issue: async () => ({ command: (await issued()).issue }),
    apply: async () => ({ command: (await issued()).apply }),
    get: async () => ({ command: (await read()).get }),
    list: async () => ({ command: (await read()).list }),
    cancel: async () => ({ command: (await change()).cancel }),
    correct: async () => ({ command: (await change()).correct }),
    events: async () => ({ command: (await read()).events }),
    xml: async () => ({ command: (await read()).xml }),
    pdf: async () => ({ command: (await read()).pdf }),
    disable: async () => ({ command: (await change()).disable }),
    email: async () => ({ command: (await read()).email }),
    sync: async () => ({ command: (await import('./sync-commands.js')).command }),
  },
};
