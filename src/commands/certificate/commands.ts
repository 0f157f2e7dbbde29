import { callExitCodes } from '../../cli/exit-codes.js';
import { type ArgumentSpec, type CommandGroup, defineCommand } from '../../cli/command.js';
import { certificateOption } from '../../cli/options.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';

const thumbprintArgument: ArgumentSpec = {
  name: 'thumbprint',
  required: true,
  summary: {
    en: 'SHA-1 of the certificate, with or without colons',
    pt: 'SHA-1 do certificado, com ou sem dois-pontos',
  },
};

const list = defineCommand({
  summary: {
    en: 'List the certificates of a company, or show one',
    pt: 'Lista os certificados de uma empresa, ou mostra um deles',
  },
  arguments: [{ ...thumbprintArgument, required: false }],
  options: {},
  scope: ['company'],
  examples: [
    {
      command: 'fiscal certificate list --company 55df4dc6b6cd9007e4f13ee8',
      summary: { en: 'Of one company', pt: 'De uma empresa' },
    },
    {
      command: 'fiscal certificate list 3F5A9C0E7B1D2468ACE013579BDF02468ACE1357 -o json',
      summary: {
        en: 'Whether the service has this one (else exit 9)',
        pt: 'Se o serviço tem este (senão, saída 9)',
      },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'thumbprint',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(['status', 'validUntil', 'thumbprint', 'subject'], {
      required: ['status', 'validUntil', 'thumbprint'],
    });
  },
  async run({ context, arguments: { thumbprint } }) {
    const { getCertificate, listCertificates } = await import('./read.js');
    return thumbprint === undefined ? listCertificates(context) : getCertificate(context, thumbprint);
  },
});

const upload = defineCommand({
  summary: { en: 'Upload the certificate of a company', pt: 'Envia o certificado de uma empresa' },
  description: {
    en: 'A PKCS #12 file (.pfx, .p12; A1). Checked here first: the password opens it, it is valid today, and it belongs to this company. The password comes from a prompt, a file or stdin, never from an argument; neither the password nor the file is kept.',
    pt: 'Um arquivo PKCS #12 (.pfx, .p12; A1). É conferido aqui antes do envio: a senha o abre, ele está dentro da validade e pertence a esta empresa. A senha é perguntada, ou lida de um arquivo ou do stdin, nunca de um argumento; nem ela nem o arquivo são gravados.',
  },
  options: {
    file: {
      kind: 'text',
      value: 'file',
      summary: { en: 'The .pfx or .p12 file', pt: 'O arquivo .pfx ou .p12' },
    },
    passwordFile: {
      kind: 'text',
      value: 'file',
      summary: {
        en: 'A file whose first line is the password; - for stdin (default: a prompt)',
        pt: 'Um arquivo cuja primeira linha é a senha; - para o stdin (padrão: é perguntada)',
      },
    },
    unchecked: {
      kind: 'toggle',
      summary: { en: 'Skip the local check', pt: 'Pula a conferência local' },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal certificate upload --company 55df4dc6b6cd9007e4f13ee8 --file padaria.pfx',
      summary: { en: 'Asks for the password', pt: 'Pergunta a senha' },
    },
    {
      command: 'fiscal certificate upload --file padaria.pfx --password-file - < password.txt',
      summary: { en: 'The password from stdin', pt: 'A senha pelo stdin' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  idField: 'thumbprint',
  async run({ context, io, options: { file, passwordFile, unchecked } }) {
    if (file === undefined) throw new FiscalError('usage.missing', { names: '--file' }, { sent: 'no' });
    const { gatherPassword, uploadCertificate } = await import('./write.js');
    const password = await gatherPassword(context, io, passwordFile);
    return uploadCertificate(context, { file, password, unchecked });
  },
});

const remove = defineCommand({
  summary: { en: 'Delete a certificate of a company', pt: 'Exclui um certificado de uma empresa' },
  description: {
    en: 'Without a usable certificate the captures of the company are spaced. Type the thumbprint again to confirm; without a terminal it needs --yes and --confirm.',
    pt: 'Sem um certificado utilizável, as capturas da empresa ficam bloqueadas por consumo indevido. Digite o thumbprint de novo para confirmar; sem terminal, use --yes e --confirm.',
  },
  arguments: [thumbprintArgument],
  options: {
    confirm: {
      kind: 'text',
      value: 'thumbprint',
      summary: { en: 'The thumbprint, to confirm', pt: 'O thumbprint, para confirmar' },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal certificate delete 3F5A9C0E7B1D2468ACE013579BDF02468ACE1357',
      summary: { en: 'Asks for the thumbprint', pt: 'Pede o thumbprint' },
    },
  ],
  exitCodes: callExitCodes,
  async run({ context, options: { confirm }, arguments: { thumbprint = '' } }) {
    const { deleteCertificate } = await import('./write.js');
    return deleteCertificate(context, { thumbprint, confirm });
  },
});

const check = defineCommand({
  summary: { en: 'Check when the certificates expire', pt: 'Verifica quando os certificados vencem' },
  description: {
    en: 'Checks every company of the account, or the named ones, and lists the first to expire on top. Exits 13 when one has expired or will expire within --warn, so that a daily run can alert you; 3 when a company cannot be read.',
    pt: 'Verifica todas as empresas da conta, ou as indicadas; o que vence primeiro fica no topo. Termina com 13 quando algum venceu ou vence dentro de --warn, para que uma execução diária possa alertar; 3 quando alguma empresa não pôde ser lida.',
  },
  options: {
    ...certificateOption,
    companies: {
      notWith: ['company'],
      kind: 'list',
      value: 'ids',
      summary: { en: 'Only these companies (default: all)', pt: 'Só estas empresas (padrão: todas)' },
    },
  },
  examples: [
    {
      command: 'fiscal certificate check --warn 30d',
      summary: { en: 'The whole account', pt: 'A conta inteira' },
    },
    {
      command: 'fiscal certificate check --warn 60d -o csv',
      summary: { en: 'For a spreadsheet', pt: 'Para uma planilha' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.endedBadly],
  exitMeanings: {
    [ExitCode.endedBadly]: {
      en: 'a certificate has expired, or expires within --warn',
      pt: 'um certificado venceu, ou vence dentro de --warn',
    },
    [ExitCode.partial]: { en: 'a company could not be read', pt: 'uma empresa não pôde ser lida' },
  },
  idField: 'companyId',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(['companyName', 'state', 'validUntil', 'daysLeft', 'companyTaxNumber', 'companyId'], {
      required: ['companyName', 'state', 'validUntil', 'daysLeft'],
    });
  },
  async run({ context, options: { warn, companies } }) {
    const { checkCertificates } = await import('./read.js');
    return checkCertificates(context, { warnMs: warn, companies });
  },
});

export const group: CommandGroup = {
  verbs: {
    list,
    upload,
    delete: remove,
    check,
  },
};
