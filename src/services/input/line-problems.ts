import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import { FiscalError, type ErrorDetail } from '../../errors/fiscal-error.js';

const SHOWN = 20;

/** Collects what is wrong with the records of a batch: the first problems in words, the rest as a count. */
export class LineProblems {
  /** Records with a problem. */
  lines = 0;
  private problems = 0;
  private readonly details: ErrorDetail[] = [];

  add(line: number, findings: readonly { readonly field: string; readonly message: Text }[]): void {
    if (findings.length === 0) return;
    this.lines += 1;
    this.problems += findings.length;
    for (const { field, message } of findings) {
      if (this.details.length >= SHOWN) return;
      this.details.push({ field: field === '' ? `line ${line}` : `line ${line}: ${field}`, message });
    }
  }

  /** Those of another check of the same records. */
  include(other: LineProblems): void {
    this.lines += other.lines;
    this.problems += other.problems;
    this.details.push(...other.details.slice(0, SHOWN - this.details.length));
  }

  get shown(): readonly ErrorDetail[] {
    return this.details;
  }

  /** `input.invalid` for the file `name` with the details. */
  error(name: string): FiscalError {
    const hidden = this.problems - this.details.length;
    const more: ErrorDetail = {
      field: name,
      message: counted(hidden, {
        en: ['and # more problem', 'and # more problems'],
        pt: ['e mais # problema', 'e mais # problemas'],
      }),
    };
    return new FiscalError(
      'input.invalid',
      { what: name },
      { details: hidden > 0 ? [...this.details, more] : this.details },
    );
  }
}
