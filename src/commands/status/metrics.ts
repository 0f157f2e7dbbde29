import { terminalText } from '../../domain/terminal-text.js';
import { type Activity, families } from '../../services/company/activity.js';
import type { CompanyCheck } from './row.js';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [Labels, number];

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/**
 * Pure. The companies as Prometheus text (exposition format 0.0.4): a line per metric and company, times in seconds since the
 * epoch. Unknown values have no line, so that no alert fires on a guess.
 */
export function metricsText(rows: readonly CompanyCheck[], now: number, activity?: Pick<Activity, 'of'>): string {
  return [...metricsOf(rows, now), ...(activity === undefined ? [] : ofSyncs(rows, activity))]
    .filter(({ samples }) => samples.length > 0)
    .map(textOf)
    .join('');
}

function metricsOf(rows: readonly CompanyCheck[], now: number): readonly Metric[] {
  return [
    { name: 'check_timestamp_seconds', help: 'When the companies were checked', samples: [[{}, now / 1000]] },
    {
      name: 'info',
      help: 'Name and tax number of a company',
      samples: rows.map((row) => [
        { ...company(row), name: row.companyName ?? '', federal_tax_number: row.companyTaxNumber ?? '' },
        1,
      ]),
    },
    {
      name: 'up',
      help: 'Whether everything of the company could be read',
      samples: rows.map((row) => [company(row), row.problems.some(({ code }) => unreadCodes.has(code)) ? 0 : 1]),
    },
    ...ofFamilies(rows),
    ...ofHistory(rows),
    ...ofCertificates(rows),
    ...ofTerms(rows),
    ...ofProblems(rows),
  ];
}

function ofFamilies(rows: readonly CompanyCheck[]): readonly Metric[] {
  const perFamily = (valueOf: (state: CompanyCheck['nfe']) => number | null): readonly Sample[] =>
    rows.flatMap((row) => families.flatMap((family) => known({ ...company(row), family }, valueOf(row[family]))));
  return [
    {
      name: 'capture_enabled',
      help: 'Whether a family of documents is captured',
      samples: perFamily(({ capture }) =>
        capture === 'unknown' || capture === 'unclear' ? null : Number(capture === 'on'),
      ),
    },
    {
      name: 'last_document_timestamp_seconds',
      help: 'When the newest document that was read was captured',
      samples: perFamily(({ lastDocumentOn }) => secondsOf(lastDocumentOn)),
    },
    {
      name: 'rate_limited_until_timestamp_seconds',
      help: 'Until when the capture is spaced; 0 when it is not',
      samples: perFamily(({ capture, rateLimitedUntil }) =>
        capture === 'on' ? (secondsOf(rateLimitedUntil) ?? 0) : null,
      ),
    },
    {
      name: 'start_from_timestamp_seconds',
      help: 'The cut-off of the capture',
      samples: perFamily(({ startFromDate }) => secondsOf(startFromDate)),
    },
  ];
}

function ofSyncs(rows: readonly CompanyCheck[], activity: Pick<Activity, 'of'>): readonly Metric[] {
  const samples = rows.flatMap((row) =>
    families.flatMap((family) => {
      const { at } = activity.of(row.companyId, family);
      return known({ ...company(row), family }, at === undefined ? null : at / 1000);
    }),
  );
  const help = 'When a sync of this machine, or of those that share its store, last read the lists to their end';
  return [{ name: 'last_sync_timestamp_seconds', help, samples }];
}

function ofHistory(rows: readonly CompanyCheck[]): readonly Metric[] {
  return [
    {
      name: 'hidden_documents',
      help: 'NFS-e before the cut-off that are hidden',
      samples: rows.flatMap((row) => known(company(row), row.backfill.hiddenDocumentsCount)),
    },
    {
      name: 'history_released',
      help: 'Whether the history of NFS-e before the cut-off was released',
      samples: rows.flatMap(({ backfill: { released }, ...row }) =>
        known(company(row), released === null ? null : Number(released)),
      ),
    },
  ];
}

function ofCertificates(rows: readonly CompanyCheck[]): readonly Metric[] {
  return [
    {
      name: 'certificate_valid',
      help: 'Whether a certificate is in use and valid',
      samples: rows.flatMap(({ certificate: { state }, ...row }) =>
        known(company(row), state === 'unknown' ? null : Number(state === 'valid')),
      ),
    },
    {
      name: 'certificate_expires_timestamp_seconds',
      help: 'When the certificate expires',
      samples: rows.flatMap((row) => known(company(row), secondsOf(row.certificate.validUntil))),
    },
  ];
}

function ofTerms(rows: readonly CompanyCheck[]): readonly Metric[] {
  return [
    {
      name: 'manifestation_terms',
      help: 'Manifestation terms without an event, as this machine knows them; earlier: lost before the others are counted',
      samples: rows.flatMap((row) =>
        termStates.flatMap((state) => known({ ...company(row), state }, row.manifestations[state])),
      ),
    },
    {
      name: 'documents_without_terms',
      help: 'Documents that lack what a manifestation term is computed from',
      samples: rows.flatMap((row) => known(company(row), row.manifestations.unreadable)),
    },
  ];
}

const termStates = ['open', 'sent', 'lost', 'presumed', 'unknown', 'earlier'] as const;

function ofProblems(rows: readonly CompanyCheck[]): readonly Metric[] {
  return [
    {
      name: 'problem',
      help: 'A problem of the company, by its code; 1 while it lasts',
      samples: rows.flatMap((row) =>
        distinct(
          row.problems.map(({ code, level, family }) => ({ ...company(row), code, level, family: family ?? '' })),
        ).map((labels): Sample => [labels, 1]),
      ),
    },
  ];
}

function company({ companyId }: Pick<CompanyCheck, 'companyId'>): Labels {
  return { company_id: companyId };
}

export const unreadCodes = new Set(['unreachable', 'forbidden', 'not_found', 'unreadable', 'other_company']);

function known(labels: Labels, value: number | null): readonly Sample[] {
  return value === null ? [] : [[labels, value]];
}

function secondsOf(time: string | null): number | null {
  return time === null ? null : Date.parse(time) / 1000;
}

/** Prometheus rejects a whole file that repeats a line with the same labels. */
function distinct(all: readonly Labels[]): readonly Labels[] {
  return [...new Map(all.map((labels) => [JSON.stringify(labels), labels])).values()];
}

function textOf({ name, help, samples }: Metric): string {
  const full = `fiscal_company_${name}`;
  const lines = samples.map(([labels, value]) => `${full}${labelText(labels)} ${value}\n`);
  return `# HELP ${full} ${help}\n# TYPE ${full} gauge\n${lines.join('')}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** The three escapes of the format; other control characters of a name are made visible. */
function escaped(value: string): string {
  return terminalText(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
