import { pdfPath } from '../../archive/layout.js';
import { isBucketAddress } from '../../archive/location.js';
import type { ArchiveStorage } from '../../archive/storage.js';
import type { Given } from '../../cli/command.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import { type BytesOutcome, downloadBytes } from '../../services/calls/read-bytes.js';
import { openArchive } from '../../services/archive.js';
import { companyOf } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import type { ArchivedFile, DocumentRow } from '../../store/documents.js';
import { nameDocument, readPdf } from './document.js';
import type { pdf } from './read-commands.js';
import { withArchive } from '../../services/archive-work.js';

type Archived = DocumentRow & { readonly archive: string; readonly path: string };

/**
 * The PDF of a document. On a terminal and for the screen, that of an archived one, beside its XML: the file that is there, else one that is fetched now and that `verify` and
 * `close` know from then on. Errors: `usage.missing` for a document that is not in the archive, `usage.invalid` for a PDF that
 * is not the one that was stored.
 */
export async function documentPdf(context: Context, given: Given<typeof pdf>, io: Io): Promise<BytesOutcome> {
  if (given.out !== undefined || !(given.open || io.stdout.isTerminal)) return await readPdf(context, given);
  const companyId = await companyOf(context);
  const { family, key } = nameDocument(given.key, given.type);
  const { storeNamespace: profile, dryRun } = await context.settings();
  if (dryRun) return await readPdf(context, given);
  const group = { profile, companyId, family };
  const row = await (await context.store()).documents.get(group, key);
  if (!isArchived(row)) throw notArchived();
  if (given.open && isBucketAddress(row.archive)) throw notOpened();
  const storage = await openArchive(context, row.archive);
  const { path, bytes, sha256 } = (await standingPdf(storage, row)) ?? (await fetchPdf(context, row, given.timeout));
  return { data: { path: storage.nameOf(path), bytes, sha256 } };
}

function isArchived(row: DocumentRow | undefined): row is Archived {
  return row?.state === 'archived' && row.archive !== undefined && row.path !== undefined;
}

/** The PDF as it was stored. A changed one is neither opened nor overwritten. */
async function standingPdf(storage: ArchiveStorage, row: Archived): Promise<ArchivedFile | undefined> {
  const { pdfState, pdfPath: path, pdfSha256: sha256, pdfBytes: bytes } = row;
  if (pdfState !== 'archived' || path === undefined || sha256 === undefined || bytes === undefined) return undefined;
  const found = await storage.digest(path);
  if (found === undefined) return undefined;
  if (found.sha256 !== sha256) throw changed(storage.nameOf(path));
  return { path, sha256, bytes };
}

async function fetchPdf(context: Context, row: Archived, timeout: number): Promise<ArchivedFile> {
  const { archive, path, companyId, family, id: key } = row;
  const wanted = { archive, name: 'inbound pdf', followLinks: false };
  return await withArchive(context, wanted, async ({ work }) => {
    const draft = work.draft();
    const common = { what: { en: 'PDF', pt: 'PDF' }, key, out: undefined, timeout };
    try {
      if (family === 'nfse') {
        const input = { path: { companyId, idOrAccessKey: key } };
        await downloadBytes(context, { operation: 'nfse.inbound.pdf', input, ...common }, draft);
      } else {
        const input = { path: { companyId, accessKey: key } };
        await downloadBytes(context, { operation: `${family}.inbound.pdf`, input, ...common }, draft);
      }
      const pdf = await draft.commit(pdfPath(path.replace(/\.xml$/, '')), row.pdfSha256);
      await remember(context, row, pdf);
      return pdf;
    } finally {
      await draft.discard();
    }
  });
}

/** Of an archived document only the PDF can still be due: with it, nothing is. */
async function remember(context: Context, row: Archived, pdf: ArchivedFile): Promise<void> {
  const { documents } = await context.store();
  const patch = { state: 'archived', due: false, pdfState: 'archived', pdf } as const;
  const reason = row.pdfState === 'wanted' ? { reason: null } : {};
  const end = { row, patch: { ...patch, ...reason }, at: context.clock.now() };
  if ((await documents.finish([end])) === 0) throw changedMeanwhile();
}

function notArchived(): FiscalError {
  return new FiscalError(
    'usage.missing',
    { names: '--out <file>' },
    {
      sent: 'no',
      hint: {
        en: 'without --out the PDF is stored beside the XML, and the archive does not have this document: fiscal inbound sync',
        pt: 'sem --out o PDF é gravado ao lado do XML, e este documento não está na pasta de documentos: fiscal inbound sync',
      },
    },
  );
}

function notOpened(): FiscalError {
  const message = {
    en: 'a PDF in a bucket cannot be opened: name a file as well, with --out <file> --open',
    pt: 'um PDF que fica em um bucket não pode ser aberto: informe também um arquivo, com --out <arquivo> --open',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function changed(path: string): FiscalError {
  const message = {
    en: `${path} is not the PDF that was stored: it was changed`,
    pt: `${path} não é o PDF que foi gravado: ele foi alterado`,
  };
  const hint = {
    en: 'to fetch it again: fiscal inbound sync --repair',
    pt: 'para baixá-lo de novo: fiscal inbound sync --repair',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no', hint });
}

/** The file stays where the next try writes it again. */
function changedMeanwhile(): FiscalError {
  const message = {
    en: 'the document changed at the service while its PDF was fetched: run the command again after fiscal inbound sync',
    pt: 'o documento mudou no serviço enquanto o PDF era baixado: execute o comando de novo depois de fiscal inbound sync',
  };
  return new FiscalError('usage.invalid', { message });
}
