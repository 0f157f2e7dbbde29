import type { Text } from '../contract/text.js';

export interface TopicEntry {
  readonly summary: Text;
  load(): Promise<{ readonly topic: Text }>;
}

/** The topics of `fiscal help <topic>`; each text is loaded when it is shown. */
export const topics: Readonly<Record<string, TopicEntry>> = {
  'exit-codes': {
    summary: { en: 'what each exit code means', pt: 'o significado de cada código de saída' },
    load: () => import('./topics/exit-codes.js'),
  },
  environment: {
    summary: { en: 'variables, files, and their precedence', pt: 'variáveis, arquivos e a precedência deles' },
    load: () => import('./topics/environment.js'),
  },
  output: {
    summary: { en: 'formats, fields, queries, errors', pt: 'formatos, campos, consultas, erros' },
    load: () => import('./topics/output.js'),
  },
  jobs: {
    summary: { en: 'sending once, resuming, retrying', pt: 'enviar uma vez, retomar, repetir' },
    load: () => import('./topics/jobs.js'),
  },
  security: {
    summary: { en: 'keys, files, what is never shown', pt: 'chaves, arquivos, o que nunca é mostrado' },
    load: () => import('./topics/security.js'),
  },
};

export const topicNames: readonly string[] = Object.keys(topics);
