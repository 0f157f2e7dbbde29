import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasonWords } from '../../errors/reasons.js';
import { isWorkedThrough, type JobResult, type PlannedItem } from '../../jobs/engine.js';
import type { Context } from '../context.js';
import { type ErrorSheet, writeErrorSheet } from './error-sheet.js';
import { type ImportInput, type ImportRecord, isInvalid, type Validated } from './import-input.js';

interface Refused<Valid> {
  readonly input: ImportInput<Valid>;
  readonly found: Validated<Valid>;
  /** `--dry-run` writes nothing. */
  readonly isWritten: boolean;
}

/** The error of a file with invalid records, of which nothing was sent; its hint names the sheet that holds them. */
export async function withErrorSheet<Valid>(
  context: Context,
  { input, found, isWritten }: Refused<Valid>,
): Promise<FiscalError> {
  const error = found.problems.error(input.name);
  if (!isWritten) return error;
  const written = await tryToWrite(async () =>
    writeErrorSheet(context, {
      ...{ input, digest: found.digest },
      reasonOf: async (record) => invalidReason(context, record),
    }),
  );
  if (written === undefined) return error;
  if ('problem' in written) return error.with({ hint: written.problem });
  const { file } = written;
  const rows = inSheet(written);
  const mended = await mendedCommand(context, file);
  if (found.valid === 0)
    return error.with({
      hint: { en: `${rows.en}; mend it, then: ${mended}`, pt: `${rows.pt}; corrija-o e depois: ${mended}` },
    });
  const others = await context.goOn.again({ file: input.file ?? '', without: [], flags: ['--skip-invalid'] });
  return error.with({
    hint: {
      en: `${rows.en}; send the others: ${others}; mend the file, then: ${mended}`,
      pt: `${rows.pt}; para enviar as demais: ${others}; corrija o arquivo e depois: ${mended}`,
    },
  });
}

/** What an import knows of its rows. */
interface Rows<Valid, Input> {
  readonly input: ImportInput<Valid>;
  item(record: Valid): Promise<PlannedItem<Input> | { readonly skipped: Text }>;
  variantOf?(input: Input): string;
  readonly notForMended?: readonly string[];
}

interface Ended<Valid, Input> {
  readonly definition: Rows<Valid, Input>;
  readonly found: Validated<Valid>;
  readonly result: JobResult;
}

/**
 * Writes the rows that were left out, failed or were rejected, and says where. A row whose outcome is unknown is not among
 * them: sent again, it could take effect twice.
 */
export async function failedSheet<Valid, Input>(
  context: Context,
  { definition, found, result }: Ended<Valid, Input>,
): Promise<readonly Text[]> {
  const { job, counts, stopped } = result;
  if (!isWorkedThrough(stopped) || counts.failed + counts.rejected + found.problems.lines === 0) return [];
  const nameOf = ({ dedupeKey, input }: Pick<PlannedItem<Input>, 'dedupeKey' | 'input'>): string =>
    `${dedupeKey} ${definition.variantOf?.(input) ?? ''}`;
  const reasons = new Map<string, string>();
  for await (const item of (await context.jobs()).items(job.id)) {
    const { state, dedupeKey, reason, errorCode } = item;
    if (state !== 'failed' && state !== 'rejected') continue;
    // The row was written by a kind with this input.
    reasons.set(
      nameOf({ dedupeKey, input: item.input as Input }),
      reason === undefined ? (errorCode ?? state) : reasonWords(reason)[context.language],
    );
  }
  const sheet = await tryToWrite(async () =>
    writeErrorSheet(context, {
      ...{ input: definition.input, digest: found.digest },
      async reasonOf(record) {
        if (isInvalid(record)) return invalidReason(context, record);
        if (reasons.size === 0) return undefined;
        const item = await definition.item(record);
        if ('skipped' in item) return undefined;
        const name = nameOf(item);
        const reason = reasons.get(name);
        // A row that repeats it was not sent.
        reasons.delete(name);
        return reason;
      },
    }),
  );
  if (sheet === undefined) return [];
  if ('problem' in sheet) return [sheet.problem];
  const without = counts.rejected > 0 ? definition.notForMended : [];
  return [await mendText(context, sheet, { without, uncertain: counts.uncertain > 0 ? job.id : undefined })];
}

interface FailedLines<Valid> {
  readonly input: ImportInput<Valid>;
  readonly found: Validated<Valid>;
  /** By the line of this run. */
  readonly reasons: ReadonlyMap<number, string>;
  readonly uncertain: string | undefined;
}

/** The same for work that is no import: its failed rows are known by their lines. */
export async function failedLinesSheet<Valid extends { readonly line: number }>(
  context: Context,
  { input, found, reasons, uncertain }: FailedLines<Valid>,
): Promise<readonly Text[]> {
  if (reasons.size + found.problems.lines === 0) return [];
  const sheet = await tryToWrite(async () =>
    writeErrorSheet(context, {
      ...{ input, digest: found.digest },
      reasonOf: async (record) => invalidReason(context, record) ?? reasons.get(record.line),
    }),
  );
  if (sheet === undefined) return [];
  return 'problem' in sheet ? [sheet.problem] : [await mendText(context, sheet, { uncertain })];
}

interface Mending {
  readonly without?: readonly string[] | undefined;
  /** The job with items whose outcome is unknown. */
  readonly uncertain: string | undefined;
}

/** Where the failed rows are, and how they are imported once they are mended. */
async function mendText(context: Context, sheet: ErrorSheet, { without, uncertain }: Mending): Promise<Text> {
  const mended = await mendedCommand(context, sheet.file, without);
  const rows = inSheet(sheet);
  const unknown = uncertain === undefined ? { en: '', pt: '' } : withoutUnknown(uncertain);
  return {
    en: `${rows.en}${unknown.en}; mend it, then: ${mended}`,
    pt: `${rows.pt}${unknown.pt}; corrija-o e depois: ${mended}`,
  };
}

/** A sheet of errors is UTF-8, and has one sheet. */
async function mendedCommand(context: Context, file: string, others: readonly string[] = []): Promise<string> {
  const without = ['encoding', 'sheet', 'format', 'skipInvalid', ...others];
  return context.goOn.again({ file, without, flags: [] });
}

function inSheet({ file, rows }: ErrorSheet): Text {
  return {
    en: `${counted(rows, { en: ['# row', '# rows'], pt: ['', ''] }).en} with the reason of each ${rows === 1 ? 'is' : 'are'} in ${file}`,
    pt: `${counted(rows, { en: ['', ''], pt: ['# linha', '# linhas'] }).pt} com o motivo de cada uma ${rows === 1 ? 'está' : 'estão'} em ${file}`,
  };
}

function withoutUnknown(jobId: string): Text {
  return {
    en: `, without those whose outcome is unknown (fiscal job items ${jobId} --state uncertain)`,
    pt: `, sem aquelas cujo resultado não é conhecido (fiscal job items ${jobId} --state uncertain)`,
  };
}

function invalidReason<Valid>({ language }: Context, record: ImportRecord<Valid>): string | undefined {
  if (!isInvalid(record)) return undefined;
  return record.problems.map(({ field, message }) => `${field} ${message[language]}`.trim()).join('; ');
}

/** The outcome of the work counts: a sheet that cannot be written is only said. */
async function tryToWrite(
  write: () => Promise<ErrorSheet | undefined>,
): Promise<ErrorSheet | { readonly problem: Text } | undefined> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const { en, pt } = error.text;
    return {
      problem: { en: `the sheet of errors was not written: ${en}`, pt: `a planilha de erros não foi gravada: ${pt}` },
    };
  }
}
