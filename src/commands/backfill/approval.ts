import { basename, resolve } from 'node:path';
import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { formatUtc, momentInWords, parseUtc } from '../../domain/dates.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { terminalLine } from '../../domain/terminal-text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { notWritten, replaceFile } from '../../io/output-file.js';
import { fileFault, readWholeFile, unreadableFile } from '../../io/input-file.js';
import type { Approval } from '../../jobs/kinds/backfill-sweep.js';
import type { Context } from '../../services/context.js';
import type { approve } from './commands.js';
import { digest } from './plan-cells.js';
import { planId, readPlan, releaseLine, releasesOf } from './plan-file.js';

/** What stands beside a plan: who approved it, and when. Whoever can write the folder can write it: it is a note and no signature. */
interface ApprovalFile {
  /** The id of the plan. */
  readonly plan: string;
  readonly approvals: readonly (Approval & { readonly fingerprint: string })[];
}

const MOST_CHARACTERS = 100;
const MOST_BYTES = 1024 * 1024;

/**
 * Notes beside a plan that somebody approves it, for its id as it is now. Errors: `usage.invalid_value`, those of `readPlan` and
 * `releasesOf`, `input.invalid`, `store.*`.
 */
export async function approvePlan(context: Context, { plan, by }: Given<typeof approve>): Promise<Outcome> {
  const name = nameOf(by);
  if (plan === '-') throw invalidValue('plan', plan, aFile);
  const releases = releasesOf(await readPlan(context, plan), plan);
  const id = planId(releases);
  const path = fileOf(context, plan);
  const found = await read(path);
  const earlier = found?.plan === id ? found.approvals : [];
  const approval = { by: name, at: formatUtc(context.clock.now()) };
  const isNew = !earlier.some((one) => one.by === name);
  const approvals = isNew ? [...earlier, { ...approval, fingerprint: fingerprintOf(id, approval) }] : earlier;
  const { dryRun } = await context.settings();
  const file: ApprovalFile = { plan: id, approvals };
  if (isNew && !dryRun) await replaceFile(path, `${JSON.stringify(file, null, 2)}\n`, context.random);
  const replaced = found === undefined || found.plan === id ? [] : [replacedText(found.plan)];
  return {
    data: { type: 'approval', plan, id, companies: releases.length, ...approvalFields(approvals), file: path },
    notices: [
      ...replaced,
      ...(isNew ? [] : [thereAlready]),
      ...(isNew && dryRun ? [notWritten] : [toRelease(releaseLine(plan, id))]),
    ],
  };
}

/** The approvals of this plan; none where nobody has approved it. Errors: `backfill.approval_other`, `input.invalid`. */
export async function approvalsOf(context: Context, plan: string, id: string): Promise<readonly Approval[]> {
  if (plan === '-') return [];
  const path = fileOf(context, plan);
  const found = await read(path);
  if (found === undefined) return [];
  if (found.plan !== id)
    throw new FiscalError('backfill.approval_other', { path, approved: found.plan, plan: id }, { sent: 'no' });
  return found.approvals.map(({ by, at }) => ({ by, at }));
}

/** Who approved it, and when the last one did. */
export function approvalFields(approvals: readonly Approval[]): Readonly<Record<string, string>> {
  const last = approvals.at(-1);
  return last === undefined ? {} : { approvedBy: approvals.map(({ by }) => by).join(', '), approvedAt: last.at };
}

/** `, approved by Maria (28/11/2026 16:10)`; empty without approval. */
export function approvalText(approvals: readonly Approval[]): Text {
  if (approvals.length === 0) return { en: '', pt: '' };
  const list = (language: keyof Text) =>
    approvals.map(({ by, at }) => `${by} (${momentInWords(parseUtc(at) ?? 0)[language]})`).join(', ');
  return { en: `; approved by ${list('en')}`, pt: `; aprovado por ${list('pt')}` };
}

function fileOf({ cwd }: Pick<Context, 'cwd'>, plan: string): string {
  return `${resolve(cwd, plan)}.approval.json`;
}

async function read(path: string): Promise<ApprovalFile | undefined> {
  let text: string;
  try {
    text = (await readWholeFile(path, { mostBytes: MOST_BYTES })).toString('utf8');
  } catch (error) {
    if (fileFault(error) === 'ENOENT') return undefined;
    throw unreadableFile(path, error);
  }
  const file = fileIn(text);
  if (file !== undefined) return file;
  throw new FiscalError(
    'input.invalid',
    { what: path },
    { details: [{ field: basename(path), message: edited }], sent: 'no' },
  );
}

function fileIn(text: string): ApprovalFile | undefined {
  try {
    const file: unknown = JSON.parse(text);
    if (!isRecord(file) || typeof file['plan'] !== 'string' || !Array.isArray(file['approvals'])) return undefined;
    const { plan } = file;
    const approvals = file['approvals'].flatMap((one: unknown) => {
      if (!isRecord(one) || typeof one['by'] !== 'string' || typeof one['at'] !== 'string') return [];
      const approval = { by: one['by'], at: one['at'] };
      const fingerprint = fingerprintOf(plan, approval);
      return one['fingerprint'] === fingerprint ? [{ ...approval, fingerprint }] : [];
    });
    const isWhole = approvals.length > 0 && approvals.length === file['approvals'].length;
    return isWhole ? { plan, approvals } : undefined;
  } catch {
    return undefined;
  }
}

/** Binds a name and a time to the plan. */
function fingerprintOf(plan: string, { by, at }: Approval): string {
  return digest({ plan, by, at }).slice(0, 32);
}

function nameOf(by: string | undefined): string {
  if (by === undefined) throw new FiscalError('usage.missing', { names: '--by' }, { sent: 'no' });
  const name = by.trim();
  if (name === '' || [...name].length > MOST_CHARACTERS || terminalLine(name) !== name)
    throw invalidValue('--by', by, aName);
  return name;
}

const aFile: Text = { en: 'the file of a plan', pt: 'o arquivo de um plano' };
const aName: Text = {
  en: `a name on one line, of at most ${MOST_CHARACTERS} characters`,
  pt: `um nome em uma linha, de no máximo ${MOST_CHARACTERS} caracteres`,
};
const edited: Text = {
  en: 'is not as "fiscal backfill approve" wrote it; delete it, and approve the plan again',
  pt: 'não está como "fiscal backfill approve" gravou; apague e aprove o plano de novo',
};
const thereAlready: Text = {
  en: 'the plan has this approval already; nothing was written',
  pt: 'o plano já tem esta aprovação; nada foi gravado',
};

function toRelease(line: string): Text {
  return { en: `to release it: ${line}`, pt: `para liberar: ${line}` };
}

function replacedText(id: string): Text {
  return {
    en: `an approval of another plan (${id}) stood there and is replaced`,
    pt: `havia ali uma aprovação de outro plano (${id}), que foi substituída`,
  };
}
