import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Meta } from '../core/database.js';

/** The content behind a temporary address. */
export interface ByteReference {
  readonly operation: string;
  readonly companyId: string;
  /** Key or id of the document, or key of the event. */
  readonly name: string;
}

/** Temporary addresses without a key, on a second port. */
export interface ByteHost {
  /** Called when this process has opened the port. */
  openAt(origin: string): void;
  addressOf(reference: ByteReference): string;
  /** `undefined` for an address from elsewhere. */
  read(path: string, query: URLSearchParams): ByteReference | undefined;
}

export const byteSecretName = 'bytes.secret';
const bytePrefix = '/temporary/';

export function openByteHost(meta: Meta): ByteHost {
  let origin = '';
  const secret = (): string => {
    const stored = meta.get(byteSecretName);
    if (stored !== undefined) return stored;
    const made = randomBytes(32).toString('hex');
    meta.set(byteSecretName, made);
    return made;
  };
  const proofOf = (path: string): string => createHmac('sha256', secret()).update(path).digest('hex');
  return {
    openAt(address) {
      origin = address;
    },
    addressOf({ operation, companyId, name }) {
      const path = bytePrefix + [operation, companyId, name].map(encodeURIComponent).join('/');
      return `${origin}${path}?proof=${proofOf(path)}`;
    },
    read(path, query) {
      const expected = Buffer.from(proofOf(path));
      const given = Buffer.from(query.get('proof') ?? '');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const [operation = '', companyId = '', name = ''] = path
        .slice(bytePrefix.length)
        .split('/')
        .map(decodeURIComponent);
      return { operation, companyId, name };
    },
  };
}
