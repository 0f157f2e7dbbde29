import type { Operation } from '../../contract/operation.js';
import { operations } from '../../contract/operations.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Health } from '../../jobs/progress.js';
import type { Context } from '../../services/context.js';

/** What could not be read of a company, and why. */
export interface Unread {
  readonly code: 'forbidden' | 'not_found' | 'unreachable' | 'unreadable' | 'other_company';
  readonly message: Text;
}

/**
 * The reads of one company. What fails is kept and the next read goes on, but once the service does not answer, the company
 * is left alone. Throws what concerns every company: a refused key, no patience left, a defect, an end that was asked for.
 */
export class CompanyReading {
  readonly unread: Unread[] = [];
  #isLost = false;

  constructor(
    private readonly context: Pick<Context, 'clock' | 'interruption'>,
    private readonly health: Health,
  ) {}

  async read<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    if (this.#isLost) return undefined;
    const { clock } = this.context;
    try {
      const value = await work();
      this.health.answered(clock.now(), undefined);
      return value;
    } catch (error) {
      const failure = this.#ofCompany(error);
      this.#isLost = failure.exitCode === ExitCode.temporary || failure.exitCode === ExitCode.rateLimited;
      this.#keep({ code: codeOf(failure), message: messageOf(failure) });
      return undefined;
    }
  }

  /** The same refusal of several reads is one piece of news. */
  #keep(unread: Unread): void {
    const isKnown = this.unread.some(
      ({ code, message }) => code === unread.code && message.en === unread.message.en,
    );
    if (!isKnown) this.unread.push(unread);
  }

  #ofCompany(error: unknown): FiscalError {
    const { clock, interruption } = this.context;
    if (interruption.aborted || !(error instanceof FiscalError)) throw error;
    const [area] = error.code.split('.');
    if (area !== 'service' && area !== 'network') throw error;
    if (error.code === 'service.rate_limited') throw error;
    this.health.answered(clock.now(), error);
    if (this.health.isGivenUp(clock.now())) throw error;
    return error;
  }
}

function codeOf({ code }: FiscalError): Unread['code'] {
  if (code === 'service.forbidden') return 'forbidden';
  if (code === 'service.other_company') return 'other_company';
  if (code === 'service.unreadable' || code === 'service.list_cut') return 'unreadable';
  return code === 'service.not_found' ? 'not_found' : 'unreachable';
}

/** A refusal names the role that the key lacks, where the catalogue knows it. */
function messageOf({ code, text, facts }: FiscalError): Text {
  const rows: Readonly<Record<string, Operation>> = operations;
  const role = rows[facts.operation ?? '']?.role ?? null;
  if (code !== 'service.forbidden' || role === null) return text;
  return {
    en: `the key lacks the role ${role} for this company (HTTP 403)`,
    pt: `falta à chave o papel ${role} nesta empresa (HTTP 403)`,
  };
}
