import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { gatherPassword } from './password.js';

export const command = defineCommand({
  summary: { en: 'Upload the certificate of a company', pt: 'Envia o certificado de uma empresa' },
  description: {
    en: 'A PKCS #12 file (.pfx, .p12; A1). It is looked at here first: whether the password opens it, whether it is in its time, whether it is of this company. The password is asked for, or read from a file or stdin; it is never an argument, and neither it nor the file is kept.',
    pt: 'Um arquivo PKCS #12 (.pfx, .p12; A1). Ele é conferido aqui antes: se a senha o abre, se está no prazo, se é desta empresa. A senha é perguntada, ou lida de um arquivo ou do stdin; nunca é argumento, e nem ela nem o arquivo ficam guardados.',
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
        en: 'A file whose first line is the password; - for stdin (default: it is asked for)',
        pt: 'Um arquivo cuja primeira linha é a senha; - para o stdin (padrão: é perguntada)',
      },
    },
    unchecked: {
      kind: 'toggle',
      summary: { en: 'Let only the service look at it', pt: 'Deixa a conferência só para o serviço' },
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
    const { uploadCertificate } = await import('./upload.js');
    const password = await gatherPassword(context, io, passwordFile);
    return uploadCertificate(context, { file, password, unchecked });
  },
});
