import type { Given } from '../../cli/command.js';
import { type ArchiveStorage, type ArchiveWork } from '../../archive/storage.js';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import { directionsOf } from '../../domain/direction.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { keepHeapSmall } from '../../jobs/small-heap.js';
import { withArchive } from '../../services/archive-work.js';
import { archiveFolder, openArchive } from '../../services/archive.js';
import { type Month, readMonth } from '../../services/closing/month.js';
import { withUnproven } from '../../services/closing/unproven.js';
import type { Context } from '../../services/context.js';
import { namedOrAllCompanies } from '../../services/scope/companies.js';
import { companyFileNames } from '../../services/scope/file-names.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import type { packageOfMonth } from './commands.js';
import { type CompanyPackage, packCompany } from './company-package.js';
import { lastNumber } from './handovers.js';
import { countsOf, type PackageMark } from './receipt.js';
import { readTarget, refuseOtherFile, targetPath, topOf } from './target.js';

/**
 * Writes the package of each company and direction. Reads the archive and the store; only `--all-companies` asks the service, for the list of
 * companies. With `sinceLast` a package has what no package before it has, and is remembered in the archive. Exit 3 with one record
 * for each file that is not what it must be. Errors: `usage.*`, `company.none`, `store.*`, `archive.*`, `input.unreadable`, `export.meanwhile`.
 */
export async function exportPackage(context: Context, given: Given<typeof packageOfMonth>): Promise<Outcome> {
  const month = readMonth(given.month);
  const companies = await namedOrAllCompanies(context, given.allCompanies);
  const directions = directionsOf(given.direction);
  const isOne = !given.allCompanies && companies.length === 1 && directions.length === 1;
  const target = await readTarget(context.cwd, given.out, { isOne });
  keepHeapSmall();
  const { dryRun: isDryRun } = await context.settings();
  const archive = await archiveFolder(context, given.archive);
  const pack = async (storage: ArchiveStorage, work?: ArchiveWork): Promise<readonly Written[]> => {
    const names = companyFileNames(companies);
    const plans = await Promise.all(
      companies.flatMap((company, index) =>
        directions.map(async (direction): Promise<Plan> => {
          const place = { storage, month, companyId: company.id, direction };
          const number = given.sinceLast ? (await lastNumber(place)) + 1 : null;
          const mark = { month: month.name, companyId: company.id, direction, number };
          const name = names[index] ?? '';
          return { company, mark, top: topOf(name, mark), path: targetPath(target, name, mark) };
        }),
      ),
    );
    if (!given.overwrite) for (const { path, mark } of plans) await refuseOtherFile(path, mark);
    const written: Written[] = [];
    for (const [index, plan] of plans.entries()) {
      const progress = { label: packing, done: index, total: plans.length };
      context.progress.report(progress);
      const onFile = (done: number, total: number): void =>
        context.progress.report({ ...progress, within: { done, total } });
      written.push({ ...plan, ...(await packCompany(context, { ...plan, storage, work, month, isDryRun, onFile })) });
    }
    context.progress.stop();
    return written;
  };
  const { followLinks, lockWait } = given;
  const written =
    given.sinceLast && !isDryRun
      ? await withArchive(
          context,
          { archive, name: 'export package', followLinks, lockWaitMs: lockWait },
          ({ storage, work }) => pack(storage, work),
        )
      : await pack(await openArchive(context, archive, { followLinks }));
  return outcomeOf(written, month);
}

interface Plan {
  readonly company: AccountCompany;
  readonly mark: PackageMark;
  /** The folder within the zip. */
  readonly top: string;
  readonly path: string;
}

type Written = Plan & CompanyPackage;

function outcomeOf(written: readonly Written[], month: Month): Outcome {
  const states = written.map(stateOf);
  const count = (state: State): number => states.filter((each) => each === state).length;
  const exitCode = count('damaged') === 0 ? ExitCode.ok : ExitCode.partial;
  const counts = { written: count('written'), nothingNew: count('nothing-new'), damaged: count('damaged') };
  const companies = new Set(written.map(({ company }) => company.id)).size;
  const summary = { type: 'summary', month: month.name, companies, ...counts, exitCode };
  return { data: [...written.flatMap(recordsOf), summary], exitCode, notices: noticesOf(written) };
}

type State = 'written' | 'nothing-new' | 'damaged' | 'planned';

function stateOf({ zip, differences, isPlanned }: Written): State {
  if (isPlanned === true) return 'planned';
  if (zip !== undefined) return 'written';
  return differences.length > 0 ? 'damaged' : 'nothing-new';
}

function recordsOf(written: Written): readonly DataRecord[] {
  const { company, mark, close, files, zip, differences, path } = written;
  const { direction } = mark;
  const whose = { direction, companyId: company.id, ...labelOf(company) };
  const { documents, events, pdfs } = countsOf(files).total;
  return [
    ...differences.map(({ kind, path: file, facts }) => ({
      ...{ type: 'difference', ...whose, kind, path: file, ...facts },
    })),
    {
      ...{ type: 'package', month: mark.month, ...whose, state: stateOf(written), number: mark.number },
      ...{ verdict: close.verdict, closedAt: close.closedAt ?? null, documents, events, pdfs },
      ...{ bytes: zip?.bytes ?? null, sha256: zip?.sha256 ?? null, file: zip === undefined ? null : path },
    },
  ];
}

function noticesOf(written: readonly Written[]): readonly Text[] {
  const of = (state: State) => written.filter((each) => stateOf(each) === state);
  const [done, idle, damaged] = [of('written'), of('nothing-new'), of('damaged')];
  const open = done.filter(({ close }) => close.verdict !== 'complete').length;
  const [first] = done;
  return [
    ...(first === undefined ? [] : [writtenNotice(done.length, first.path, open)]),
    ...(written.some(({ isPlanned }) => isPlanned === true) ? [dryNotice] : []),
    ...(idle.length === 0 ? [] : [counted(idle.length, forms.nothingNew)]),
    ...(damaged.length === 0 ? [] : [counted(damaged.length, forms.damaged), ...repairs(damaged)]),
  ];
}

function writtenNotice(count: number, first: string, open: number): Text {
  const packages = counted(count, forms.written);
  return withUnproven({ en: `${packages.en}: ${first}`, pt: `${packages.pt}: ${first}` }, open);
}

const forms = {
  written: {
    en: ['# package is written', '# packages are written, the first as'],
    pt: ['# pacote gravado', '# pacotes gravados, o primeiro em'],
  },
  nothingNew: {
    en: ['nothing is new for # company: no package', 'nothing is new for # companies: no package'],
    pt: ['nada de novo para # empresa: nenhum pacote', 'nada de novo para # empresas: nenhum pacote'],
  },
  damaged: {
    en: [
      'no package for # company: files of the archive are not what they were when they were archived',
      'no package for # companies: files of the archive are not what they were when they were archived',
    ],
    pt: [
      'nenhum pacote para # empresa: há arquivos diferentes dos que foram guardados',
      'nenhum pacote para # empresas: há arquivos diferentes dos que foram guardados',
    ],
  },
} as const;

const dryNotice: Text = {
  en: 'dry run: no package is written, and nothing is remembered',
  pt: 'simulação: nenhum pacote foi gravado, e nada foi registrado',
};

function repairs(damaged: readonly Written[]): readonly Text[] {
  const directions = [...new Set(damaged.map(({ mark }) => mark.direction))];
  return directions.map((direction) => {
    const command = direction === 'issued' ? 'fiscal invoice sync --repair' : 'fiscal inbound sync --repair';
    return { en: `fetch them again: ${command}`, pt: `baixe-os de novo: ${command}` };
  });
}

const packing: Text = { en: 'packing', pt: 'empacotando' };
