import { execFile, type ExecFileException } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { basename } from 'node:path';
import type { Text } from '../../contract/text.js';
import { environmentOfViewer } from '../../domain/child-environment.js';
import { shellLine } from '../../domain/command-words.js';
import { dayAt, dayInWords, momentInWords } from '../../domain/dates.js';
import { cnpjRoot } from '../../domain/document-fact.js';
import { holderNumber } from '../../domain/holder-number.js';
import { isRecord } from '../../domain/record.js';
import { formatCnpj, maskCpf } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';

/** The certificate in the file, read before it is sent. */
export interface CheckedPfx {
  readonly subject: string;
  /** ISO 8601, UTC. */
  readonly validUntil: string;
  readonly taxNumber: string | undefined;
  /** SHA-1, 40 hexadecimal digits: its identifier in the service. */
  readonly thumbprint: string;
}

interface PfxUse {
  /** As the user named it. */
  readonly path: string;
  readonly file: Uint8Array;
  readonly password: string;
  /** Absent: the owner is not checked yet. */
  readonly companyTaxNumber: string | undefined;
  readonly now: number;
  readonly context: PfxContext;
}

type PfxContext = Pick<Context, 'env' | 'interruption' | 'program'>;

/** Checks that the file is readable, the password opens it, it is valid today, and it belongs to this company. Error: `certificate.unusable`. */
export async function checkPfx(use: PfxUse): Promise<CheckedPfx> {
  const reading = await openPfx(use.file, use.password, use.context);
  if ('fault' in reading) throw unusable(use.path, reasonOf(reading.fault, use.path));
  const { certificate } = reading;
  const taxNumber = holderNumber(certificate.raw, certificate.subject);
  const problem = outOfTime(certificate, use.now) ?? ofAnother(taxNumber, use.companyTaxNumber);
  if (problem !== undefined) throw unusable(use.path, problem);
  return {
    subject: certificate.subject.replaceAll('\n', ', '),
    validUntil: new Date(certificate.validTo).toISOString(),
    taxNumber,
    thumbprint: certificate.fingerprint.replaceAll(':', ''),
  };
}

function outOfTime({ validFrom, validTo }: X509Certificate, now: number): Text | undefined {
  const [from, until] = [Date.parse(validFrom), Date.parse(validTo)];
  if (Number.isNaN(from + until))
    return { en: 'its days of validity cannot be read', pt: 'os dias de validade não podem ser lidos' };
  if (until <= now) {
    const day = dayInWords(dayAt(until));
    return { en: `the certificate expired on ${day.en}`, pt: `o certificado venceu em ${day.pt}` };
  }
  if (from <= now) return undefined;
  const time = momentInWords(from);
  return { en: `the certificate is valid only from ${time.en}`, pt: `o certificado só vale a partir de ${time.pt}` };
}

/** Head office and branches share the first eight characters, and a certificate (facts §7, results 213 and 593); a person has one CPF. */
function ofAnother(holder: string | undefined, company: string | undefined): Text | undefined {
  if (holder === undefined) {
    return {
      en: 'the certificate contains neither CNPJ nor CPF: it is not of a company (e-CNPJ) or a person (e-CPF)',
      pt: 'o certificado não traz CNPJ nem CPF: não é de pessoa jurídica (e-CNPJ) nem física (e-CPF)',
    };
  }
  if (company === undefined || cnpjRoot(holder) === cnpjRoot(company)) return undefined;
  const [its, wanted] = [holder, company].map((each) =>
    each.length === 11 ? `CPF ${maskCpf(each)}` : formatCnpj(each),
  );
  return {
    en: `the certificate belongs to ${its}, and the company is ${wanted}`,
    pt: `o certificado é de ${its} e a empresa é ${wanted}`,
  };
}

function unusable(path: string, reason: Text): FiscalError {
  return new FiscalError('certificate.unusable', { path, reason }, { sent: 'no' });
}

function reasonOf(fault: PfxFault, path: string): Text {
  if (fault !== 'old-encryption' && fault !== 'no-mac') return faults[fault];
  const [name, pem] = [basename(path), `${basename(path).replace(/\.(?:pfx|p12)$/i, '')}.pem`];
  const commands = [
    ['openssl', 'pkcs12', '-legacy', '-in', name, '-out', pem],
    ['openssl', 'pkcs12', '-export', '-in', pem, '-out', `new-${name}`],
  ];
  const convert = commands.map(shellLine).join(' && ');
  if (fault === 'no-mac')
    return {
      en: `it is a PKCS #12 file without a MAC, so that nothing shows whether it is whole and the password right; convert it: ${convert}`,
      pt: `é um arquivo PKCS #12 sem MAC, e por isso nada mostra se está inteiro e se a senha confere; converta-o: ${convert}`,
    };
  return {
    en: `the password is correct, but the encryption is too old to be opened here; convert it: ${convert}`,
    pt: `a senha confere, mas a criptografia é antiga demais para ser aberta aqui; converta-o: ${convert}`,
  };
}

const faults: Readonly<Record<Exclude<PfxFault, 'old-encryption' | 'no-mac'>, Text>> = {
  pdf: {
    en: 'it is a PDF; the certificate is a PKCS #12 file (.pfx or .p12)',
    pt: 'é um PDF; o certificado é um arquivo PKCS #12 (.pfx ou .p12)',
  },
  pem: {
    en: 'it is PEM text; the certificate is a PKCS #12 file (.pfx or .p12)',
    pt: 'é texto PEM; o certificado é um arquivo PKCS #12 (.pfx ou .p12)',
  },
  'not-pfx': { en: 'it is not a PKCS #12 file (.pfx or .p12)', pt: 'não é um arquivo PKCS #12 (.pfx ou .p12)' },
  'wrong-password': { en: 'the password does not open it', pt: 'a senha não o abre' },
  'no-key': {
    en: 'it contains no certificate with its private key (export it with the key: A1)',
    pt: 'não contém um certificado com a chave privada (exporte com a chave: A1)',
  },
  'too-many-iterations': {
    en: 'it requires more than 2,000,000 iterations of key derivation, and no exporter writes so many',
    pt: 'ele exige mais de 2.000.000 de iterações de derivação de chave, e nenhum exportador grava tantas',
  },
  'too-slow': {
    en: 'opening it takes more than 30 s, which no exporter requires',
    pt: 'abri-lo leva mais de 30 s, o que nenhum exportador exige',
  },
};

/** Why a file is not a usable certificate. */
export type PfxFault =
  | 'pdf'
  | 'pem'
  | 'not-pfx'
  | 'no-mac'
  | 'wrong-password'
  | 'no-key'
  | 'old-encryption'
  | 'too-many-iterations'
  | 'too-slow';

/** The certificate that belongs to the private key of a PKCS #12 file, or why there is none. */
export type PfxReading = { readonly certificate: X509Certificate } | { readonly fault: PfxFault };

/**
 * The most iterations of key derivation that one file may require, all parts together. Firefox writes 1,800,000
 * (600,000 in each of three parts), Java 30,000, OpenSSL and Windows about 6,000.
 */
const mostIterations = 2_000_000;

/** forge, which opens old encryptions, takes ten times as long. Java wrote 50,000 with RC2. */
const mostOldIterations = 200_000;

const LIMIT_MS = 30_000;

/**
 * Opens a PKCS #12 file as TLS would: Node's own OpenSSL checks the password and that the key belongs to the certificate, and
 * a socket that is never connected returns it. That OpenSSL does not support RC2, which old exporters use: such a file is opened by
 * node-forge. OpenSSL works in a process of its own, which gets file and password by its stdin: what is encrypted can require
 * iterations without end that no look at the file finds, and a thread that derives a key hears no signal.
 */
export async function openPfx(
  file: Uint8Array,
  passphrase: string,
  context: PfxContext,
  limitMs = LIMIT_MS,
): Promise<PfxReading> {
  const beginning = Buffer.from(file.subarray(0, 1_024)).toString('latin1');
  if (beginning.includes('%PDF-')) return { fault: 'pdf' };
  if (beginning.includes('-----BEGIN ')) return { fault: 'pem' };
  // Every PKCS #12 file begins with the tag of a SEQUENCE.
  if (file[0] !== 0x30) return { fault: 'not-pfx' };
  const { openOldPfx, requiresMore } = await import('./old-pfx.js');
  if (requiresMore(file, mostIterations)) return { fault: 'too-many-iterations' };
  const given = { pfx: Buffer.from(file).toString('base64'), passphrase };
  const answer = await answerOf(JSON.stringify(given), context, limitMs);
  if (answer === undefined) return { fault: 'too-slow' };
  const { certificate, problem } = answer;
  if (typeof certificate === 'string') return { certificate: new X509Certificate(Buffer.from(certificate, 'base64')) };
  const fault = problem === undefined ? 'no-key' : faultOf(String(problem));
  return fault === 'old-encryption' ? openOldPfx(file, passphrase, mostOldIterations) : { fault };
}

/** The default security level refuses the short keys of tests; the authority decides what is fit for signing. */
const opener = `
const { Duplex } = require('node:stream');
const { createSecureContext, TLSSocket } = require('node:tls');
let given = '';
process.stdin.setEncoding('utf8').on('data', (text) => (given += text)).on('end', () => {
  try {
    const { pfx, passphrase } = JSON.parse(given);
    const secureContext = createSecureContext({ pfx: Buffer.from(pfx, 'base64'), passphrase, ciphers: 'DEFAULT:@SECLEVEL=0' });
    const nowhere = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    const certificate = new TLSSocket(nowhere, { isServer: true, secureContext }).getX509Certificate();
    console.log(JSON.stringify({ certificate: certificate?.raw.toString('base64') }));
  } catch (error) {
    console.log(JSON.stringify({ problem: error.message }));
  }
  process.exit();
});`;

/** What the process of the opener found; `undefined`: it took too long. */
async function answerOf(
  given: string,
  { env, interruption, program }: PfxContext,
  limitMs: number,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const options = {
    env: { ...environmentOfViewer(env), NODE_OPTIONS: '' },
    signal: interruption,
    timeout: limitMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
  } as const;
  const { error, stdout } = await new Promise<{ error: ExecFileException | null; stdout: string }>((resolve) => {
    const child = execFile(program.execPath, ['-e', opener], options, (fault, text) =>
      resolve({ error: fault, stdout: text }),
    );
    // It may end before it has read everything.
    child.stdin?.on('error', () => {}).end(given);
  });
  interruption.throwIfAborted();
  if (error?.killed === true) return undefined;
  if (error !== null) throw new Error('no process could open the certificate', { cause: error });
  const answer: unknown = JSON.parse(stdout);
  return isRecord(answer) ? answer : {};
}

/** OpenSSL messages; an unknown one means that the content is unusable. */
function faultOf(words: string): PfxFault {
  if (/mac verify failure/i.test(words)) return 'wrong-password';
  if (/mac absent/i.test(words)) return 'no-mac';
  if (/unsupported/i.test(words)) return 'old-encryption';
  if (/private key|key values mismatch|certificate/i.test(words)) return 'no-key';
  return 'not-pfx';
}
