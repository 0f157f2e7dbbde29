import { stat } from 'node:fs/promises';
import { FiscalError } from '../../errors/fiscal-error.js';
import { stateFile } from '../../store/state-file.js';
import { problemOf, type Check } from './check.js';

const check = 'store';

/** The store is whole and of a schema that this program knows. It is only read. */
export async function checkStore(stateFolder: string): Promise<Check> {
  const path = stateFile(stateFolder);
  const file = await stat(path).catch(() => undefined);
  if (file === undefined) {
    return { check, status: 'ok', found: { en: `${path} is not there yet`, pt: `${path} ainda não existe` } };
  }
  try {
    const { inspectStore } = await import('../../store/sqlite/inspect.js');
    const { schema, known, faults } = await inspectStore(path);
    const [fault] = faults;
    if (fault !== undefined) throw new FiscalError('store.damaged', { path, reason: fault });
    if (schema > known) return newer(path, { schema, known });
    const found = { en: `${path} is whole, schema ${schema}`, pt: `${path} está íntegro, esquema ${schema}` };
    return { check, status: 'ok', found };
  } catch (error) {
    return problemOf(check, error, {
      en: 'restore the file from a backup; or move it away and check with the service what was sent before you send again',
      pt: 'restaure o arquivo de um backup; ou mova-o e confira com o serviço o que já foi enviado antes de enviar de novo',
    });
  }
}

function newer(path: string, { schema, known }: { readonly schema: number; readonly known: number }): Check {
  return problemOf(check, new FiscalError('store.newer', { path, found: schema, known }), {
    en: 'update fiscal on this machine',
    pt: 'atualize o fiscal nesta máquina',
  });
}
