import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../io/make-folder.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { MARK_BYTES, markOfReport, reportMark } from '../../report/page.js';
import type { Month } from '../../services/closing/month.js';
import { replaceFile, unwritable } from '../../services/output-file.js';

export const INDEX = 'index.html';

/**
 * Creates the folder, but not in a dry run, and looks at what the reports would replace: reports of the same month and company only, unless everything may be
 * replaced. Errors: `usage.invalid` with the first other file; `store.unwritable`.
 */
export async function prepareFolder(
  folder: string,
  pages: readonly { readonly file: string; readonly companyId?: string }[],
  {
    month,
    overwrite,
    isDryRun,
  }: { readonly month: Month; readonly overwrite: boolean; readonly isDryRun: boolean },
): Promise<void> {
  try {
    if (!isDryRun) await makeFolder(folder);
  } catch (error) {
    throw unwritable(folder, error);
  }
  if (overwrite) return;
  for (const { file, companyId } of pages) {
    const path = join(folder, file);
    const beginning = await beginningOf(path);
    if (beginning !== undefined && markOfReport(beginning) !== reportMark(month.name, companyId))
      throw new FiscalError('usage.invalid', { message: otherFile(path, month) }, { sent: 'no' });
  }
}

function otherFile(path: string, { name }: Month) {
  return {
    en: `${path} exists and is not the report of this company in ${name}: choose another folder, or replace it with --overwrite`,
    pt: `${path} existe e não é o relatório desta empresa em ${name}: escolha outra pasta, ou substitua com --overwrite`,
  };
}

/** `undefined`: there is no such file. */
async function beginningOf(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MARK_BYTES), 0, MARK_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      if (error.code === 'ENOENT') return undefined;
      if (error.code === 'EISDIR') return '';
    }
    throw unwritable(path, error);
  }
}

/** Writes a page in one step. Errors: `store.unwritable`, `store.full`. */
export async function writePage(path: string, text: string, unique: string): Promise<void> {
  await replaceFile(path, text, `${path}.${unique}.tmp`);
}
