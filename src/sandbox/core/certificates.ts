import { createHash } from 'node:crypto';
import type { KnownCompany } from './companies.js';
import { unitOf } from './chance.js';
import type { SandboxDatabase } from './database.js';

/** `removed`: the company has no certificate; the row prevents that a new one is invented. */
const standings = ['installed', 'pending', 'inactive', 'removed'] as const;
type Standing = (typeof standings)[number];

/** The certificate of a company. Times are milliseconds since the epoch. */
export interface StoredCertificate {
  readonly companyId: string;
  /** SHA-1, 40 hexadecimal digits. */
  readonly thumbprint: string;
  readonly subject: string;
  readonly validUntil: number;
  readonly standing: Standing;
}

export interface Certificates {
  /** Gives a valid certificate to every company that never had one. */
  begin(at: number): void;
  /** The company's certificate, whatever its standing; of several, the one in use. */
  of(companyId: string): StoredCertificate | undefined;
  /** The installed certificates, the one in use first. */
  list(companyId: string): readonly StoredCertificate[];
  put(certificate: StoredCertificate): void;
  /** Installs a certificate; the previous ones become inactive. */
  install(certificate: Omit<StoredCertificate, 'standing'>): void;
  /** Marks the company as having no certificate, so that none is invented. */
  withhold(company: Pick<KnownCompany, 'id' | 'name' | 'federalTaxNumber'>, at: number): void;
}

interface CertificateRow {
  company_id: string;
  thumbprint: string;
  subject: string;
  valid_until: number;
  standing: Standing;
}

const dayMs = 86_400_000;
const shortestDays = 180;
const furtherDays = 185;

export function openCertificates(database: SandboxDatabase): Certificates {
  const without = database.prepare<[], { id: string; name: string; federal_tax_number: string }>(
    `SELECT id, name, federal_tax_number FROM companies
     WHERE id NOT IN (SELECT company_id FROM certificates) ORDER BY position`,
  );
  const all = database.prepare<[string], CertificateRow>(
    `SELECT * FROM certificates WHERE company_id = ?
     ORDER BY standing = 'removed', standing <> 'installed', thumbprint`,
  );
  const put = database.prepare(
    `INSERT OR REPLACE INTO certificates (company_id, thumbprint, subject, valid_until, standing)
     VALUES (@companyId, @thumbprint, @subject, @validUntil, @standing)`,
  );
  const retire = database.prepare(
    "UPDATE certificates SET standing = 'inactive' WHERE company_id = ? AND standing <> 'removed'",
  );
  const of = (companyId: string) => all.all(companyId).map(toCertificate);
  return {
    begin(at) {
      for (const { id, name, federal_tax_number: federalTaxNumber } of without.all()) {
        put.run(inventCertificate({ id, name, federalTaxNumber }, at));
      }
    },
    of: (companyId) => of(companyId)[0],
    list: (companyId) => of(companyId).filter(({ standing }) => standing !== 'removed'),
    put: (certificate) => void put.run(certificate),
    install(certificate) {
      retire.run(certificate.companyId);
      put.run({ ...certificate, standing: 'installed' });
    },
    withhold: (company, at) => void put.run({ ...inventCertificate(company, at), standing: 'removed' }),
  };
}

/** Valid for six to twelve months, like a real one. */
function inventCertificate(
  { id, name, federalTaxNumber }: Pick<KnownCompany, 'id' | 'name' | 'federalTaxNumber'>,
  at: number,
): StoredCertificate {
  const days = shortestDays + Math.floor(unitOf(`certificate:${id}`) * furtherDays);
  return {
    companyId: id,
    thumbprint: createHash('sha1').update(`certificate:${id}`).digest('hex').toUpperCase(),
    subject: `CN=${name}:${federalTaxNumber}, OU=AC Sandbox, O=ICP-Brasil, C=BR`,
    validUntil: at - (at % dayMs) + days * dayMs,
    standing: 'installed',
  };
}

function toCertificate(row: CertificateRow): StoredCertificate {
  return {
    companyId: row.company_id,
    thumbprint: row.thumbprint,
    subject: row.subject,
    validUntil: row.valid_until,
    standing: row.standing,
  };
}
