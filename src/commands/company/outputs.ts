import {
  count,
  each,
  either,
  type Fields,
  flag,
  fromService,
  list,
  listOf,
  one,
  type Outputs,
  record,
  text,
  textOrNumber,
  time,
} from '../../cli/output-schema.js';
import { changes, companyName, withDryRun } from '../shared-records.js';

const fields: Fields = {
  ...{ ...each(text, 'id name tradeName status taxRegime jobId'), federalTaxNumber: textOrNumber },
  ...{ address: fromService(), ...each(listOf(text), 'stateTaxes municipalTaxes') },
  ...each(time, 'createdOn modifiedOn'),
};

const registration: Fields = {
  kind: text,
  ...each(text, 'id companyId code taxNumber type status environmentType fiscalStatus rpsSerialNumber jobId'),
  ...{ ...each(count, 'serie number'), ...each(time, 'createdOn modifiedOn') },
  ...{ city: fromService({ code: text }), rpsSerialNumbers: listOf(text) },
};

const alias = record({ ...each(text, 'alias companyId') }, { profile: text, removed: flag, ...companyName });

export const outputs: Outputs = {
  'company alias': either({ company: alias }),
  'company apply': list({
    item: record(
      { line: count, ...each(text, 'label action step resource') },
      {
        ...each(text, 'state status lookup errorCode error resourceId companyId'),
        ...{ ...companyName, changes },
      },
    ),
    summary: record(
      { ...each(count, 'clients total create update unchanged blocked unread extra exitCode') },
      {
        ...each(count, 'succeeded failed rejected skipped uncertain prepared sending pending cancelled'),
        dryRun: flag,
        jobId: text,
      },
    ),
  }),
  'company create': withDryRun(one({ company: fromService(fields) })),
  'company delete': withDryRun(one({ company: record({ id: text, deleted: flag }) })),
  'company export': one({
    company: record(
      { path: text, ...each(count, 'companies webhooks') },
      { unread: listOf(record(each(text, 'what errorCode error'))) },
    ),
  }),
  'company get': one({ company: fromService(fields) }),
  'company list': list({ company: fromService({ ...fields, alias: text }) }),
  'company registration create': withDryRun(one({ company: fromService(registration) })),
  'company registration get': one({ company: fromService(registration) }),
  'company registration list': list({ company: fromService({ ...registration, ...companyName }) }),
  'company registration switch-authorizer': withDryRun(
    one({
      company: fromService({
        ...each(text, 'companyId stateTaxId toAuthorizer fromAuthorizer reason'),
        modifiedOn: time,
      }),
    }),
  ),
  'company registration update': withDryRun(one({ company: fromService(registration) })),
  'company update': withDryRun(one({ company: fromService(fields) })),
};
