import { later } from '../../cli/define.js';
import { writing } from '../../cli/output-bytes.js';
import type { CommandGroup } from '../../cli/command.js';

const issuing = async () => await import('./issue-commands.js');
const reading = async () => await import('./read-commands.js');
const changing = async () => await import('./change-commands.js');
const documents = async () => await import('./documents.js');

export const group: CommandGroup = {
  verbs: {
    issue: later(
      async () => (await issuing()).issue,
      async () => (await import('./issue.js')).issueInvoice,
    ),
    apply: later(
      async () => (await issuing()).apply,
      async () => (await import('./apply.js')).applyInvoices,
    ),
    get: later(
      async () => (await reading()).get,
      async () => (await import('./get.js')).getInvoice,
    ),
    list: later(
      async () => (await reading()).list,
      async () => (await import('./list.js')).listInvoices,
    ),
    cancel: later(
      async () => (await changing()).cancel,
      async () => (await import('./change.js')).cancelInvoice,
    ),
    correct: later(
      async () => (await changing()).correct,
      async () => (await import('./change.js')).correctInvoice,
    ),
    events: later(
      async () => (await reading()).events,
      async () => (await import('./list.js')).listInvoiceEvents,
    ),
    xml: later(
      async () => (await reading()).xml,
      async () => writing('xml', (await documents()).invoiceXml),
    ),
    pdf: later(
      async () => (await reading()).pdf,
      async () => writing('pdf', (await documents()).invoicePdf),
    ),
    disable: later(
      async () => (await changing()).disable,
      async () => (await import('./disable.js')).disableInvoice,
    ),
    email: later(
      async () => (await reading()).email,
      async () => (await documents()).emailInvoice,
    ),
    sync: later(
      async () => (await import('./sync-commands.js')).sync,
      async () => (await import('./sync.js')).syncIssued,
    ),
  },
};
