import type { ManifestEntry } from '../../archive/manifest.js';
import type { ArchiveWriter } from '../../archive/write.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../context.js';
import { compareGroup, type GroupResult } from './close-compare.js';
import { readMonth, type Month } from './close-month.js';
import { writeProof, type Verdict } from './close-proof.js';
import { withArchive } from './archive-work.js';
import { archiveFolder } from './close-archive.js';
import { companiesOf } from '../companies.js';
import { keepHeapSmall } from '../small-heap.js';

export interface CloseRequest {
  readonly month: string;
  readonly allCompanies: boolean;
  /** Empty: all three. */
  readonly families: readonly InboundFamily[];
  readonly archive: string | undefined;
  /** Of the program: the verdict names it. */
  readonly version: string;
}

/** Sorted, as the manifest is. */
const allFamilies: readonly InboundFamily[] = ['cte', 'nfe', 'nfse'];

/**
 * Closes a month: lists the service again, reads every file again, writes manifest and verdict of each company. Exit 3
 * unless every company is complete; one record per gap, one per company, and a summary.
 * Errors: `usage.invalid_value`, `usage.missing`, `store.*`, those of a call.
 */
export async function closeMonth(context: Context, request: CloseRequest): Promise<Outcome> {
  const month = readMonth(request.month);
  const settings = await context.settings();
  const ids = settings.company?.split(',').map((id) => id.trim()) ?? [];
  const archive = await archiveFolder(context, request.archive);
  const companies = await companiesOf(context, {
    all: request.allCompanies,
    ids: ids.filter((id) => id !== ''),
  });
  keepHeapSmall();
  const records: DataRecord[] = [];
  const verdicts: Verdict[] = [];
  await withArchive(context, { archive, name: 'inbound close' }, async ({ writer }) => {
    for (const [index, company] of companies.entries()) {
      context.progress.report({ label: closing, done: index, total: companies.length });
      const closed = await closeCompany(context, { request, month, archive, writer, company: company.id });
      verdicts.push(closed.verdict);
      records.push(...closed.records);
    }
  });
  const complete = verdicts.every((verdict) => verdict.complete);
  const exitCode = complete ? ExitCode.ok : ExitCode.partial;
  return {
    data: [...records, summaryOf(verdicts, { month, exitCode })],
    exitCode,
    notices: noticesOf(verdicts, month),
  };
}

interface CompanyClosing {
  readonly request: CloseRequest;
  readonly month: Month;
  readonly archive: string;
  readonly writer: ArchiveWriter;
  readonly company: string;
}

async function closeCompany(context: Context, closing: CompanyClosing) {
  const { request, month, company } = closing;
  const { families: narrowedTo, version } = request;
  const proof = { ...closing, narrowedTo, version };
  const { verdict, results, path } = await writeProof(context, proof, compareAll(context, closing));
  const { closedAt, complete, counts, families, manifest } = verdict;
  const { sha256 } = manifest;
  const closed = { type: 'close', month: month.name, company, complete, families, ...counts, closedAt };
  return { verdict, records: [...gaps(results), { ...closed, manifest: path, sha256 }] };
}

/** One family after another, in the order of the manifest: the same archive gives the same one, byte for byte. */
async function* compareAll(
  context: Context,
  { request, month, archive, company }: CompanyClosing,
): AsyncGenerator<ManifestEntry, readonly GroupResult[]> {
  const { space } = await context.settings();
  const wanted = request.families;
  const results: GroupResult[] = [];
  for (const family of allFamilies) {
    if (wanted.length > 0 && !wanted.includes(family)) continue;
    const group = { profile: space, companyId: company, family };
    results.push(yield* compareGroup(context, { group, month, archive }));
  }
  return results;
}

function gaps(results: readonly GroupResult[]): readonly DataRecord[] {
  return results.flatMap(({ group, problems }) =>
    problems.map((problem) => ({
      type: 'gap',
      company: group.companyId,
      family: group.family,
      ...problem,
    })),
  );
}

function summaryOf(
  verdicts: readonly Verdict[],
  { month, exitCode }: { readonly month: Month; readonly exitCode: ExitCode },
): DataRecord {
  const sum = (count: (verdict: Verdict) => number): number =>
    verdicts.reduce((total, verdict) => total + count(verdict), 0);
  return {
    type: 'summary',
    month: month.name,
    companies: verdicts.length,
    complete: verdicts.filter((verdict) => verdict.complete).length,
    listed: sum(({ counts }) => counts.listed),
    archived: sum(({ counts }) => counts.archived),
    problems: sum(({ counts }) => counts.problems),
    exitCode,
  };
}

function noticesOf(verdicts: readonly Verdict[], { name }: Month): readonly Text[] {
  const open = verdicts.filter(({ complete }) => !complete).length;
  if (verdicts.length === 0) {
    return [{ en: 'the account has no company', pt: 'a conta não tem nenhuma empresa' }];
  }
  if (open === 0) return [{ en: `${name} is complete`, pt: `${name} está completo` }];
  return [
    {
      en: `${name} is not complete for ${open} of ${verdicts.length} companies: fetch what is missing with "fiscal inbound sync", then close again`,
      pt: `${name} não está completo em ${open} de ${verdicts.length} empresas: busque o que falta com "fiscal inbound sync" e feche de novo`,
    },
  ];
}

const closing: Text = { en: 'closing companies', pt: 'fechando empresas' };
