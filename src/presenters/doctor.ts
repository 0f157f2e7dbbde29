import type { RenderOptions, View } from './render.js';
import { isRecord } from '../domain/record.js';
import { scalarText } from './scalar.js';
import { pad } from './width.js';

const words = {
  ok: { en: 'ok', pt: 'ok' },
  warn: { en: 'note', pt: 'atenção' },
  problem: { en: 'PROBLEM', pt: 'PROBLEMA' },
  differs: { en: 'DIFFERS', pt: 'DIFERE' },
  untested: { en: '–', pt: '–' },
} as const;

const indent = ' '.repeat(10);

/** One line per check, with what was asked and what to do below it. Requests of a dry run: one line each. */
export const doctorView: View = (data, options) => {
  const checks = Array.isArray(data) ? data.filter(isRecord) : [];
  return checks.flatMap((check) => {
    if (check['type'] === 'dry-run') return [requestLine(check)];
    const head = `${status(check['status'], options)}  ${options.paint.strong(nameOf(check['check'], options))}: ${spoken(check['found'], options)}`;
    const advice = spoken(check['advice'], options);
    return [
      head,
      ...evidenceLines(check['evidence'], options).map((line) => options.paint.dim(`${indent}${line}`)),
      ...(advice === '' ? [] : [`${indent}→ ${advice}`]),
    ];
  });
};

/** The names of checks are data; an operation is called as in commands. */
function nameOf(check: unknown, { language }: RenderOptions): string {
  const name = scalarText(check);
  return language === 'pt' && Object.hasOwn(names, name) ? (names[name] ?? name) : name;
}

const names: Readonly<Record<string, string>> = {
  configuration: 'configuração',
  'state folder': 'pasta de estado',
  store: 'arquivo de estado',
  addresses: 'endereços',
  company: 'empresa',
  certificate: 'certificado',
  'capture of NF-e': 'captura de NF-e',
  'capture of CT-e': 'captura de CT-e',
  'capture of NFS-e': 'captura de NFS-e',
  profile: 'perfil',
  service: 'serviço',
  clock: 'relógio',
  'invoice key': 'chave de emissão',
  'data key': 'chave de consulta',
  'shared store': 'estado compartilhado',
  archive: 'pasta de documentos',
  variables: 'variáveis',
  'step summary': 'resumo da etapa',
  'role Management': 'papel Management',
  'rate headers': 'cabeçalhos de limite',
  'not asked': 'não perguntado',
};

const withoutKey = { en: ' (without a key)', pt: ' (sem chave)' } as const;

/** `GET /v2/companies?limit=1 → 200`, for each request. */
function evidenceLines(evidence: unknown, { language }: RenderOptions): readonly string[] {
  const requests = Array.isArray(evidence) ? evidence.filter(isRecord) : [];
  return requests.map(({ asked, key, status: came, error }) => {
    const sent = key === null ? withoutKey[language] : '';
    return `${scalarText(asked)}${sent} → ${scalarText(came ?? error)}`;
  });
}

function requestLine({ host, key, asked }: Readonly<Record<string, unknown>>): string {
  return `${pad(scalarText(host), 14)} ${pad(key === null ? '–' : scalarText(key), 8)} ${scalarText(asked)}`;
}

function status(value: unknown, options: RenderOptions): string {
  const name = scalarText(value);
  if (!isStatus(name)) return pad(name, 8);
  const word = pad(words[name][options.language], 8);
  const { bad, warn, good, dim } = options.paint;
  const paints = { ok: good, warn, problem: bad, differs: bad, untested: dim };
  return paints[name](word);
}

function isStatus(value: string): value is keyof typeof words {
  return Object.hasOwn(words, value);
}

function spoken(text: unknown, options: RenderOptions): string {
  return isRecord(text) ? scalarText(text[options.language]) : '';
}
