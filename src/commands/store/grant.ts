import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { grantsFor, roleFault } from '../../store/postgres/grants.js';
import type { grant } from './commands.js';

/** The SQL that gives a role of PostgreSQL the least rights. Sends nothing, and needs no server. */
export async function grantRights(_context: Context, { role }: Given<typeof grant>): Promise<Outcome> {
  if (role === undefined) throw new FiscalError('usage.missing', { names: '--role' }, { sent: 'no' });
  const fault = roleFault(role);
  if (fault !== undefined) throw invalidValue('--role', role, faults[fault]);
  return await Promise.resolve({ data: `${grantsFor(role)}\n`, notices: [next] });
}

const faults: Readonly<Record<Exclude<ReturnType<typeof roleFault>, undefined>, Text>> = {
  empty: { en: 'the name of a role is expected', pt: 'espera-se o nome de um papel' },
  long: { en: 'at most 63 bytes are expected', pt: 'espera-se no máximo 63 bytes' },
  control: { en: 'no control characters are expected', pt: 'não pode ter caracteres de controle' },
  reserved: {
    en: 'public, none and names with pg_ in front are reserved by PostgreSQL',
    pt: 'public, none e nomes que começam com pg_ são reservados pelo PostgreSQL',
  },
};

const next: Text = {
  en: 'run this SQL as the owner of the tables, in the database of the store; create the login first, with a password of its own',
  pt: 'execute este SQL como dono das tabelas, no banco do estado; antes, crie o acesso, com uma senha própria',
};
