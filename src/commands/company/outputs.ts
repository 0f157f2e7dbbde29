import {
  called,
  each,
  either,
  type Fields,
  fromService,
  list,
  listOf,
  one,
  type Outputs,
  record,
  titled,
  usual,
} from '../../presenters/record.js';
import { address, changes, companyName } from '../shared-records.js';

const fields: Fields = {
  ...usual('id name tradeName jobId status createdOn modifiedOn'),
  ...each('text', 'taxRegime'),
  ...each('textOrNumber', 'federalTaxNumber: CNPJ | CNPJ'),
  ...each(address, 'address: endereço'),
  ...each(listOf('text'), 'stateTaxes, municipalTaxes'),
};

const registration: Fields = {
  ...usual(`kind id companyId code taxNumber type jobId status serie number createdOn modifiedOn environmentType
    rpsSerialNumber`),
  ...each('text', 'fiscalStatus: situação fiscal'),
  ...each(fromService('code', {}, { ...usual('name'), ...each('text', 'state: UF | UF') }), 'city: município'),
  ...each(listOf('text'), 'rpsSerialNumbers'),
};

const registrationSeen: Fields = {
  ...usual('environment series'),
  ...each('count', 'rpsNumber: RPS number | número do RPS'),
};

const alias = record('alias companyId', { ...usual('profile removed'), ...companyName });

export const outputs: Outputs = {
  'company alias': either({ company: alias }),
  'company apply': list({
    item: record('line label step resource action', {
      ...usual('state status lookup errorCode resourceId companyId error'),
      ...each(changes, 'changes: alterações'),
      ...companyName,
    }),
    summary: called(
      'In total | No total',
      {
        ...usual('total create update unchanged blocked unread exitCode'),
        ...each('count', 'clients: clientes, extra: fora do arquivo'),
      },
      'succeeded failed rejected skipped uncertain prepared sending pending cancelled dryRun jobId stopped errorCode',
    ),
  }),
  'company create': one({ company: fromService(fields) }),
  'company delete': one({ company: record('id deleted') }),
  'company export': one({
    company: record('path companies webhooks', {
      unread: titled(
        'not read | não lidos',
        listOf(record({ ...usual('errorCode error'), ...each('text', 'what: o quê') })),
      ),
    }),
  }),
  'company get': one({ company: fromService(fields) }),
  'company list': list({ company: fromService({ ...usual('alias'), ...fields }) }),
  'company registration create': one({ company: fromService(registration, {}, registrationSeen) }),
  'company registration get': one({ company: fromService(registration, {}, registrationSeen) }),
  'company registration list': list({
    company: fromService(
      { ...registration, ...companyName },
      {},
      // The columns that both kinds share.
      { ...registrationSeen, ...each('word', 'sphere: kind | esfera'), ...each('text', 'place: local') },
    ),
  }),
  'company registration switch-authorizer': one({
    company: fromService({
      ...usual('companyId reason modifiedOn'),
      ...each('text', 'stateTaxId, toAuthorizer, fromAuthorizer'),
    }),
  }),
  'company registration update': one({ company: fromService(registration, {}, registrationSeen) }),
  'company update': one({ company: fromService(fields) }),
};
