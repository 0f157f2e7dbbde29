import type { Text } from '../contract/text.js';
import { ExitCode } from '../errors/exit-code.js';
import type { Definition, ExitName } from './command.js';

/** The exit codes of every command, and of any that calls the service. */
const common = ['ok', 'internal', 'usage', 'temporary'] as const;
const calls: readonly ExitName[] = [
  ...(['credentials', 'refused', 'forbidden', 'notFound', 'conflict', 'rateLimited'] as const),
  ...(['interrupted', 'terminated'] as const),
];

/** The exit codes of a command in their order, each with its meaning there. */
export function exitsOf({ exits = [], exitMeanings = {} }: Definition): ReadonlyMap<ExitCode, Text> {
  const names = new Set([...common, ...exits.flatMap((name) => (name === 'calls' ? calls : [name]))]);
  const meanings = [...names].flatMap((name) =>
    name === 'calls' ? [] : [[ExitCode[name], exitMeanings[name] ?? exitCodeMeanings[ExitCode[name]]] as const],
  );
  return new Map(meanings.toSorted(([one], [other]) => one - other));
}

/** Those that mean something of their own there. */
export function ownExitsOf(definition: Definition): ReadonlyMap<ExitCode, Text> {
  const own = new Set(Object.values(definition.exitMeanings ?? {}));
  return new Map([...exitsOf(definition)].filter(([, meaning]) => own.has(meaning)));
}

/** The meaning of each exit code. */
export const exitCodeMeanings: Readonly<Record<ExitCode, Text>> = {
  0: { en: 'done (an empty list is done)', pt: 'concluído (uma lista vazia também)' },
  1: { en: 'defect of the program', pt: 'defeito do programa' },
  2: {
    en: 'usage, configuration or local validation: nothing was sent',
    pt: 'uso, configuração ou validação local: nada foi enviado',
  },
  3: {
    en: 'some items failed or are uncertain: fiscal job resume --failed, fiscal job resolve',
    pt: 'alguns itens falharam ou ficaram sem confirmação do serviço: fiscal job resume --failed, fiscal job resolve',
  },
  4: {
    en: 'no credentials, or refused (401): the error names the key and its source',
    pt: 'sem credenciais, ou recusadas (401): o texto diz qual chave e de onde veio',
  },
  5: {
    en: 'temporary, after retries: network, timeout, 5xx, an answer that is not JSON, a list that breaks off, output that cannot be written; try later',
    pt: 'temporário, após novas tentativas: rede, tempo esgotado, 5xx, resposta que não é JSON, lista interrompida, saída que não pôde ser gravada; tente mais tarde',
  },
  6: {
    en: 'rejected or not understood: 400, 422, an answer of another shape',
    pt: 'recusado ou não compreendido: 400, 422, uma resposta de outro formato',
  },
  7: { en: 'forbidden: 403 (role, fiscal secrecy)', pt: 'proibido: 403 (papel da chave, sigilo fiscal)' },
  8: { en: 'still pending at --timeout; try later', pt: 'ainda pendente em --timeout; tente mais tarde' },
  9: { en: 'not found: 404', pt: 'não encontrado: 404' },
  10: {
    en: 'conflict: 409, or an answer about another company or tenant',
    pt: 'conflito: 409, ou uma resposta de outra empresa ou de outro tenant',
  },
  11: { en: 'another process holds the job; try later', pt: 'outro processo detém o lote; tente mais tarde' },
  12: {
    en: 'rate limited beyond --max-retry-wait; the error shows the retry time',
    pt: 'limite de requisições além de --max-retry-wait; o erro mostra quando tentar de novo',
  },
  13: {
    en: 'rejected by the service (Rejected, Failed, product Error), or a check found something that needs attention',
    pt: 'rejeitado pelo serviço (Rejected, Failed, produto em Error), ou uma verificação achou algo que pede atenção',
  },
  14: { en: 'stopped at a limit you set; resumable', pt: 'parou num limite definido por você; pode ser retomado' },
  130: {
    en: 'interrupted (Ctrl-C), after a checkpoint; resumable',
    pt: 'interrompido (Ctrl-C), com o estado salvo; pode ser retomado',
  },
  143: {
    en: 'ended by SIGTERM, after a checkpoint; resumable',
    pt: 'encerrado por SIGTERM, com o estado salvo; pode ser retomado',
  },
};
