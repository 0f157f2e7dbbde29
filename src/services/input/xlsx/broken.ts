import type { Text } from '../../../contract/text.js';
import { FiscalError } from '../../../errors/fiscal-error.js';

export function brokenXlsx(path: string, reason: Text): FiscalError {
  return new FiscalError('input.syntax', { path, format: 'XLSX', reason }, { sent: 'no' });
}

export const damaged: Text = { en: 'the file is damaged', pt: 'o arquivo está danificado' };
