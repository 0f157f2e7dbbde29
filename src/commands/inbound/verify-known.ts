import { posix } from 'node:path';
import type { InboundFamily } from '../../contract/inbound.js';
import { filesOf } from '../../archive/manifest.js';
import { readManifest } from '../../archive/manifest-file.js';
import type { DocumentGroup } from '../../store/documents.js';
import type { Context } from '../../services/context.js';

const families: readonly InboundFamily[] = ['nfe', 'cte', 'nfse'];

/**
 * Whether a file that one manifest does not name belongs to the archive all the same: it stands in another manifest, or the
 * store remembers having written it (a later arrival). Other manifests are read when the first such file turns up.
 */
export class KnownFiles {
  private others: Promise<ReadonlySet<string>> | undefined;
  private companies: Promise<readonly string[]> | undefined;

  constructor(
    private readonly context: Context,
    private readonly manifests: readonly string[],
  ) {}

  async has(path: string): Promise<boolean> {
    this.others ??= namedIn(this.manifests);
    return (await this.others).has(path) || (await this.isInStore(path));
  }

  private async isInStore(path: string): Promise<boolean> {
    const { space } = await this.context.settings();
    const store = await this.context.store();
    this.companies ??= store.documents.companies(space);
    const [id = ''] = posix.basename(path).split('.');
    for (const companyId of await this.companies) {
      for (const family of families) {
        if (await this.isOf({ profile: space, companyId, family }, id, path)) return true;
      }
    }
    return false;
  }

  private async isOf(group: DocumentGroup, id: string, path: string): Promise<boolean> {
    const store = await this.context.store();
    const row = await store.documents.get(group, id);
    if (row === undefined) return false;
    if (row.path === path || row.pdfPath === path) return true;
    return (await store.events.of(group, id)).some((event) => event.path === path);
  }
}

async function namedIn(manifests: readonly string[]): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const manifest of manifests) {
    for await (const entry of readManifest(manifest)) {
      for (const { path } of filesOf(entry)) named.add(path);
    }
  }
  return named;
}
