import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import type { Context } from '../../services/context.js';

/** The password from a file, from stdin (`-`), or asked for; it is never an argument. Error: `usage.missing`. */
export async function gatherPassword(context: Context, io: Io, from: string | undefined): Promise<string> {
  if (from !== undefined) {
    const { readPassword } = await import('./read-files.js');
    return await readPassword(context, from);
  }
  if (io.mayAsk) {
    return await io.prompts.secret(
      io.language === 'pt' ? 'Senha do certificado' : 'Password of the certificate',
    );
  }
  throw new FiscalError(
    'usage.missing',
    { names: '--password-file' },
    {
      sent: 'no',
      hint: {
        en: 'without a terminal the password comes from a file, or from stdin: --password-file -',
        pt: 'sem terminal a senha vem de um arquivo ou do stdin: --password-file -',
      },
    },
  );
}
