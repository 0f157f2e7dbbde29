import type { Text } from '../../../contract/text.js';
import { FiscalError } from '../../../errors/fiscal-error.js';

export function brokenXlsx(path: string, reason: Text): FiscalError {
  return new FiscalError('input.syntax', { path, format: 'XLSX', reason }, { sent: 'no' });
}

export const unpacksTooFar: Text = {
  en: 'it unpacks to far more than its size; save the sheet as CSV',
  pt: 'descompactado, fica muito maior que o arquivo; salve a planilha como CSV',
};

export const beyondSpreadsheets: Text = {
  en: 'it holds more than a spreadsheet can; save the sheet as CSV',
  pt: 'contém mais do que uma planilha comporta; salve a planilha como CSV',
};

export const damaged: Text = { en: 'the file is damaged', pt: 'o arquivo está danificado' };
