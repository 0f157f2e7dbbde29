import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import type { Context } from '../../services/context.js';
import { lastSyncedAt, syncLine } from '../../services/documents/facts.js';
import { unsyncedText } from '../../services/documents/unsynced.js';

/** Ids; absent: of all. */
export type Companies = readonly string[] | undefined;

/** What the documents of the store prove. */
export interface StoreEvidence {
  /** False: no sync has run, so the absence of documents proves nothing. */
  readonly isKnown: boolean;
  /** False: no sync has read the lists of some company in the last 24 hours, so that newer documents may be missing. */
  readonly isFresh: boolean;
  readonly notices: readonly Text[];
}

const FRESH_MS = 86_400_000;

/** Whether the store knows the documents of these companies, and how old that is. `unreadable`: so many cannot be judged. */
export async function storeEvidence(
  context: Context,
  companies: Companies,
  unreadable: number,
): Promise<StoreEvidence> {
  const held = await companiesWithDocuments(context, companies);
  const hasRows = held.length > 0;
  // A company whose lists a sync has read may have no document.
  const all = companies ?? (hasRows ? held : await companiesWithCursors(context));
  const { unsynced, stale } = await staleOf(context, all, new Set(held));
  const isKnown =
    companies === undefined ? all.length > 0 : unsynced.length === 0 || (companies.length === 1 && hasRows);
  return {
    isKnown,
    isFresh: stale.length === 0,
    notices: [
      ...(unreadable === 0 ? [] : [cannotBeJudged(unreadable)]),
      ...(isKnown ? [] : [neverSynced(unsynced, await syncLine(context, unsynced))]),
      ...(stale.length === 0 ? [] : [isOld(stale.length, await syncLine(context, stale))]),
    ],
  };
}

/** Those of which an NF-e or NFS-e is kept: one row of each is read. */
async function companiesWithDocuments(context: Context, companies: Companies): Promise<readonly string[]> {
  const { storeNamespace: profile } = await context.settings();
  const { documents } = await context.store();
  const held: string[] = [];
  for (const id of companies ?? (await documents.companies(profile))) {
    const rows = await documents.list({ profile, companies: [id], families: ['nfe', 'nfse'], limit: 1 });
    if (rows.length > 0) held.push(id);
  }
  return held;
}

async function companiesWithCursors(context: Context): Promise<readonly string[]> {
  const { storeNamespace } = await context.settings();
  const { overview } = await context.store();
  return [...new Set((await overview.cursors(storeNamespace)).map(({ companyId }) => companyId))];
}

/** A company is stale when documents of it are known, or lists were read, and no sync has read them in the last 24 hours. */
async function staleOf(context: Context, companies: readonly string[], held: ReadonlySet<string>) {
  const unsynced: string[] = [];
  const stale: string[] = [];
  for (const id of companies) {
    const at = await lastSyncedAt(context, id);
    if (at === undefined && !held.has(id)) unsynced.push(id);
    else if (at === undefined || context.clock.now() - at > FRESH_MS) stale.push(id);
  }
  return { unsynced, stale };
}

function cannotBeJudged(count: number): Text {
  return counted(count, {
    en: [
      '# document of the store lacks required fields and is left out',
      '# documents of the store lack required fields and are left out',
    ],
    pt: [
      '# documento do estado local não tem o necessário para a análise e fica de fora',
      '# documentos do estado local não têm o necessário para a análise e ficam de fora',
    ],
  });
}

function neverSynced(companies: readonly string[], sync: string): Text {
  const { en, pt } = unsyncedText(companies, sync);
  return { en: `${en}, or give --input`, pt: `${pt}, ou informe --input` };
}

function isOld(count: number, sync: string): Text {
  return {
    en: `companies whose documents no sync has read in the last 24 hours, so newer ones may be missing: ${count}; continue with ${sync}`,
    pt: `empresas cujos documentos nenhuma sincronização leu nas últimas 24 horas, de modo que podem faltar mais novos: ${count}; continue com ${sync}`,
  };
}
