import { appendFile, stat } from 'node:fs/promises';
import type { Language, Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import type { Environment } from '../../domain/world.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { FiscalError } from '../../errors/fiscal-error.js';
import { guardedHost } from '../../io/streams.js';
import type { Host } from '../../io/io.js';
import {
  type Annotation,
  type AnnotationLevel,
  annotationLine,
  reasonText,
  stepMarkdown,
  type StepReport,
} from '../../presenters/ci.js';
import { exitCodeMeanings } from '../exit-codes.js';
import { Observed } from './observed.js';

/** The result of a run without an error. */
export interface EndedRun {
  readonly outcome: Outcome;
  readonly exitCode: ExitCode;
  readonly language: Language;
}

/** GitHub shows at most ten annotations of each level per step (public). */
const MAX_ANNOTATIONS = 10;

/** The same command may succeed later, so these are not yet errors. */
const passing: ReadonlySet<ExitCode> = new Set([
  ExitCode.temporary,
  ExitCode.pending,
  ExitCode.held,
  ExitCode.rateLimited,
  ExitCode.limitReached,
  ExitCode.interrupted,
  ExitCode.terminated,
]);

/**
 * `--ci github`: writes a section of the step summary (`GITHUB_STEP_SUMMARY`) for every batch and every failure, and
 * annotations on stderr. JSON on stdout stays data.
 */
export class GithubReporter {
  /** The host of the run, whose output never issues a workflow command. */
  readonly host: Host;
  readonly #stderr: Host['stderr'];
  readonly #observed = new Observed();
  #command = 'fiscal';

  constructor(host: Host) {
    this.host = guardedHost(host);
    this.#stderr = host.stderr;
  }

  /** `name`: the command, as soon as it is known. */
  begin(name: string): void {
    this.#command = `fiscal ${name}`;
  }

  /** A record that is written before the outcome is there. */
  see(record: DataRecord): void {
    this.#observed.watch(record);
  }

  /** Returns the same outcome, whose records are observed. */
  watch(outcome: Outcome): Outcome {
    return outcome.written === true ? outcome : { ...outcome, data: this.#observed.watch(outcome.data) };
  }

  /** Reports a run that ended with data. A list, or a single success, needs no report. */
  async ended({ outcome, exitCode, language }: EndedRun): Promise<void> {
    const { closings, troubles } = this.#observed;
    // A command that only passed on another program's exit code has nothing to report.
    if (outcome.written === true && outcome.notices === undefined) return;
    if (closings.length === 0 && exitCode === ExitCode.ok) return;
    const notes = outcome.notices ?? [];
    const level = exitCode === ExitCode.ok || passing.has(exitCode) ? 'warning' : 'error';
    const own = exitCode !== ExitCode.ok && troubles.length === 0 ? [this.#ending(exitCode, language)] : [];
    await this.#report({ exitCode, language, notes, annotations: [...own, ...this.#troubleLines(level, language)] });
  }

  /** Reports a run that ended with an error, before the error itself, which must stay the last line of stderr. */
  async failed(error: FiscalError, exitCode: ExitCode, language: Language): Promise<void> {
    const { hint, resume, details = [] } = error.facts;
    for (const { field, message } of details) {
      const reason = typeof message === 'string' ? message : message[language];
      this.#observed.add({ what: field, state: error.code, reason });
    }
    const notes: readonly Text[] = [
      error.text,
      ...(hint === undefined ? [] : [hint]),
      ...(resume === undefined ? [] : [{ en: `to continue: ${resume}`, pt: `para continuar: ${resume}` }]),
    ];
    const title = `${this.#command} (${error.code})`;
    const annotation = { level: levelOf(exitCode), title, message: error.text[language] };
    await this.#report({ exitCode, language, notes, annotations: [annotation] });
  }

  #ending(exitCode: ExitCode, language: Language): Annotation {
    const message = `${exitCodeMeanings[exitCode][language]} (${exitCode})`;
    return { level: levelOf(exitCode), title: this.#command, message };
  }

  #troubleLines(level: AnnotationLevel, language: Language): readonly Annotation[] {
    const { troubles, troubleCount } = this.#observed;
    const shown = troubles.slice(0, MAX_ANNOTATIONS);
    const hidden = troubleCount - shown.length;
    const more = { en: `and ${hidden} more`, pt: `e mais ${hidden}` };
    return [
      ...shown.map((trouble) => ({
        level: trouble.isWarning === true ? ('warning' as const) : level,
        title: `${this.#command}: ${trouble.state}`,
        message: [trouble.what, reasonText(trouble, language)].filter((part) => part !== '').join(': '),
      })),
      // With another level, since GitHub would drop the eleventh.
      ...(hidden > 0 ? [{ level: 'warning' as const, title: this.#command, message: more[language] }] : []),
    ];
  }

  async #report(summary: RunSummary): Promise<void> {
    const { exitCode, language, notes, annotations } = summary;
    const { closings, troubles, troubleCount } = this.#observed;
    const report: StepReport = {
      ...{ command: this.#command, exitCode, meaning: meaningOf(exitCode) },
      ...{ closings, troubles, troubleCount, notes },
    };
    const redact = await redaction(this.host.env);
    const path = this.host.env['GITHUB_STEP_SUMMARY'] ?? '';
    const problem = path === '' ? undefined : await appendToStepSummary(path, redact(stepMarkdown(report, language)));
    const warning: readonly Annotation[] =
      problem === undefined ? [] : [{ level: 'warning', title: this.#command, message: problem[language] }];
    const lines = [...annotations, ...warning].map((annotation) => `${redact(annotationLine(annotation))}\n`);
    await this.#stderr.write(lines.join(''));
  }
}

interface RunSummary {
  readonly exitCode: ExitCode;
  readonly language: Language;
  readonly notes: readonly Text[];
  readonly annotations: readonly Annotation[];
}

function meaningOf(exitCode: ExitCode): Text {
  return exitCode === ExitCode.ok ? { en: 'done', pt: 'concluído' } : exitCodeMeanings[exitCode];
}

function levelOf(exitCode: ExitCode): AnnotationLevel {
  return passing.has(exitCode) ? 'warning' : 'error';
}

/** A second masking: the service's text was masked on arrival, but many people read a CI page. */
async function redaction(env: Environment): Promise<(text: string) => string> {
  const { redactText } = await import('../../client/redact.js');
  const names = ['FISCAL_INVOICE_KEY', 'FISCAL_DATA_KEY', 'FISCAL_JWT', 'FISCAL_WEBHOOK_SECRET', 'FISCAL_STORE_URL'];
  const secrets = names.map((name) => env[name] ?? '');
  return (text) => redactText(text, secrets);
}

/** GitHub rejects larger step summaries (public). Other commands of the step write to it as well. */
const MAX_BYTES = 1024 * 1024;

/** Appends to the step summary. Returns the reason when that fails; the run itself is not affected. */
async function appendToStepSummary(path: string, markdown: string): Promise<Text | undefined> {
  try {
    const written = await sizeOf(path);
    if (written + Buffer.byteLength(markdown) > MAX_BYTES) return full;
    await appendFile(path, markdown);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    const code = String(error.code);
    return {
      en: `the file of GITHUB_STEP_SUMMARY could not be written (${code})`,
      pt: `não foi possível gravar o arquivo de GITHUB_STEP_SUMMARY (${code})`,
    };
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    // To a pipe without a reader, a write never ends.
    if (!found.isFile()) throw Object.assign(new Error('no file'), { code: 'EINVAL' });
    return found.size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}

const full: Text = {
  en: 'the summary of this step is full (1 MiB); nothing was added',
  pt: 'o resumo deste passo está cheio (1 MiB); nada foi acrescentado',
};
