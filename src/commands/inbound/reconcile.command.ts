import { batchOptions, batchOptionsOf } from '../../cli/batch-options.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand, inModes } from '../../cli/command.js';
import { knownCompaniesOption } from '../../cli/company-options.js';
import { ExitCode } from '../../errors/exit-code.js';

export const command = defineCommand({
  summary: {
    en: 'Compare the documents of the ERP with the captured ones',
    pt: 'Compara os documentos do ERP com os capturados',
  },
  description: {
    en: 'From a list of keys (CSV, NDJSON, JSON) or a SPED Fiscal file (C100 and D100; own issues are left out). Tells what only the ERP has, what was only captured, and what was cancelled since. With several companies a key matches when any of them has it. Offline, unless --fetch captures by key the NFS-e that are missing (billed). A SPED file and --fetch are for one company. Ends 0 only without differences; 3 also when no sync has read the lists of a company.',
    pt: 'De uma lista de chaves (CSV, NDJSON, JSON) ou de um arquivo SPED Fiscal (C100 e D100; emissão própria fica de fora). Diz o que só o ERP tem, o que só foi capturado e o que foi cancelado depois. Com várias empresas, uma chave confere quando alguma delas a tem. Sem rede, a não ser que --fetch capture pela chave as NFS-e que faltam (cobrado). Um arquivo SPED e --fetch valem para uma só empresa. Só termina com 0 sem diferenças; com 3 também quando nenhuma sincronização leu as listas de uma empresa.',
  },
  options: {
    erp: {
      kind: 'text',
      value: 'file',
      summary: { en: 'The list of the ERP; - for stdin', pt: 'A lista do ERP; - para o stdin' },
    },
    month: {
      kind: 'text',
      value: 'yyyy-mm',
      summary: {
        en: 'Month of issue of what was captured (a SPED file tells its own)',
        pt: 'Mês de emissão do que foi capturado (um arquivo SPED diz o seu)',
      },
    },
    type: {
      kind: 'list',
      value: 'types',
      summary: { en: 'Only these: nfe, cte, nfse', pt: 'Só estes: nfe, cte, nfse' },
    },
    fetch: {
      kind: 'toggle',
      summary: {
        en: 'Capture by key the NFS-e that only the ERP has (billed)',
        pt: 'Captura pela chave as NFS-e que só o ERP tem (cobrado)',
      },
    },
    ...knownCompaniesOption,
    ...inModes(batchOptions, { onlyWith: ['fetch'] }),
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound reconcile --erp keys.csv --month 2026-10',
      summary: { en: 'A list of keys', pt: 'Uma lista de chaves' },
    },
    {
      command: 'fiscal inbound reconcile --erp keys.csv --month 2026-10 --company acme,sol',
      summary: { en: 'One list for two companies', pt: 'Uma lista para duas empresas' },
    },
    {
      command: 'fiscal inbound reconcile --erp keys.csv --month 2026-10 --fetch --max-billable 50 --yes',
      summary: { en: 'And capture at most 50 NFS-e', pt: 'E captura no máximo 50 NFS-e' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.pending, ExitCode.held, ExitCode.limitReached],
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView([
      'type',
      'kind',
      'companyName',
      'family',
      'key',
      'line',
      'issuer',
      'issuedOn',
      'amountText',
      'state',
    ]);
  },
  async run({ context, options }) {
    const { reconcile } = await import('./reconcile.js');
    const { familiesOf } = await import('./close-families.js');
    const { erp, month, fetch, allCompanies } = options;
    const families = familiesOf(options.type);
    return reconcile(context, {
      ...{ erp, month, families, fetch, allCompanies },
      options: batchOptionsOf(options),
    });
  },
});
