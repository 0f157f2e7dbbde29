import type { CommandGroup, Verb } from '../../cli/command.js';
import type { InvoiceModel, MerchandiseModel } from '../../jobs/kinds/invoice-items.js';

const issue = async () => await import('./issue-commands.js');
const read = async () => await import('./read-commands.js');
const change = async () => await import('./change-commands.js');

type Definitions = Readonly<Record<string, Verb>>;

/** `xml` and `pdf`, which each model has. */
function bytes(model: InvoiceModel): Definitions {
  return {
    [`${model} xml`]: async () => ({ command: (await read()).bytesCommand(model, 'xml') }),
    [`${model} pdf`]: async () => ({ command: (await read()).bytesCommand(model, 'pdf') }),
  };
}

function merchandise(model: MerchandiseModel): Definitions {
  return {
    [`${model} issue`]: async () => ({ command: (await issue()).issueCommand(model) }),
    [`${model} get`]: async () => ({ command: (await read()).getCommand(model) }),
    [`${model} list`]: async () => ({ command: (await read()).listCommand(model) }),
    [`${model} cancel`]: async () => ({ command: (await change()).cancelCommand(model) }),
    [`${model} events`]: async () => ({ command: (await read()).eventsCommand(model) }),
    ...bytes(model),
    [`${model} rejection-xml`]: async () => ({ command: (await read()).rejectionCommand(model) }),
    ...(model === 'nfe' && {
      'nfe correct': async () => ({ command: (await change()).correct }),
      'nfe disable-invoice': async () => ({ command: (await change()).disableInvoice }),
      'nfe letter-xml': async () => ({ command: (await read()).letterCommand('xml') }),
      'nfe letter-pdf': async () => ({ command: (await read()).letterCommand('pdf') }),
    }),
    [`${model} disable`]: async () => ({ command: (await change()).disableCommand(model) }),
    [`${model} import`]: async () => ({ command: (await issue()).importCommand(model) }),
  };
}

const service: Definitions = {
  'nfse issue': async () => ({ command: (await issue()).issueCommand('nfse') }),
  'nfse get': async () => ({ command: (await read()).serviceGet }),
  'nfse list': async () => ({ command: (await read()).listCommand('nfse') }),
  'nfse cancel': async () => ({ command: (await change()).cancelCommand('nfse') }),
  'nfse email': async () => ({ command: (await read()).email }),
  ...bytes('nfse'),
  'nfse cancellation-xml': async () => ({ command: (await read()).cancellationXml }),
  'nfse import': async () => ({ command: (await issue()).importCommand('nfse') }),
};

export const group: CommandGroup = {
  parts: {
    nfe: { en: 'NF-e: goods between companies', pt: 'NF-e: venda de mercadorias' },
    nfce: { en: 'NFC-e: goods to consumers', pt: 'NFC-e: venda ao consumidor' },
    nfse: { en: 'NFS-e: services', pt: 'NFS-e: serviços' },
  },
  verbs: {
    create: async () => ({ command: (await issue()).create }),
    get: async () => ({ command: (await read()).getCommand('general') }),
    sync: async () => ({ command: (await import('./sync-commands.js')).sync }),
    ...merchandise('nfe'),
    ...merchandise('nfce'),
    ...service,
  },
};
