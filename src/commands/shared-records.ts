import {
  count,
  decimal,
  each,
  type Fields,
  flag,
  fromService,
  list,
  listOf,
  mapOf,
  orNull,
  type Output,
  type OutputSchema,
  anything,
  record,
  text,
  time,
} from '../cli/output-schema.js';

/** Where the company has a name, and its CNPJ is known. */
export const companyName: Fields = each(text, 'companyName companyTaxNumber');

export const company: Fields = { companyId: text, ...companyName };

/** A company for which the command failed, beside those for which it did not. */
export const failure: Fields = each(text, 'errorCode error sent');

/** Items by state. */
export const counts: Fields = each(
  count,
  'prepared sending pending succeeded rejected failed skipped uncertain cancelled',
);

/** What a change of fields does. */
export const changes: OutputSchema = listOf(record({ field: text }, each(anything, 'from to')));

/** The request that `--dry-run` shows, and the counts of what would be done. */
export const dryRun: OutputSchema = record(
  { type: { const: 'dry-run' } },
  {
    ...{ operation: text, family: text, ...company },
    request: record(each(text, 'method url'), { headers: mapOf(text), body: anything }),
    ...each(
      count,
      'records valid invalid changed leftOut companies sends billedCalls sending pending uncertain',
    ),
    ...each(count, 'hiddenDocumentsCount wouldBeHidden hides mayShow'),
    ...{ events: mapOf(count), labels: listOf(text), jobId: text, changes },
    ...{ certificate: fromService(), archive: text, layout: text, company: anything },
  },
);

/** With what `--dry-run` prints instead. */
export function withDryRun({ prints, records }: Output): Output {
  return { prints, records: { ...records, 'dry-run': dryRun } };
}

/** One item of a job, with the fields of its kind. */
export function itemRecord(own: Fields = {}): OutputSchema {
  return record(
    { line: count, ...each(text, 'label state') },
    { ...each(text, 'status lookup errorCode error duplicateOf'), ...own },
  );
}

/** The last record of a job. */
export function summaryRecord(own: Fields = {}): OutputSchema {
  return record(
    {
      ...{ jobId: text, total: count, ...counts, billedCalls: count },
      ...{ ...each(decimal, 'elapsedSeconds rate'), stopped: text, exitCode: count },
    },
    { ...each(count, 'billedUnknown freeRepeats lookupNotPossible invalid'), newStore: flag, ...own },
  );
}

/** The items of a job, then their sum. */
export function batch(item: Fields = {}, summary: Fields = {}): Output {
  return withDryRun(list({ item: itemRecord(item), summary: summaryRecord(summary) }));
}

/** A job as it is listed. */
export const jobFields: Fields = {
  ...each(text, 'id kind operation profile state commandLine'),
  ...each(time, 'createdAt updatedAt'),
  scope: { type: 'object', additionalProperties: true },
};

/** A file that was written, or that stands there already. */
const writtenFile: OutputSchema = record(
  { ...each(text, 'path sha256'), bytes: count },
  { contentType: text },
);

/** The bytes of a document on stdout, or the file that `--out` names. */
export function bytes(noun: string): Output {
  return withDryRun({ prints: 'bytes', records: { [noun]: writtenFile } });
}

/** How long a host is not asked, because the service wants it. */
export const wait: OutputSchema = record({ host: text, until: time, askedSeconds: orNull(count) });

const synced: Fields = each(
  count,
  'added changed archived summaries pdfs events quarantined gone failed outstanding bytes',
);
const syncedAtTimes: Fields = each(count, 'repaired unrepaired unreadable writtenOff notFinal');

/** What a sync of received or issued documents has brought. */
export const syncRecords: Output = withDryRun(
  list({
    company: record(
      { ...each(text, 'companyId family state'), ...synced },
      { ...companyName, ...each(text, 'errorCode error capture'), spacedUntil: time, ...syncedAtTimes },
    ),
    problem: record(each(text, 'companyId family key state code reason'), companyName),
    summary: record(
      {
        ...{ companies: count, ...synced, exitCode: count, archive: text },
        ...each(decimal, 'elapsedSeconds rate'),
      },
      syncedAtTimes,
    ),
  }),
);
