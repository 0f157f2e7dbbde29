import type { Given } from '../../cli/command.js';
import type { apply } from './clients-commands.js';
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { runSecretCommand } from '../../config/credentials.js';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import { cnpjRoot } from '../../domain/document-fact.js';
import { checkCnpj, formatCnpj } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { unreadableFile } from '../../io/input-file.js';
import type { Secrets } from '../../jobs/kinds/client-step.js';
import { type CheckedPfx, checkPfx } from '../../services/company/pfx.js';
import type { Context } from '../../services/context.js';
import { readUpTo } from '../../services/input/secret.js';
import { readOneSecret } from '../../services/input/webhook-secret.js';
import type { Client } from './clients-file.js';

type CertificateSource = Pick<Given<typeof apply>, 'certificates' | 'passwordsFile' | 'passwordCommand'>;

/** A PFX file of a client, opened and checked. */
export interface ClientPfx extends CheckedPfx {
  /** Absolute. */
  readonly path: string;
}

/** A PFX file that is not used, and why. */
export interface PfxFault {
  readonly file: string;
  readonly problem: FiscalError;
}

export interface FoundCertificates {
  /** By CNPJ. */
  readonly byClient: ReadonlyMap<string, ClientPfx>;
  /** By the CNPJ of the clients whose certificate is in doubt. */
  readonly faults: ReadonlyMap<string, PfxFault>;
  /** Files that could not be read, of whom they may be. */
  readonly unread: readonly PfxFault[];
  readonly secrets: Secrets;
  readonly notices: readonly Text[];
}

const PFX_LIMIT = 1024 * 1024;
const MOST_PASSWORDS = 1024 * 1024;

/**
 * Opens the PFX files that clients name, and those of the folder, which belong to the client of their CNPJ. A file that cannot be
 * used concerns the client who names it, or whose CNPJ its name has. Errors: `usage.invalid`, those of the folder and of the
 * file of passwords.
 */
export async function findCertificates(
  context: Context,
  clients: readonly Client[],
  source: CertificateSource,
): Promise<FoundCertificates> {
  const passwords = await readPasswords(context, source.passwordsFile);
  const opener = new Opener(context, source, passwords);
  const byClient = new Map<string, ClientPfx>();
  const faults = new Map<string, PfxFault>();
  const named = new Set<string>();
  for (const { cnpj, certificate } of clients) {
    if (certificate.file === undefined) continue;
    const path = resolve(context.cwd, source.certificates ?? '.', certificate.file);
    named.add(path);
    const pfx = await opener.open(path, cnpj);
    if ('problem' in pfx) faults.set(cnpj, pfx);
    else byClient.set(cnpj, pfx);
  }
  const { others, unread } = await opener.openFolder(named);
  for (const { cnpj, certificate } of clients) {
    if (!byClient.has(cnpj) && !faults.has(cnpj)) {
      const fit = ofClient(cnpj, others);
      const [first, ...more] = fit;
      if (first !== undefined && more.some(({ thumbprint }) => thumbprint !== first.thumbprint))
        faults.set(cnpj, { file: basename(first.path), problem: blocked(several(cnpj, fit)) });
      else if (first !== undefined) byClient.set(cnpj, first);
    }
    const found = byClient.get(cnpj);
    const { thumbprint = found?.thumbprint } = certificate;
    if (found === undefined || thumbprint === found.thumbprint) continue;
    byClient.delete(cnpj);
    faults.set(cnpj, { file: basename(found.path), problem: blocked(otherThumbprint(found)) });
  }
  const ownerless = unread.filter((fault) => {
    const owners = clients.filter(({ cnpj }) => taxNumbersIn(fault.file).includes(cnpj));
    for (const { cnpj } of owners) if (!byClient.has(cnpj) && !faults.has(cnpj)) faults.set(cnpj, fault);
    return owners.length === 0;
  });
  const told = [
    ...[...byClient.values()].map(({ path }) => basename(path)),
    ...[...faults.values(), ...ownerless].map(({ file }) => file),
  ];
  const all = [...others.map(({ path }) => basename(path)), ...unread.map(({ file }) => file)];
  const unused = all.filter((file) => !told.includes(file));
  return {
    ...{ byClient, faults, unread: ownerless, secrets: secretsOf(context, opener) },
    notices: unused.length === 0 ? [] : [ofNobody(unused)],
  };
}

/** Head office and branches share the root, and a certificate. */
function ofClient(cnpj: string, found: readonly ClientPfx[]): readonly ClientPfx[] {
  const exact = found.filter(({ taxNumber }) => taxNumber === cnpj);
  return exact.length > 0 ? exact : found.filter(({ taxNumber = '' }) => cnpjRoot(taxNumber) === cnpjRoot(cnpj));
}

function blocked(reason: Text): FiscalError {
  return new FiscalError('client.blocked', { reason }, { sent: 'no' });
}

class Opener {
  /** The client that a file was opened for, by path: its password may stand under that CNPJ alone. */
  readonly #openedFor = new Map<string, string>();

  constructor(
    private readonly context: Context,
    private readonly source: CertificateSource,
    private readonly passwords: ReadonlyMap<string, string>,
  ) {}

  /** `cnpj`: the client that names the file; absent: whose it is says the certificate. */
  async open(path: string, cnpj: string | undefined): Promise<ClientPfx | PfxFault> {
    try {
      const { file, password } = await this.read(path, cnpj);
      const { context } = this;
      const use = { path: basename(path), file, password, now: context.clock.now(), context };
      const pfx = { path, ...(await checkPfx({ ...use, companyTaxNumber: cnpj })) };
      if (cnpj !== undefined) this.#openedFor.set(path, cnpj);
      return pfx;
    } catch (error) {
      if (!(error instanceof FiscalError) || this.context.interruption.aborted) throw error;
      return { file: basename(path), problem: error };
    }
  }

  /** The files of the folder besides those that clients name. */
  async openFolder(named: ReadonlySet<string>): Promise<{ others: ClientPfx[]; unread: PfxFault[] }> {
    const others: ClientPfx[] = [];
    const unread: PfxFault[] = [];
    const { certificates: folder } = this.source;
    for (const path of folder === undefined ? [] : await pfxFiles(resolve(this.context.cwd, folder))) {
      if (named.has(path)) continue;
      const pfx = await this.open(path, undefined);
      if ('problem' in pfx) unread.push(pfx);
      else others.push(pfx);
    }
    return { others, unread };
  }

  async read(path: string, cnpj = this.#openedFor.get(path)): Promise<{ file: Uint8Array; password: string }> {
    const file = await readUpTo(this.context, path, PFX_LIMIT);
    if (file === undefined) throw new FiscalError('input.too_large', { path, limit: 1 });
    return { file, password: await this.#passwordOf(path, cnpj) };
  }

  async #passwordOf(path: string, cnpj: string | undefined): Promise<string> {
    const name = basename(path);
    const known = [name, cnpj, ...taxNumbersIn(name), '*']
      .map((key) => this.passwords.get(key ?? ''))
      .find((each) => each !== undefined);
    if (known !== undefined) return known;
    const { passwordCommand } = this.source;
    if (passwordCommand === undefined) throw noPassword(name);
    const env = { ...this.context.env, FISCAL_PFX_FILE: path };
    const output = await runSecretCommand(passwordCommand, { variable: '--password-command', env });
    return output.split(/\r?\n/)[0] ?? '';
  }
}

const CNPJ = 14;

/** Every CNPJ in the name of a file, by its check digits: names have dates and serial numbers as well. */
function taxNumbersIn(name: string): readonly string[] {
  const text = name.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
  const parts = Array.from({ length: Math.max(0, text.length - CNPJ + 1) }, (_, at) => text.slice(at, at + CNPJ));
  return parts.filter((part) => checkCnpj(part).valid);
}

/** Errors: `usage.invalid` for a line without `=`; the text of a line is never shown. */
async function readPasswords(context: Context, path: string | undefined): Promise<ReadonlyMap<string, string>> {
  if (path === undefined) return new Map();
  const bytes = await readUpTo(context, path, MOST_PASSWORDS);
  if (bytes === undefined) throw new FiscalError('input.too_large', { path, limit: 1 });
  const lines = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  const passwords = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const at = line.indexOf('=');
    if (at < 1) throw notAPassword(path, index + 1);
    const name = line.slice(0, at).trim();
    const asCnpj = checkCnpj(name);
    passwords.set(asCnpj.valid ? asCnpj.value : name, line.slice(at + 1));
  }
  return passwords;
}

async function pfxFiles(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => /\.(?:pfx|p12)$/i.test(name))
      .toSorted()
      .map((name) => join(folder, name));
  } catch (error) {
    throw unreadableFile(folder, error);
  }
}

function secretsOf(context: Context, opener: Opener): Secrets {
  return {
    async pfx(path, thumbprint) {
      const read = await opener.read(path);
      const now = context.clock.now();
      const found = await checkPfx({ path, ...read, companyTaxNumber: undefined, now, context });
      if (found.thumbprint === thumbprint) return read;
      throw new FiscalError('certificate.unusable', { path, reason: changedFile }, { sent: 'no' });
    },
    webhookSecret: async (path) => await readOneSecret(context, path),
  };
}

const changedFile: Text = {
  en: 'it holds another certificate than when the plan was made',
  pt: 'contém outro certificado que quando o plano foi feito',
};

function noPassword(path: string): FiscalError {
  const reason = {
    en: 'no password is given for it (--passwords-file, --password-command)',
    pt: 'nenhuma senha foi informada para ele (--passwords-file, --password-command)',
  };
  return new FiscalError('certificate.unusable', { path, reason }, { sent: 'no' });
}

function notAPassword(path: string, line: number): FiscalError {
  const message = {
    en: `line ${line} of ${path} is not "name=password"; the name is that of a PFX file, a CNPJ, or * for all others`,
    pt: `a linha ${line} de ${path} não é "nome=senha"; o nome é o de um arquivo PFX, um CNPJ, ou * para todos os outros`,
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function several(cnpj: string, found: readonly ClientPfx[]): Text {
  const names = found.map(({ path }) => basename(path)).join(', ');
  const number = formatCnpj(cnpj);
  return {
    en: `several certificates are of ${number}: ${names}; name one of them as certificate.file`,
    pt: `há vários certificados de ${number}: ${names}; indique um deles em certificate.file`,
  };
}

function otherThumbprint({ path, thumbprint }: ClientPfx): Text {
  return {
    en: `${basename(path)} has the thumbprint ${thumbprint}, which is not the certificate.thumbprint of the client`,
    pt: `${basename(path)} tem o thumbprint ${thumbprint}, que não é o certificate.thumbprint do cliente`,
  };
}

function ofNobody(names: readonly string[]): Text {
  const list = [...names.slice(0, 5), ...(names.length > 5 ? ['…'] : [])].join(', ');
  return counted(names.length, {
    en: [
      `# PFX file is needed by no client in the file and stays unused: ${list}`,
      `# PFX files are needed by no client in the file and stay unused: ${list}`,
    ],
    pt: [
      `# arquivo PFX não serve a nenhum cliente do arquivo e não é usado: ${list}`,
      `# arquivos PFX não servem a nenhum cliente do arquivo e não são usados: ${list}`,
    ],
  });
}
