import { batchOptions } from '../../cli/options.js';
import { inModes, type ArgumentSpec, type OptionSpecs } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';

const { onError, maxFailures, lockWait, stats, metricsFile, report } = inModes(batchOptions, {
  onlyWith: ['file', '-'],
});

/** What every look-up knows: where its list is, how old an answer may be, and how a list is worked on. */
export const lookupOptions = {
  file: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'A list instead of one number: plain lines, CSV or NDJSON',
      pt: 'Uma lista em vez de um número: linhas simples, CSV ou NDJSON',
    },
  },
  maxAge: {
    notWith: ['refresh'],
    kind: 'duration',
    value: 'time',
    summary: {
      en: 'Take an answer kept on this machine when it is younger than this',
      pt: 'Usa uma resposta guardada nesta máquina se for mais nova que isto',
    },
  },
  refresh: {
    kind: 'toggle',
    summary: {
      en: 'Ask the service, whatever is kept',
      pt: 'Consulta o serviço, mesmo havendo resposta guardada',
    },
  },
  ...{ onError, maxFailures, lockWait, stats, metricsFile, report },
} as const satisfies OptionSpecs;

/** One number, or `-` for a list on standard input. */
export function numberArgument(name: string, summary: Text): ArgumentSpec {
  return {
    name,
    required: false,
    summary: { en: `${summary.en}; - for a list on stdin`, pt: `${summary.pt}; - para uma lista no stdin` },
  };
}
