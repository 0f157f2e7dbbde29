import type { Text } from '../contract/text.js';
import { formatCnpj } from '../domain/tax-number.js';
import { isRecord } from '../domain/record.js';
import { doctorView } from './doctor.js';
import type { View } from './render.js';
import { scalarText } from './scalar.js';
import { pad } from './width.js';

const words = {
  profile: { en: 'Profile', pt: 'Perfil' },
  company: { en: 'Company', pt: 'Empresa' },
  archive: { en: 'Archive', pt: 'Pasta de documentos' },
  completion: { en: 'Completion', pt: 'Completar' },
  checks: { en: 'What was checked', pt: 'O que foi verificado' },
  next: { en: 'Next', pt: 'Próximos comandos' },
} as const satisfies Readonly<Record<string, Text>>;

/** What was stored, what was seen of it, and the next commands. */
export const setupView: View = (data, options) => {
  if (!isRecord(data)) return [];
  const { paint, language } = options;
  const { profile, company, archive, completion, checks, next } = data;
  const rows = [
    [words.profile, scalarText(profile)],
    [words.company, companyText(company)],
    [words.archive, scalarText(archive)],
    [words.completion, isRecord(completion) ? scalarText(completion['file']) : ''],
  ] as const;
  const width = Math.max(...rows.map(([title]) => title[language].length)) + 2;
  const heading = (text: Text): readonly string[] => ['', paint.strong(`${text[language]}:`)];
  return [
    ...rows
      .filter(([, value]) => value !== '')
      .map(([title, value]) => paint.strong(pad(title[language], width)) + value),
    ...(Array.isArray(checks) ? [...heading(words.checks), ...doctorView(checks, options)] : []),
    ...(Array.isArray(next) ? [...heading(words.next), ...next.map((line) => `  ${scalarText(line)}`)] : []),
  ];
};

function companyText(company: unknown): string {
  if (!isRecord(company)) return '';
  const { id, name, taxNumber } = company;
  const number = typeof taxNumber === 'string' ? formatCnpj(taxNumber) : '';
  const known = [scalarText(name), number].filter((part) => part !== '');
  return known.length === 0 ? scalarText(id) : known.join('  ');
}
