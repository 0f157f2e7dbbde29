import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { batchOptions, batchOptionsOf, encodingOption } from '../../cli/options.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';

// No step is polled or billed.
const { onError, maxFailures, lockWait, stats, report } = batchOptions;

export const apply = defineCommand({
  summary: { en: 'Bring clients to a file', pt: 'Deixa os clientes como em um arquivo' },
  description: {
    en: 'Compares companies, state and municipal registrations, certificates, captures and webhooks with a YAML, CSV or .xlsx file, shows the difference, asks, and sends it as one job: the company first, then its registrations, its certificate and its captures. What a file does not name stays as it is, and nothing is deleted. After an interruption the same command looks up what was sent and sends the rest; nothing is created twice. The file takes no secret: passwords of certificates come from --passwords-file or --password-command, the secret of a webhook from its secretFile. A table has one row per client and no webhooks. The next numbers of invoices and the start of a capture count only when they are created.',
    pt: 'Compara empresas, inscrições estaduais e municipais, certificados, capturas e webhooks com um arquivo YAML, CSV ou .xlsx, mostra a diferença, pede confirmação e a envia em um lote: primeiro a empresa, depois as inscrições, o certificado e as capturas. O que o arquivo não cita fica como está, e nada é excluído. Depois de uma interrupção, o mesmo comando consulta o que foi enviado e envia o resto; nada é criado duas vezes. O arquivo não aceita segredos: as senhas dos certificados vêm de --passwords-file ou --password-command, o segredo de um webhook do seu secretFile. Uma tabela tem uma linha por cliente e não tem webhooks. Os próximos números das notas e o início de uma captura só valem na criação.',
  },
  arguments: [
    {
      name: 'file',
      required: true,
      summary: { en: 'The clients: .yaml, .csv or .xlsx', pt: 'Os clientes: .yaml, .csv ou .xlsx' },
    },
  ],
  options: {
    certificates: {
      kind: 'text',
      value: 'folder',
      summary: {
        en: 'Folder of PFX files; each belongs to the client of its CNPJ',
        pt: 'Pasta de arquivos PFX; cada um é do cliente do seu CNPJ',
      },
    },
    passwordsFile: {
      kind: 'text',
      value: 'file',
      summary: {
        en: 'Lines name=password: a PFX file, a CNPJ, or * for all others',
        pt: 'Linhas nome=senha: um arquivo PFX, um CNPJ, ou * para todos os outros',
      },
    },
    passwordCommand: {
      kind: 'text',
      value: 'command',
      summary: {
        en: 'Prints the password of the PFX file in FISCAL_PFX_FILE',
        pt: 'Mostra a senha do arquivo PFX em FISCAL_PFX_FILE',
      },
    },
    check: {
      kind: 'toggle',
      summary: {
        en: 'Only compare: exit 13 where the account differs from the file',
        pt: 'Só compara: saída 13 quando a conta difere do arquivo',
      },
    },
    ...encodingOption,
    ...{ onError, maxFailures, lockWait, stats, report },
  },
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal company apply clients.yaml --dry-run',
      summary: { en: 'The difference only', pt: 'Só a diferença' },
    },
    {
      command:
        'fiscal company apply clients.xlsx --certificates pfx --password-command "pass show $(basename $FISCAL_PFX_FILE)"',
      summary: { en: 'With the certificates of a folder', pt: 'Com os certificados de uma pasta' },
    },
    {
      command: 'fiscal company apply clients.yaml --check',
      summary: { en: 'Every night, for an alarm', pt: 'Toda noite, para um alerta' },
    },
  ],
  exitCodes: [
    ExitCode.partial,
    ...callExitCodes,
    ExitCode.conflict,
    ExitCode.held,
    ExitCode.endedBadly,
    ExitCode.limitReached,
  ],
  exitMeanings: {
    [ExitCode.endedBadly]: {
      en: 'with --check: the account differs from the file',
      pt: 'com --check: a conta difere do arquivo',
    },
    [ExitCode.partial]: {
      en: 'a step failed, was not sent, or could not be compared',
      pt: 'uma etapa falhou, não foi enviada ou não pôde ser comparada',
    },
  },
  view: async () => (await import('../../presenters/company-apply.js')).companyApplyView,
  async run({ context, options, arguments: { file = '' } }) {
    const { applyClients } = await import('./clients-apply.js');
    const {
      certificates: folder,
      passwordsFile,
      passwordCommand,
      check,
      encoding,
      sheet,
      ...batch
    } = options;
    return await applyClients(context, {
      ...{ file, check, encoding, sheet, certificates: { folder, passwordsFile, passwordCommand } },
      options: batchOptionsOf({
        ...batch,
        ...{ wait: false, timeout: 0, interval: 1_000, retryBillable: false },
        ...{ maxBillable: undefined, metricsFile: undefined },
      }),
    });
  },
});

export const exportCommand = defineCommand({
  summary: { en: 'Write the clients to a file', pt: 'Grava os clientes em um arquivo' },
  description: {
    en: 'Reads every company of the account, or those of --company, with registrations, certificate and captures, and writes the file that "company apply" takes: with --check right after, nothing differs. The ending of the file says its form: .yaml (with the webhooks), .csv or .xlsx (one row per client). No secret is written.',
    pt: 'Lê todas as empresas da conta, ou as de --company, com inscrições, certificado e capturas, e grava o arquivo que "company apply" aceita: com --check logo depois, nada difere. A extensão do arquivo define a forma: .yaml (com os webhooks), .csv ou .xlsx (uma linha por cliente). Nenhum segredo é gravado.',
  },
  options: {
    out: {
      kind: 'text',
      value: 'file',
      summary: { en: 'A .yaml, .csv or .xlsx file', pt: 'Um arquivo .yaml, .csv ou .xlsx' },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal company export --out clients.yaml',
      summary: { en: 'The whole account', pt: 'A conta inteira' },
    },
    {
      command: 'fiscal company export --company padaria --out padaria.xlsx',
      summary: { en: 'One client, for a spreadsheet', pt: 'Um cliente, para uma planilha' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes],
  exitMeanings: {
    [ExitCode.partial]: {
      en: 'a part could not be read and is missing in the file',
      pt: 'uma parte não pôde ser lida e falta no arquivo',
    },
  },
  async run({ context, options: { out } }) {
    if (out === undefined) throw new FiscalError('usage.missing', { names: '--out' }, { sent: 'no' });
    const { exportClients } = await import('./clients-export.js');
    return await exportClients(context, out);
  },
});
