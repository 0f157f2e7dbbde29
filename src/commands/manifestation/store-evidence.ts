import type { Text } from '../../contract/text.js';
import type { InboundFamily } from '../../contract/inbound.js';
import { counted } from '../../domain/counted.js';
import type { Context } from '../../services/context.js';
import { Activity, isStale } from '../../services/company/activity.js';
import { syncLine } from '../../services/documents/facts.js';
import { unsyncedText } from '../../services/documents/unsynced.js';
import { companiesHere } from '../../services/scope/here.js';

/** Ids; absent: of all. */
export type Companies = readonly string[] | undefined;

/** What the documents of the store prove. */
export interface StoreEvidence {
  /** False: no sync has run, so the absence of documents proves nothing. */
  readonly isKnown: boolean;
  /**
   * False: no sync has read the lists of some company to their end in the last 24 hours, so that newer documents may be missing; or
   * a document cannot be judged.
   */
  readonly isFresh: boolean;
  readonly notices: readonly Text[];
}

interface EvidenceRequest {
  readonly companies: Companies;
  /** Those whose documents are judged. */
  readonly families: readonly InboundFamily[];
  /** So many documents cannot be judged. */
  readonly unreadable: number;
}

/** Whether the store knows the documents of these companies, and how old that is. */
export async function storeEvidence(
  context: Context,
  { companies, families, unreadable }: EvidenceRequest,
): Promise<StoreEvidence> {
  const { storeNamespace: profile } = await context.settings();
  const store = await context.store();
  const all = companies ?? (await companiesHere(context)).map(({ id }) => id);
  const activity = await Activity.read(store, profile, all);
  const held = new Set(await store.documents.companies(profile));
  const unsynced: string[] = [];
  const stale: string[] = [];
  for (const id of all) {
    const basis = activity.basisOf(id, families);
    if ('at' in basis) {
      if (isStale(basis, context.clock.now())) stale.push(id);
    } else if (basis.doubt === 'never_synced' && !held.has(id)) unsynced.push(id);
    else if (basis.doubt !== 'not_captured') stale.push(id);
  }
  const isKnown = all.length > 0 && unsynced.length === 0;
  return {
    isKnown,
    isFresh: stale.length === 0 && unreadable === 0,
    notices: [
      ...(unreadable === 0 ? [] : [cannotBeJudged(unreadable)]),
      ...(isKnown ? [] : [neverSynced(unsynced, await syncLine(context, unsynced))]),
      ...(stale.length === 0 ? [] : [isOld(stale.length, await syncLine(context, stale))]),
    ],
  };
}

function cannotBeJudged(count: number): Text {
  return counted(count, {
    en: [
      '# document of the store lacks what a term is computed from, such as its date, and is left out',
      '# documents of the store lack what a term is computed from, such as their date, and are left out',
    ],
    pt: [
      '# documento do estado local não tem o que forma o prazo, como a data, e fica de fora',
      '# documentos do estado local não têm o que forma o prazo, como a data, e ficam de fora',
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
