import { createHash } from 'node:crypto';
import { unitOf } from './chance.js';
import type { SandboxDatabase } from './database.js';
import { businessAddress, businessName, withCheckDigits } from './identity.js';
import {
  families,
  type Family,
  type KnownCompany,
  type StoredCapture,
  type StoredCertificate,
  type StoredCompany,
} from './records.js';
import { type Collection, fromRow, fromRows, type OpenCollection } from './resources.js';

export interface Companies extends Collection<StoredCompany> {
  withTaxNumber(tenantId: string, federalTaxNumber: string): StoredCompany | undefined;
  /** The companies of an account that capture this family, in order of creation, at most `limit`. */
  capturing(tenantId: string, family: Family, limit: number): readonly StoredCompany[];
}

export function openCompanies(database: SandboxDatabase, open: OpenCollection): Companies {
  const byTaxNumber = database.prepare<[string, string], { json: string }>(
    `SELECT json FROM resources WHERE kind = 'company' AND owner = ? AND json ->> '$.federalTaxNumber' = ?
       AND deletedOn IS NULL ORDER BY position LIMIT 1`,
  );
  const capturing = database.prepare<[string, string, number], { json: string }>(
    `SELECT company.json FROM resources company
     JOIN resources capture ON capture.kind = 'capture' AND capture.id = company.id || ':' || ?
     WHERE company.kind = 'company' AND company.owner = ? AND company.deletedOn IS NULL
       AND capture.json ->> '$.isActive' ORDER BY company.position LIMIT +?`,
  );
  return {
    ...open<StoredCompany>({ kind: 'company', idOf: ({ id }) => id, ownerOf: ({ tenantId }) => tenantId }),
    withTaxNumber: (tenantId, taxNumber) => fromRow(byTaxNumber.get(tenantId, taxNumber)),
    capturing: (tenantId, family, limit) => fromRows(capturing.all(family, tenantId, limit)),
  };
}

/** A company with this id, always the same. */
export function inventCompany(tenantId: string, id: string): StoredCompany {
  const root = String(Math.floor(unitOf(id) * 90_000_000) + 10_000_000);
  const federalTaxNumber = withCheckDigits(`${root}0001`);
  return {
    ...{ id, tenantId, name: businessName(id), federalTaxNumber, status: 'Active' },
    details: { taxRegime: 'LucroReal', address: businessAddress(federalTaxNumber) },
    ...{ createdOn: 0, modifiedOn: 0 },
  };
}

/** The inbound captures of companies and their settings. */
export interface Captures {
  /** Registers the company for all families; keeps what is there. */
  begin(companyId: string, at: number): void;
  /** Active or not. */
  of(companyId: string, family: Family): StoredCapture | undefined;
  /** `undefined` without an active capture. */
  settings(companyId: string, family: Family): StoredCapture | undefined;
  isActive(companyId: string, family: Family): boolean;
  /** Switches a family without changing its settings. */
  set(companyId: string, family: Family, isActive: boolean): void;
  /** Changes a registration, if there is one. */
  change(companyId: string, family: Family, changes: Partial<StoredCapture>): void;
  /** Saves the settings and activates the family. An active family keeps its creation time and its release. */
  save(chosen: Pick<StoredCapture, 'companyId' | 'family' | 'given'>, at: number): void;
}

const untouched = { spacedUntil: null, fromNsu: 0, isReleased: false, askedAt: 0, sweep: 0, swept: 0 } as const;

export function openCaptures(open: OpenCollection): Captures {
  const nameOf = (companyId: string, family: Family) => `${companyId}:${family}`;
  const captures = open<StoredCapture>({
    kind: 'capture',
    idOf: ({ companyId, family }) => nameOf(companyId, family),
    ownerOf: ({ companyId }) => companyId,
  });
  const of = (companyId: string, family: Family) => captures.get(nameOf(companyId, family));
  const settings = (companyId: string, family: Family) => {
    const found = of(companyId, family);
    return found?.isActive === true ? found : undefined;
  };
  return {
    of,
    settings,
    isActive: (companyId, family) => settings(companyId, family) !== undefined,
    begin(companyId, at) {
      for (const family of families) {
        if (of(companyId, family) !== undefined) continue;
        const times = { createdOn: at, modifiedOn: at };
        captures.put({ companyId, family, isActive: true, given: {}, ...times, ...untouched });
      }
    },
    set(companyId, family, isActive) {
      const before = of(companyId, family) ?? {
        companyId,
        family,
        given: {},
        createdOn: 0,
        modifiedOn: 0,
        ...untouched,
      };
      captures.put({ ...before, isActive });
    },
    change(companyId, family, changes) {
      const before = of(companyId, family);
      if (before !== undefined) captures.put({ ...before, ...changes });
    },
    save({ companyId, family, given }, at) {
      const before = of(companyId, family);
      const chosen = { companyId, family, given, isActive: true, modifiedOn: at };
      if (before?.isActive === true) return captures.put({ ...before, ...chosen });
      // What was released before, and a sweep that still runs, end with the registration.
      const sweep = before === undefined ? 0 : before.sweep + 1;
      captures.put({ ...untouched, ...before, ...chosen, createdOn: at, isReleased: false, sweep, swept: sweep });
    },
  };
}

export interface Certificates {
  /** Gives a valid certificate to a company that never had one. */
  begin(company: Holder, at: number): void;
  /** The company's certificate, whatever its standing; of several, the one in use. */
  of(companyId: string): StoredCertificate | undefined;
  /** The installed certificates, the one in use first. */
  list(companyId: string): readonly StoredCertificate[];
  put(certificate: StoredCertificate): void;
  /** Installs a certificate; the previous ones become inactive. */
  install(certificate: Omit<StoredCertificate, 'standing'>): void;
  /** Marks the company as having no certificate, so that none is invented. */
  withhold(company: Holder, at: number): void;
}

type Holder = Pick<KnownCompany, 'id' | 'name' | 'federalTaxNumber'>;

const dayMs = 86_400_000;
const shortestDays = 180;
const furtherDays = 185;

export function openCertificates(open: OpenCollection): Certificates {
  const certificates = open<StoredCertificate>({
    kind: 'certificate',
    idOf: ({ companyId, thumbprint }) => `${companyId}:${thumbprint}`,
    ownerOf: ({ companyId }) => companyId,
  });
  const all = (companyId: string) => certificates.of(companyId).toSorted(byUse);
  return {
    begin(company, at) {
      if (all(company.id).length === 0) certificates.put(inventCertificate(company, at));
    },
    of: (companyId) => all(companyId)[0],
    list: (companyId) => all(companyId).filter(({ standing }) => standing !== 'removed'),
    put: certificates.put,
    install(certificate) {
      for (const each of all(certificate.companyId)) {
        if (each.standing !== 'removed') certificates.put({ ...each, standing: 'inactive' });
      }
      certificates.put({ ...certificate, standing: 'installed' });
    },
    withhold: (company, at) => certificates.put({ ...inventCertificate(company, at), standing: 'removed' }),
  };
}

const ranks = { installed: 0, pending: 1, inactive: 1, removed: 2 } as const;

/** Installed before others, removed last. */
function byUse(one: StoredCertificate, other: StoredCertificate): number {
  return ranks[one.standing] - ranks[other.standing] || (one.thumbprint < other.thumbprint ? -1 : 1);
}

/** Valid for six to twelve months, like a real one. */
function inventCertificate({ id, name, federalTaxNumber }: Holder, at: number): StoredCertificate {
  const days = shortestDays + Math.floor(unitOf(`certificate:${id}`) * furtherDays);
  return {
    companyId: id,
    thumbprint: createHash('sha1').update(`certificate:${id}`).digest('hex').toUpperCase(),
    subject: `CN=${name}:${federalTaxNumber}, OU=AC Sandbox, O=ICP-Brasil, C=BR`,
    validUntil: at - (at % dayMs) + days * dayMs,
    standing: 'installed',
  };
}
