import { join, resolve } from 'node:path';
import { allFiles } from '../../archive/folder/all-files.js';
import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { fileFault, readWholeFile } from '../../io/input-file.js';
import type { Context } from '../../services/context.js';
import { askSandbox, type ControlAnswer, withSandbox } from './attach.js';
import type { seed } from './data-commands.js';

const mostBytes = 16 * 1024 * 1024;
const mostFiles = 200_000;
/** What goes into one request. */
const batch = { files: 500, bytes: 4 * 1024 * 1024 };
const timeoutMs = 120_000;

/**
 * Gives the XML files of a folder and of those below it to the sandbox, in the order of their names. Returns the files that it
 * refused, with the counts. Errors: `input.*` for the folder, `usage.invalid` for one without XML, those of `askSandbox`.
 */
export async function seedFromFolder(
  context: Context,
  { from: folder = '' }: Pick<Given<typeof seed>, 'from'>,
): Promise<Outcome> {
  // Its id or CNPJ; without it, the companies whose tax number is in the XML.
  const company = context.flags['company'];
  const tally = new Tally();
  const paths = await xmlFiles(resolve(context.cwd, folder), tally);
  if (paths.length + tally.refusedCount === 0) throw noXml(folder);
  await withSandbox(context, async (url) => {
    const give = async (names: readonly string[], isLast: boolean): Promise<readonly string[]> => {
      const early: string[] = [];
      for await (const files of batches(resolve(context.cwd, folder), names, tally)) {
        const body = { files, company };
        const answer = await askSandbox({ url, method: 'POST', path: 'files', body, timeoutMs });
        for (const results of byFile(answer)) {
          if (!isLast && results.every((result) => result['isEarly'] === true))
            early.push(...results.slice(0, 1).map(({ file }) => String(file)));
          else tally.take(results);
        }
        context.progress.report({ label: giving, done: tally.done, total: paths.length });
      }
      return early;
    };
    // The note of an event may be in a later file.
    const early = await give(paths, false);
    if (early.length > 0) await give(early, true);
  });
  context.progress.stop();
  return tally.outcome(folder);
}

async function xmlFiles(folder: string, tally: Tally): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { path, problem } of allFiles(folder)) {
    if (!/\.xml$/i.test(path)) tally.others += 1;
    else if (problem === undefined) paths.push(path);
    else tally.refuse(path, problem === 'link' ? isLink : isUnusable);
    if (paths.length > mostFiles) throw tooMany(folder);
  }
  return paths.sort();
}

interface ReadFile {
  readonly name: string;
  /** In base64. */
  readonly content: string;
}

async function* batches(folder: string, names: readonly string[], tally: Tally): AsyncGenerator<readonly ReadFile[]> {
  let files: ReadFile[] = [];
  let size = 0;
  for (const name of names) {
    const bytes = await read(join(folder, name), (reason) => tally.refuse(name, reason));
    if (bytes === undefined) continue;
    if (files.length === batch.files || (files.length > 0 && size + bytes.length > batch.bytes)) {
      yield files;
      [files, size] = [[], 0];
    }
    files.push({ name, content: bytes.toString('base64') });
    size += bytes.length;
  }
  if (files.length > 0) yield files;
}

/** `undefined`: it cannot be read, and the reason was said. */
async function read(path: string, refuse: (reason: Text) => void): Promise<Buffer | undefined> {
  try {
    return await readWholeFile(path, { mostBytes });
  } catch (error) {
    const fault = fileFault(error);
    if (fault === undefined) throw error;
    refuse(typeof fault === 'string' ? cannotBeRead(fault) : fault);
    return undefined;
  }
}

/** A file has one result for each company that it concerns. */
function byFile({ files }: ControlAnswer): Iterable<readonly ControlAnswer[]> {
  const results = new Map<unknown, ControlAnswer[]>();
  for (const result of (Array.isArray(files) ? files : []).filter(isRecord))
    results.set(result['file'], [...(results.get(result['file']) ?? []), result]);
  return results.values();
}

class Tally {
  readonly #refused: DataRecord[] = [];
  readonly #files = { added: 0, known: 0 };
  readonly #documents = { notes: 0, issued: 0, summaries: 0, events: 0, hidden: 0 };
  others = 0;

  get refusedCount(): number {
    return this.#refused.length;
  }

  get done(): number {
    return this.#files.added + this.#files.known + this.#refused.length;
  }

  refuse(file: string, reason: unknown, facts: ControlAnswer = {}): void {
    this.#refused.push({ type: 'refused', file, ...facts, reason });
  }

  /** The results of one file. */
  take(results: readonly ControlAnswer[]): void {
    const refused = results.find(({ outcome }) => outcome === 'refused');
    const added = results.filter(({ outcome }) => outcome === 'added');
    for (const result of added) this.#count(result);
    if (refused !== undefined) {
      const { file, accessKey, companyId, reason } = refused;
      this.refuse(String(file), reason, { ...(accessKey ? { accessKey } : {}), ...(companyId ? { companyId } : {}) });
    } else if (added.length > 0) this.#files.added += 1;
    else this.#files.known += 1;
  }

  #count({ part, side, isHidden }: ControlAnswer): void {
    if (part === 'event') this.#documents.events += 1;
    else if (part === 'summary') this.#documents.summaries += 1;
    else this.#documents[side === 'issued' ? 'issued' : 'notes'] += 1;
    if (isHidden === true) this.#documents.hidden += 1;
  }

  outcome(from: string): Outcome {
    const refused = this.#refused.length;
    const exitCode = refused === 0 ? ExitCode.ok : ExitCode.partial;
    const files = { files: this.done, ...this.#files, refused, others: this.others };
    const summary = { type: 'summary', from, ...files, ...this.#documents, exitCode };
    return {
      data: [...this.#refused, summary],
      exitCode,
      notices: this.#documents.hidden === 0 ? [] : [hiddenOnes(this.#documents.hidden)],
    };
  }
}

function hiddenOnes(count: number): Text {
  return {
    en: `${count} of the notes were issued before the cut-off of their company, so the lists do not show them`,
    pt: `${count} das notas foram emitidas antes da data de corte da empresa, e por isso não aparecem nas listas`,
  };
}

function noXml(folder: string): FiscalError {
  const message = { en: `${folder} has no XML file`, pt: `${folder} não tem nenhum arquivo XML` };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function tooMany(folder: string): FiscalError {
  const message = {
    en: `${folder} has more than ${mostFiles} XML files: give a part of them`,
    pt: `${folder} tem mais de ${mostFiles} arquivos XML: informe uma parte deles`,
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function cannotBeRead(code: string): Text {
  return { en: `it cannot be read (${code})`, pt: `não pode ser lido (${code})` };
}

const giving: Text = { en: 'giving files to the sandbox', pt: 'entregando arquivos ao sandbox' };
const isLink: Text = { en: 'it is a link, and links are not followed', pt: 'é um link, e links não são seguidos' };
const isUnusable: Text = {
  en: 'its name has control characters or a backslash',
  pt: 'o nome tem caracteres de controle ou barra invertida',
};
