import type { InboundFamily } from '../../contract/inbound.js';
import type { SandboxDatabase } from './database.js';

/** The families of documents that a company can capture. */
export const families = ['nfe', 'cte', 'nfse'] as const satisfies readonly InboundFamily[];
export type Family = InboundFamily;

/** The capture settings of a company and family, as sent. Times are milliseconds. */
export interface CaptureSettings {
  readonly given: Readonly<Record<string, unknown>>;
  readonly createdOn: number;
  readonly modifiedOn: number;
  /** §2: capture is spaced until then; the company stays active. */
  readonly spacedUntil: number | null;
}

interface ChosenSettings {
  readonly companyId: string;
  readonly family: Family;
  readonly given: CaptureSettings['given'];
  readonly at: number;
}

/** The inbound captures of companies and their settings. */
export interface Captures {
  /** Enables all families for the account's company; keeps existing rows. */
  begin(companyId: string, at: number): void;
  /** Switches a family without changing its settings. */
  set(companyId: string, family: Family, active: boolean): void;
  isActive(companyId: string, family: Family): boolean;
  /** The companies of a tenant with this family active, at most `limit`. */
  active(tenantId: string, family: Family, limit: number): readonly string[];
  /** The companies of a tenant that are or were registered for a family, in order of their creation. */
  registered(tenantId: string, family: Family): readonly Registered[];
  /** The settings of a registration, active or not. */
  registration(companyId: string, family: Family): CaptureSettings | undefined;
  /** `undefined` without an active capture. */
  settings(companyId: string, family: Family): CaptureSettings | undefined;
  /** Saves the settings and activates the family. An active family keeps its creation time and its release. */
  save(chosen: ChosenSettings): void;
  /** Moves the creation time of the capture back to `at`. */
  enabledBy(companyId: string, family: Family, at: number): void;
  space(companyId: string, family: Family, until: number | null): void;
  /** True for inactive registrations too. */
  isRegistered(companyId: string, family: Family): boolean;
  /** The NSU after which the capture continues; 0 unless it was reset. */
  fromNsu(companyId: string, family: Family): number;
  setFromNsu(companyId: string, family: Family, nsu: number): void;
}

interface Registered {
  readonly companyId: string;
  readonly isActive: boolean;
}

interface SettingsRow {
  settings: string;
  created_on: number;
  modified_on: number;
  spaced_until: number | null;
}

export function openCaptures(database: SandboxDatabase): Captures {
  const begin = database.prepare(
    `INSERT INTO captures (company_id, family, active, created_on, modified_on) VALUES (?, ?, 1, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const set = database.prepare(
    `INSERT INTO captures (company_id, family, active) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET active = excluded.active`,
  );
  const find = database.prepare<[string, string], { active: number }>(
    'SELECT active FROM captures WHERE company_id = ? AND family = ?',
  );
  const active = database.prepare<[string, string, number], { company_id: string }>(
    `SELECT captures.company_id FROM captures JOIN companies ON companies.id = captures.company_id
     WHERE tenant_id = ? AND family = ? AND active = 1 AND deleted_on IS NULL LIMIT +?`,
  );
  const registered = database.prepare<[string, string], { company_id: string; active: number }>(
    `SELECT captures.company_id, captures.active FROM captures JOIN companies ON companies.id = captures.company_id
     WHERE tenant_id = ? AND family = ? AND deleted_on IS NULL ORDER BY companies.position`,
  );
  return {
    registered: (tenantId, family) =>
      registered
        .all(tenantId, family)
        .map((row) => ({ companyId: row.company_id, isActive: row.active === 1 })),
    begin(companyId, at) {
      for (const family of families) begin.run(companyId, family, at, at);
    },
    set: (companyId, family, isActive) => void set.run(companyId, family, isActive ? 1 : 0),
    isActive: (companyId, family) => find.get(companyId, family)?.active === 1,
    isRegistered: (companyId, family) => find.get(companyId, family) !== undefined,
    active: (tenantId, family, limit) => active.all(tenantId, family, limit).map((row) => row.company_id),
    ...openSettings(database),
    ...openSequence(database),
  };
}

function openSettings(
  database: SandboxDatabase,
): Pick<Captures, 'settings' | 'registration' | 'save' | 'enabledBy' | 'space'> {
  const registration = database.prepare<[string, string], SettingsRow>(
    'SELECT * FROM captures WHERE company_id = ? AND family = ?',
  );
  const settings = database.prepare<[string, string], SettingsRow>(
    'SELECT * FROM captures WHERE company_id = ? AND family = ? AND active = 1',
  );
  const save = database.prepare(
    `INSERT INTO captures (company_id, family, active, settings, created_on, modified_on)
     VALUES (@companyId, @family, 1, @text, @at, @at)
     ON CONFLICT DO UPDATE SET settings = @text, modified_on = @at, active = 1,
       created_on = CASE active WHEN 1 THEN created_on ELSE @at END,
       released = CASE active WHEN 1 THEN released ELSE 0 END,
       sweep = CASE active WHEN 1 THEN sweep ELSE sweep + 1 END,
       swept = CASE active WHEN 1 THEN swept ELSE sweep + 1 END`,
  );
  const enabledBy = database.prepare(
    'UPDATE captures SET created_on = MIN(created_on, ?) WHERE company_id = ? AND family = ?',
  );
  const space = database.prepare('UPDATE captures SET spaced_until = ? WHERE company_id = ? AND family = ?');
  return {
    registration(companyId, family) {
      const row = registration.get(companyId, family);
      return row && toSettings(row);
    },
    settings(companyId, family) {
      const row = settings.get(companyId, family);
      return row && toSettings(row);
    },
    save: ({ given, ...chosen }) => void save.run({ ...chosen, text: JSON.stringify(given) }),
    enabledBy: (companyId, family, at) => void enabledBy.run(at, companyId, family),
    space: (companyId, family, until) => void space.run(until, companyId, family),
  };
}

function openSequence(database: SandboxDatabase): Pick<Captures, 'fromNsu' | 'setFromNsu'> {
  const find = database.prepare<[string, string], { from_nsu: number }>(
    'SELECT from_nsu FROM captures WHERE company_id = ? AND family = ?',
  );
  const set = database.prepare('UPDATE captures SET from_nsu = ? WHERE company_id = ? AND family = ?');
  return {
    fromNsu: (companyId, family) => find.get(companyId, family)?.from_nsu ?? 0,
    setFromNsu: (companyId, family, nsu) => void set.run(nsu, companyId, family),
  };
}

function toSettings(row: SettingsRow): CaptureSettings {
  return {
    given: JSON.parse(row.settings),
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
    spacedUntil: row.spaced_until,
  };
}
