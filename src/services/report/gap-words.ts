import type { Text } from '../../contract/text.js';
import type { GapFacts } from '../../report/facts.js';
import { closeKinds, type CloseKind } from '../closing/gaps.js';

/** Command lines that close a gap. */
export interface GapCommands {
  readonly sync: string;
  readonly repair: string;
  readonly retry: string;
  readonly full: string;
  readonly plan: string;
  readonly outstanding: string;
  readonly followLinks: string;
}

type Way = keyof GapCommands | 'issuer' | 'ended';

/** The gaps of a close, each kind with what to do. */
export function gapFacts(
  gaps: Readonly<Partial<Record<CloseKind, number>>>,
  commands: GapCommands,
): readonly GapFacts[] {
  return closeKinds.flatMap((kind) => {
    const count = gaps[kind] ?? 0;
    if (count === 0) return [];
    const [what, way] = kinds[kind];
    return [
      { count, what, todo: ways[way], ...(way === 'issuer' || way === 'ended' ? {} : { command: commands[way] }) },
    ];
  });
}

const ways: Readonly<Record<Way, Text>> = {
  sync: { en: 'Fetch them with a sync.', pt: 'Busque-os com uma sincronização.' },
  repair: { en: 'Fetch the files again.', pt: 'Busque os arquivos de novo.' },
  retry: {
    en: 'Fetch them, also those that were set aside as damaged.',
    pt: 'Busque-os, inclusive os que foram separados como danificados.',
  },
  full: {
    en: 'Read the whole list again. A row that still names no document is for the support of the service.',
    pt: 'Leia a lista inteira de novo. Uma linha que continue sem documento é caso para o suporte do serviço.',
  },
  plan: {
    en: 'Acknowledge the operation (event 210210): then the tax authority releases the full XML.',
    pt: 'Registre a Ciência da Operação (evento 210210): depois a SEFAZ libera o XML completo.',
  },
  outstanding: {
    en: 'Somebody wrote them off, with a reason. They are still missing.',
    pt: 'Alguém deu baixa, com um motivo. Eles continuam faltando.',
  },
  followLinks: {
    en: 'If the link is yours, close the month with --follow-links.',
    pt: 'Se o link é seu, feche o mês com --follow-links.',
  },
  ended: {
    en: 'Ask the issuer for the XML, if your books need it: no event of the recipient releases it.',
    pt: 'Peça o XML ao emissor, se a escrituração precisar: nenhum evento do destinatário o libera.',
  },
  issuer: {
    en: 'Ask the issuer for the document as it was signed.',
    pt: 'Peça ao emissor o documento como foi assinado.',
  },
};

const kinds: Readonly<Record<CloseKind, readonly [what: Text, way: Way]>> = {
  'not-synced': [{ en: 'Listed by the service, never synced', pt: 'Listado pelo serviço, nunca sincronizado' }, 'sync'],
  'not-archived': [{ en: 'Known, without its file', pt: 'Conhecido, sem o arquivo' }, 'retry'],
  'written-off': [{ en: 'Written off by a person', pt: 'Baixado por uma pessoa' }, 'outstanding'],
  outdated: [{ en: 'The service reports another status by now', pt: 'O serviço informa outro status' }, 'sync'],
  'not-final': [{ en: 'Issued, not final yet', pt: 'Emissão ainda sem situação final' }, 'sync'],
  'file-missing': [{ en: 'The file is missing', pt: 'O arquivo não está na pasta' }, 'repair'],
  'file-changed': [{ en: 'The file was changed', pt: 'O arquivo foi alterado' }, 'repair'],
  'other-archive': [{ en: 'The file is in another archive', pt: 'O arquivo está em outra pasta' }, 'sync'],
  'behind-link': [
    {
      en: 'The file is behind a symbolic link and was not read',
      pt: 'O arquivo está atrás de um link simbólico e não foi lido',
    },
    'followLinks',
  ],
  'summary-only': [{ en: 'Only the summary (resNFe) has arrived', pt: 'Só o resumo (resNFe) chegou' }, 'plan'],
  'summary-not-standing': [
    {
      en: 'Only the summary of a cancelled or denied document has arrived',
      pt: 'Só o resumo de um documento cancelado ou denegado chegou',
    },
    'ended',
  ],
  'not-a-document': [{ en: 'The file holds something else', pt: 'O arquivo contém outra coisa' }, 'repair'],
  'signature-invalid': [{ en: 'Changed after it was signed', pt: 'Alterado depois de assinado' }, 'issuer'],
  'event-not-synced': [
    {
      en: 'An event is listed by the service and was never synced',
      pt: 'Evento listado pelo serviço e nunca sincronizado',
    },
    'sync',
  ],
  'event-not-archived': [
    { en: 'An event is known, without its file', pt: 'Evento conhecido, sem o arquivo' },
    'repair',
  ],
  'event-written-off': [
    { en: 'An event was written off by a person', pt: 'Evento baixado por uma pessoa' },
    'outstanding',
  ],
  'event-file-missing': [
    { en: 'The file of an event is missing', pt: 'O arquivo de um evento não está na pasta' },
    'repair',
  ],
  'event-file-changed': [
    { en: 'The file of an event was changed', pt: 'O arquivo de um evento foi alterado' },
    'repair',
  ],
  'event-behind-link': [
    {
      en: 'The file of an event is behind a symbolic link and was not read',
      pt: 'O arquivo de um evento está atrás de um link simbólico e não foi lido',
    },
    'followLinks',
  ],
  'row-unreadable': [{ en: 'Rows of the list name no document', pt: 'Linhas da lista não nomeiam documento' }, 'full'],
};
