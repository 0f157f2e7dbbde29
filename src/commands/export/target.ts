import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../io/make-folder.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { beginningOf, unwritable } from '../../io/output-file.js';
import { markText, type PackageMark } from './receipt.js';

/** Where packages go: a folder, or one file. */
export interface Target {
  readonly folder: string;
  /** Absent: each package has a name of its own. */
  readonly file?: string;
}

/** Reads `--out`, and creates the folder. Errors: `usage.missing`, `usage.invalid_value` for one file and several companies, `store.unwritable`. */
export async function readTarget(
  cwd: string,
  out: string | undefined,
  { isOne }: { readonly isOne: boolean },
): Promise<Target> {
  if (out === undefined) throw new FiscalError('usage.missing', { names: '--out <file>' }, { sent: 'no' });
  const path = resolve(cwd, out);
  const isFile = out.toLowerCase().endsWith('.zip') && !(await isFolder(path));
  if (isFile && !isOne) throw invalidValue('--out', out, aFolder);
  const folder = isFile ? dirname(path) : path;
  try {
    makeFolder(folder);
  } catch (error) {
    throw unwritable(folder, error);
  }
  return isFile ? { folder, file: basename(path) } : { folder };
}

const aFolder = {
  en: 'a folder is expected, because each company and direction has a file of its own',
  pt: 'espera-se uma pasta, porque cada empresa e direção tem o seu arquivo',
};

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The file of a package: named by CNPJ, month, direction and, from the second package on, its number. */
export function targetPath({ folder, file }: Target, name: string, mark: PackageMark): string {
  return join(folder, file ?? `${topOf(name, mark)}${numberPart(mark.number)}.zip`);
}

/** The folder within the zip. Packages of received documents do not name their direction. */
export function topOf(name: string, { month, direction }: PackageMark): string {
  return `${name}-${month}${direction === 'issued' ? '-issued' : ''}`;
}

/** From the second package on, so that the files of several packages of a month stand beside each other. */
export function numberPart(number: number | null): string {
  return number === null || number === 1 ? '' : `-${number}`;
}

/** Looks at what a package would replace: only a package of the same company, month, direction and number. Errors: `usage.invalid`, `store.unwritable`. */
export async function refuseOtherFile(path: string, mark: PackageMark): Promise<void> {
  const beginning = await beginningOf(path, LONGEST_MARK);
  if (beginning === undefined || isOfPackage(beginning, mark)) return;
  const message = {
    en: `${path} exists and is not this package: choose another name, or replace it with --overwrite`,
    pt: `${path} existe e não é este pacote: escolha outro nome, ou substitua com --overwrite`,
  };
  throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

/** The receipt is the first entry, as it is. */
function isOfPackage(beginning: Buffer, mark: PackageMark): boolean {
  return beginning.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004')) && beginning.includes(`${markText(mark)},`);
}

const LONGEST_MARK = 2048;
