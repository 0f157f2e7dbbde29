import {
  count,
  each,
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

const stateTax: Fields = {
  ...each(text, 'id companyId code taxNumber type status environmentType jobId'),
  ...{ ...each(count, 'serie number'), ...each(time, 'createdOn modifiedOn') },
};

const municipalTax: Fields = {
  ...each(text, 'id companyId taxNumber status fiscalStatus rpsSerialNumber jobId'),
  ...{ city: fromService({ code: text }), rpsSerialNumbers: listOf(text) },
};

const alias = record({ ...each(text, 'alias companyId') }, { profile: text, removed: flag, ...companyName });

export const outputs: Outputs = {
  'company alias list': list({ company: alias }),
  'company alias remove': one({ company: alias }),
  'company alias set': one({ company: alias }),
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
        ...each(count, 'succeeded failed skipped uncertain prepared sending cancelled'),
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
  'company municipal-tax create': withDryRun(one({ company: fromService(municipalTax) })),
  'company municipal-tax get': one({ company: fromService(municipalTax) }),
  'company municipal-tax list': list({ company: fromService({ ...municipalTax, ...companyName }) }),
  'company municipal-tax update': withDryRun(one({ company: fromService(municipalTax) })),
  'company state-tax create': withDryRun(one({ company: fromService(stateTax) })),
  'company state-tax get': one({ company: fromService(stateTax) }),
  'company state-tax list': list({ company: fromService({ ...stateTax, ...companyName }) }),
  'company state-tax switch-authorizer': withDryRun(
    one({
      company: fromService({
        ...each(text, 'companyId stateTaxId toAuthorizer fromAuthorizer reason'),
        modifiedOn: time,
      }),
    }),
  ),
  'company state-tax update': withDryRun(one({ company: fromService(stateTax) })),
  'company update': withDryRun(one({ company: fromService(fields) })),
};
