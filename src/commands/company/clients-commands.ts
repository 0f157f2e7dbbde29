import { argument, define, example, text, toggle } from '../../cli/define.js';
import { batchOptions, encodingOption } from '../../cli/options.js';

// No step is polled or billed.
const { onError, maxFailures, lockWait, stats, report } = batchOptions;

export const apply = define('Bring clients to a file', 'Deixa os clientes como em um arquivo', {
  description: {
    en: 'Compares companies, state and municipal registrations, certificates, captures and webhooks with a YAML, CSV or .xlsx file, shows the difference, asks, and sends it as one job: the company first, then its registrations, its certificate and its captures. What a file does not name stays as it is, and nothing is deleted. After an interruption the same command looks up what was sent and sends the rest; nothing is created twice. The file takes no secret: passwords of certificates come from --passwords-file or --password-command, the secret of a webhook from its secretFile. A table has one row per client and no webhooks. The next numbers of invoices and the start of a capture count only when they are created.',
    pt: 'Compara empresas, inscrições estaduais e municipais, certificados, capturas e webhooks com um arquivo YAML, CSV ou .xlsx, mostra a diferença, pede confirmação e a envia em um lote: primeiro a empresa, depois as inscrições, o certificado e as capturas. O que o arquivo não cita fica como está, e nada é excluído. Depois de uma interrupção, o mesmo comando consulta o que foi enviado e envia o resto; nada é criado duas vezes. O arquivo não aceita segredos: as senhas dos certificados vêm de --passwords-file ou --password-command, o segredo de um webhook do seu secretFile. Uma tabela tem uma linha por cliente e não tem webhooks. Os próximos números das notas e o início de uma captura só valem na criação.',
  },
  takes: { file: argument('The clients: .yaml, .csv or .xlsx', 'Os clientes: .yaml, .csv ou .xlsx') },
  options: {
    certificates: text(
      'folder',
      'Folder of PFX files; each belongs to the client of its CNPJ',
      'Pasta de arquivos PFX; cada um é do cliente do seu CNPJ',
    ),
    passwordsFile: text(
      'file',
      'Lines name=password: a PFX file, a CNPJ, or * for all others',
      'Linhas nome=senha: um arquivo PFX, um CNPJ, ou * para todos os outros',
    ),
    passwordCommand: text(
      'command',
      'Prints the password of the PFX file in FISCAL_PFX_FILE',
      'Mostra a senha do arquivo PFX em FISCAL_PFX_FILE',
    ),
    check: toggle(
      'Only compare: exit 13 where the account differs from the file',
      'Só compara: saída 13 quando a conta difere do arquivo',
    ),
    ...encodingOption,
    ...{ onError, maxFailures, lockWait, stats, report },
  },
  refusesCompany: true,
  examples: [
    example('clients.yaml --dry-run', 'The difference only', 'Só a diferença'),
    example(
      'clients.xlsx --certificates pfx --password-command "pass show $(basename $FISCAL_PFX_FILE)"',
      'With the certificates of a folder',
      'Com os certificados de uma pasta',
    ),
    example('clients.yaml --check', 'Every night, for an alarm', 'Toda noite, para um alerta'),
  ],
  exits: ['partial', 'calls', 'conflict', 'held', 'endedBadly', 'limitReached'],
  exitMeanings: {
    endedBadly: { en: 'with --check: the account differs from the file', pt: 'com --check: a conta difere do arquivo' },
    partial: {
      en: 'a step failed, was not sent, or could not be compared',
      pt: 'uma etapa falhou, não foi enviada ou não pôde ser comparada',
    },
  },
  view: async () => (await import('../../presenters/apply.js')).companyApplyView,
});

export const exportDefinition = define('Write the clients to a file', 'Grava os clientes em um arquivo', {
  description: {
    en: 'Reads every company of the account, or those of --company, with registrations, certificate and captures, and writes the file that "company apply" takes: with --check right after, nothing differs. The ending of the file says its form: .yaml (with the webhooks), .csv or .xlsx (one row per client). No secret is written.',
    pt: 'Lê todas as empresas da conta, ou as de --company, com inscrições, certificado e capturas, e grava o arquivo que "company apply" aceita: com --check logo depois, nada difere. A extensão do arquivo define a forma: .yaml (com os webhooks), .csv ou .xlsx (uma linha por cliente). Nenhum segredo é gravado.',
  },
  options: { out: text('file', 'A .yaml, .csv or .xlsx file', 'Um arquivo .yaml, .csv ou .xlsx') },
  scope: ['company'],
  examples: [
    example('--out clients.yaml', 'The whole account', 'A conta inteira'),
    example('--company padaria --out padaria.xlsx', 'One client, for a spreadsheet', 'Um cliente, para uma planilha'),
  ],
  exits: ['partial', 'calls'],
  exitMeanings: {
    partial: {
      en: 'a part could not be read and is missing in the file',
      pt: 'uma parte não pôde ser lida e falta no arquivo',
    },
  },
});
