import type { SandboxDatabase } from '../core/database.js';

export type RegistrationKind = 'state' | 'municipal';

/** A tax registration of a company. Times are milliseconds since the epoch. */
export interface StoredRegistration {
  readonly id: string;
  readonly companyId: string;
  readonly kind: RegistrationKind;
  /** The body as sent, without its wrapper. */
  readonly content: Readonly<Record<string, unknown>>;
  /** Who authorises the invoices of a state registration; no read shows it (published). */
  readonly authorizer: string;
  readonly createdOn: number;
  readonly modifiedOn: number;
}

/** The registrations in order of creation. */
export interface TaxRegistrations {
  insert(registration: StoredRegistration): void;
  /** Replaces content, authorizer and time of change. */
  replace(registration: StoredRegistration): void;
  get(companyId: string, kind: RegistrationKind, id: string): StoredRegistration | undefined;
  /** A page after the registration `startingAfter`; `undefined` if the company has no such registration. */
  page(
    companyId: string,
    kind: RegistrationKind,
    page: { readonly limit: number; readonly startingAfter: string | undefined },
  ): readonly StoredRegistration[] | undefined;
}

interface RegistrationRow {
  position: number;
  id: string;
  company_id: string;
  kind: RegistrationKind;
  content: string;
  authorizer: string;
  created_on: number;
  modified_on: number;
}

export function openTaxRegistrations(database: SandboxDatabase): TaxRegistrations {
  const insert = database.prepare(
    `INSERT INTO tax_registrations (id, company_id, kind, content, authorizer, created_on, modified_on)
     VALUES (@id, @companyId, @kind, @content, @authorizer, @createdOn, @modifiedOn)`,
  );
  const replace = database.prepare(
    `UPDATE tax_registrations SET content = @content, authorizer = @authorizer, modified_on = @modifiedOn
     WHERE id = @id`,
  );
  const get = database.prepare<[string, string, string], RegistrationRow>(
    'SELECT * FROM tax_registrations WHERE company_id = ? AND kind = ? AND id = ?',
  );
  const page = database.prepare<[string, string, number, number], RegistrationRow>(
    'SELECT * FROM tax_registrations WHERE company_id = ? AND kind = ? AND position > ? ORDER BY position LIMIT +?',
  );
  const asRow = (registration: StoredRegistration) => ({
    ...registration,
    content: JSON.stringify(registration.content),
  });
  return {
    insert: (registration) => void insert.run(asRow(registration)),
    replace: (registration) => void replace.run(asRow(registration)),
    get(companyId, kind, id) {
      const row = get.get(companyId, kind, id);
      return row && toRegistration(row);
    },
    page(companyId, kind, { limit, startingAfter }) {
      const after = startingAfter === undefined ? { position: 0 } : get.get(companyId, kind, startingAfter);
      return after && page.all(companyId, kind, after.position, limit).map(toRegistration);
    },
  };
}

function toRegistration(row: RegistrationRow): StoredRegistration {
  return {
    id: row.id,
    companyId: row.company_id,
    kind: row.kind,
    content: JSON.parse(row.content),
    authorizer: row.authorizer,
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
  };
}
