import { safeName } from '../../archive/layout.js';
import { boundedLines, draftLines } from '../../archive/manifest.js';
import type { ArchiveStorage, ArchiveWork } from '../../archive/storage.js';
import type { Text } from '../../contract/text.js';
import type { Direction } from '../../domain/direction.js';
import { parseForeignJson } from '../../domain/json-numbers.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Month } from '../../services/closing/month.js';
import type { PackedFile } from './contents.js';
import type { ZipDraft } from './zip.js';

/** In the archive: what was handed over, so that every machine knows it, and a copy of the archive has it. */
const HANDOVERS = 'handovers';

/** The verdict of a close and the hash of its manifest, which are news when they differ. */
export interface HandedProof {
  readonly verdict: string;
  readonly manifest: string | null;
}

/** A package that was handed over. */
export interface Handover {
  readonly number: number;
  /** Of the zip. */
  readonly sha256: string;
  readonly proof: HandedProof;
}

export interface Handovers {
  readonly last: Handover | undefined;
  /** The hash of each file that a package had, by its path. */
  readonly files: ReadonlyMap<string, string>;
}

interface Place {
  readonly storage: ArchiveStorage;
  readonly month: Month;
  readonly companyId: string;
  readonly direction: Direction;
}

function folderOf({ month, companyId, direction }: Omit<Place, 'storage'>): string {
  const side = direction === 'issued' ? [direction] : [];
  return [HANDOVERS, month.name, safeName(companyId), ...side].join('/');
}

/** The number of the last package; 0: none. */
export async function lastNumber(place: Place): Promise<number> {
  return Math.max(0, ...(await numbersAt(place)));
}

async function numbersAt({ storage, ...place }: Place): Promise<readonly number[]> {
  const folder = folderOf(place);
  await storage.refuseLink(`${folder}/1.jsonl`);
  const names = await storage.filesIn(folder);
  return names
    .flatMap((name) => /^([1-9]\d{0,8})\.jsonl$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}

/**
 * What was handed over of a month. A record that cannot be read ends the run: to take it for nothing would leave out no document, but
 * give packages a wrong number. Errors: `input.unreadable`.
 */
export async function readHandovers(place: Place): Promise<Handovers> {
  const files = new Map<string, string>();
  let last: Handover | undefined;
  for (const number of await numbersAt(place)) {
    const path = `${folderOf(place)}/${number}.jsonl`;
    let isFirst = true;
    for await (const line of boundedLines(place.storage.read(path))) {
      const record = line === undefined ? undefined : parsed(line);
      if (isFirst) last = handoverOf(record, number);
      else addFile(files, record, place.storage.nameOf(path));
      if (last?.number !== number) throw unreadable(place.storage.nameOf(path));
      isFirst = false;
    }
    if (isFirst) throw unreadable(place.storage.nameOf(path));
  }
  return { last, files };
}

function handoverOf(record: unknown, number: number): Handover | undefined {
  const [sha256, proof] = [fieldOf(record, 'sha256'), fieldOf(record, 'proof')];
  const [verdict, manifest] = [fieldOf(proof, 'verdict'), fieldOf(proof, 'manifest')];
  if (!isHash(sha256) || typeof verdict !== 'string' || !(manifest === null || isHash(manifest))) return undefined;
  return { number, sha256, proof: { verdict, manifest } };
}

function addFile(files: Map<string, string>, record: unknown, name: string): void {
  const [path, sha256] = [fieldOf(record, 'path'), fieldOf(record, 'sha256')];
  if (typeof path !== 'string' || !isHash(sha256)) throw unreadable(name);
  files.set(path, sha256);
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function parsed(line: string): unknown {
  try {
    const value = parseForeignJson(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(path: string): FiscalError {
  return new FiscalError('input.unreadable', { path, reason: noRecord }, { sent: 'no' });
}

const noRecord: Text = {
  en: 'it is no record of what was handed over; move it away, and the package has everything again',
  pt: 'não é um registro do que foi entregue; mova-o para outro lugar, e o pacote volta a ter tudo',
};

/** What a package adds to those before it. */
export interface NewPackage extends Handover {
  readonly files: readonly PackedFile[];
}

/**
 * Remembers a package in the moment in which its zip gets its name, so that a run that ends in between hands it over again. Error:
 * `export.meanwhile` when another run was faster, and then the zip gets no name.
 */
export async function rememberHandover(
  place: Place & { readonly work: ArchiveWork; readonly company: string },
  { number, sha256, proof, files }: NewPackage,
  zip: ZipDraft,
): Promise<void> {
  const { work, month, company, direction } = place;
  const folder = folderOf(place);
  const side = direction === 'issued' ? { direction } : {};
  const head = { type: 'handover', month: month.name, ...side, company: place.companyId, number, sha256, proof };
  const lines = [head, ...files.map((file) => ({ path: file.path, sha256: file.sha256 }))];
  const draft = await draftLines(
    work,
    lines.map((line) => `${JSON.stringify(line)}\n`),
  );
  try {
    await work.exclusively(folder.replaceAll('/', '~'), async () => {
      if ((await lastNumber(place)) !== number - 1)
        throw new FiscalError('export.meanwhile', { month: month.name, company }, { sent: 'no' });
      await zip.place();
      await draft.commit(`${folder}/${number}.jsonl`);
    });
  } finally {
    await draft.discard();
  }
}
