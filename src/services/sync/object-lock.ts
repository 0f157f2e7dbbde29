import { isBucketAddress } from '../../archive/location.js';
import type { ObjectLock } from '../../archive/s3/s3-storage.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';

/** The words of `--object-lock` and `--retain`. */
export interface ObjectLockWords {
  readonly objectLock: ObjectLock['mode'] | undefined;
  readonly retain: string | undefined;
}

/** Errors: `usage.invalid` for one without the other and for an archive in a folder, `usage.invalid_value`. */
export function readObjectLock({ objectLock: mode, retain }: ObjectLockWords, archive: string): ObjectLock | undefined {
  if (mode === undefined && retain === undefined) return undefined;
  if (mode === undefined || retain === undefined) throw invalid(bothOrNone);
  if (!isBucketAddress(archive)) throw invalid(onlyBucket);
  const [, count = '', unit] = /^([1-9]\d{0,3})([dy])$/.exec(retain) ?? [];
  if (unit === undefined) throw invalidValue('--retain', retain, aTime);
  return { mode, until: (servedAt) => after(servedAt, Number(count), unit) };
}

function after(at: number, count: number, unit: string): Date {
  const date = new Date(at);
  if (unit === 'y') date.setUTCFullYear(date.getUTCFullYear() + count);
  else date.setUTCDate(date.getUTCDate() + count);
  return date;
}

/** As they are typed, for a printed command. */
export function objectLockFlags({ objectLock, retain }: ObjectLockWords): readonly (readonly [string, string])[] {
  return objectLock === undefined || retain === undefined
    ? []
    : [
        ['--object-lock', objectLock],
        ['--retain', retain],
      ];
}

function invalid(message: Text): FiscalError {
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

const bothOrNone: Text = {
  en: '--object-lock and --retain belong together',
  pt: '--object-lock e --retain são usados juntos',
};

const onlyBucket: Text = {
  en: '--object-lock is for an archive in a bucket: --archive s3://bucket/prefix',
  pt: '--object-lock vale para documentos em um bucket: --archive s3://bucket/prefixo',
};

const aTime: Text = {
  en: 'a number of days or years such as 11y or 90d is expected',
  pt: 'espera-se um número de dias ou anos como 11y ou 90d',
};
