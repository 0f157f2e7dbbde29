import type { Language, Text } from '../contract/text.js';
import { counted, type Forms } from '../domain/counted.js';
import { isRecord } from '../domain/record.js';
import { scalarText } from './scalar.js';
import type { View } from './render.js';
import { defaultView } from './generic.js';

const forms = {
  files: { en: ['XML file', 'XML files'], pt: ['arquivo XML', 'arquivos XML'] },
  added: { en: ['added', 'added'], pt: ['acrescentado', 'acrescentados'] },
  known: { en: ['there already', 'there already'], pt: ['já estava lá', 'já estavam lá'] },
  refused: { en: ['refused', 'refused'], pt: ['recusado', 'recusados'] },
  notes: { en: ['note received', 'notes received'], pt: ['nota recebida', 'notas recebidas'] },
  issued: { en: ['note issued', 'notes issued'], pt: ['nota emitida', 'notas emitidas'] },
  summaries: { en: ['summary', 'summaries'], pt: ['resumo', 'resumos'] },
  events: { en: ['event', 'events'], pt: ['evento', 'eventos'] },
} as const satisfies Readonly<Record<string, Forms>>;

/** What the sandbox took of a folder: a line for each file that it refused, then the counts. Anything else as usual. */
export const sandboxFilesView: View = (data, options) => {
  const records = Array.isArray(data) ? data.filter(isRecord) : [];
  const summary = records.find(({ type }) => type === 'summary');
  if (summary === undefined) return defaultView(data, options);
  const { language, paint } = options;
  const say = (name: keyof typeof forms) => counted(Number(summary[name]), forms[name])[language];
  const refused = records
    .filter(({ type }) => type === 'refused')
    .map(({ file, reason }) => `${paint.bad(scalarText(file))}: ${reasonIn(reason, language)}`);
  return [
    ...refused,
    `${say('files')}: ${say('added')}, ${say('known')}, ${say('refused')}`,
    `${words.taken[language]}: ${say('notes')}, ${say('issued')}, ${say('summaries')}, ${say('events')}`,
  ];
};

function reasonIn(reason: unknown, language: Language): string {
  return isRecord(reason) ? scalarText(reason[language]) : '';
}

const words = { taken: { en: 'taken as', pt: 'entraram como' } } as const satisfies Readonly<Record<string, Text>>;

interface Ready {
  readonly url: string;
  readonly tenantId: string;
  readonly companyId: string;
}

/** The text shown when the sandbox is ready. Only the machine-readable line contains the keys. */
export function readyText(ready: Ready, language: Language): string {
  const { url, tenantId, companyId } = ready;
  const text: Text = {
    en: `The sandbox is running at ${url}\n  tenant   ${tenantId}\n  company  ${companyId}\nUse it with --profile sandbox; with -o json this line contains the keys. Ctrl-C stops it; its data is kept.\n`,
    pt: `O sandbox responde em ${url}\n  tenant   ${tenantId}\n  empresa  ${companyId}\nUse-o com --profile sandbox; com -o json esta linha traz as chaves. Ctrl-C o encerra, o estado fica.\n`,
  };
  return text[language];
}
