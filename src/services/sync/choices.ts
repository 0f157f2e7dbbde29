import { layoutPresets, readLayout } from '../../archive/layout.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { readMoment } from '../input/moment.js';
import type { SyncContext } from './state.js';

/** The checked layout and options. */
export type Choices = Pick<SyncContext, 'template' | 'options'>;

/** The same as they are typed. */
export interface TypedChoices {
  readonly pdf: boolean;
  /** A preset or a template. */
  readonly layout: string | undefined;
  readonly since: string | undefined;
  readonly requireSignature: boolean;
  /** Also writes into folders of the archive that are symbolic links. */
  readonly followLinks: boolean;
  readonly retryQuarantined: boolean;
  readonly repair: boolean;
  readonly window: number;
  readonly full: boolean;
  readonly fullEvery: number;
  readonly lockWait: number;
}

/** Errors: `usage.invalid_value`, `usage.invalid`. */
export function readChoices(typed: TypedChoices, now: number): Choices {
  const { layout, since, pdf, requireSignature, followLinks, retryQuarantined, repair } = typed;
  const read = readLayout(layout ?? layoutPresets.month);
  if ('problem' in read) throw invalidValue('--layout', layout ?? '', read.problem);
  const sinceMs = since === undefined ? undefined : readMoment('--since', since, now);
  if (typed.full && since !== undefined)
    throw new FiscalError('usage.invalid', { message: fullOrSince }, { sent: 'no' });
  const { window: windowMs, full, fullEvery: fullEveryMs, lockWait: lockWaitMs } = typed;
  const when = { windowMs, since: sinceMs, full, fullEveryMs, lockWaitMs };
  return {
    template: read.template,
    options: { pdf, requireSignature, followLinks, retryQuarantined, repair, ...when },
  };
}

const fullOrSince = {
  en: '--full reads the whole list: omit --since',
  pt: '--full lê a lista inteira: retire --since',
};
