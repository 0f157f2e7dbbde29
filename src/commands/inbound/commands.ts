import { later } from '../../cli/define.js';
import { writing } from '../../cli/output-bytes.js';
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
    list: later(
      async () => (await reading()).list,
      async () => (await import('./list.js')).listInbound,
    ),
    get: later(
      async () => (await reading()).get,
      async () => (await import('./document.js')).showDocument,
    ),
    xml: later(
      async () => (await reading()).xml,
      async () => writing('xml', (await import('./document.js')).readXml),
    ),
    pdf: later(
      async () => (await reading()).pdf,
      async () => writing('pdf', (await import('./archived-pdf.js')).documentPdf),
    ),
    events: later(
      async () => (await reading()).events,
      async () => (await import('./document.js')).showEvents,
    ),
    'fetch-by-key': later(
      async () => (await syncing()).fetchByKey,
      async () => (await import('./fetch-by-key.js')).fetchDocuments,
    ),
    sync: later(
      async () => (await syncing()).sync,
      async () => (await import('./sync.js')).syncInbound,
    ),
    outstanding: later(
      async () => (await syncing()).outstanding,
      async () => (await import('./outstanding.js')).outstandingDocuments,
    ),
    close: later(
      async () => (await closing()).close,
      async () => (await import('./close.js')).closeMonth,
    ),
    verify: later(
      async () => (await closing()).verify,
      async () => (await import('./verify.js')).verifyArchive,
    ),
    'archive copy': later(
      async () => (await closing()).copy,
      async () => (await import('./copy-archive.js')).copyArchive,
    ),
    reconcile: later(
      async () => (await closing()).reconcile,
      async () => (await import('./reconcile.js')).reconcile,
    ),
    reprocess: later(
      async () => (await reading()).reprocess,
      async () => (await import('./document.js')).reprocessDocument,
    ),
    'capture show': later(
      async () => (await capturing()).show,
      async ({ notices }) =>
        notices
          ? (await import('./capture-maintenance.js')).captureNotices
          : (await import('./capture-show.js')).showCapture,
    ),
    'capture enable': later(
      async () => (await capturing()).enable,
      async () => (await import('./capture-change.js')).enableInbound,
    ),
    'capture update': later(
      async () => (await capturing()).update,
      async () => (await import('./capture-change.js')).updateInbound,
    ),
    'capture disable': later(
      async () => (await capturing()).disable,
      async () => (await import('./capture-change.js')).disableInbound,
    ),
    'capture run': later(
      async () => (await capturing()).run,
      async () => (await import('./capture-maintenance.js')).fetchNow,
    ),
    'capture reactivate': later(
      async () => (await capturing()).reactivate,
      async () => (await import('./capture-maintenance.js')).reactivate,
    ),
    'capture reset-nsu': later(
      async () => (await capturing()).resetNsu,
      async () => (await import('./capture-maintenance.js')).resetNsu,
    ),
  },
};
