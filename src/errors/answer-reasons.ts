import type { Text } from '../contract/text.js';

/** Why an answer of the service cannot be read. */
export const answerReasons = {
  notJson: { en: 'it is not JSON', pt: 'não é JSON' },
  tooDeep: { en: 'it is nested too deeply', pt: 'tem níveis demais' },
  notUtf8: { en: 'it is not UTF-8', pt: 'não é UTF-8' },
  empty: { en: 'it is empty', pt: 'está vazia' },
  noObject: { en: 'it is not an object', pt: 'não é um objeto' },
  emptyObject: { en: 'the object is empty', pt: 'o objeto está vazio' },
  errorsInside: { en: 'it carries errors instead of a result', pt: 'traz erros em vez de um resultado' },
  noList: { en: 'it has no list ({names})', pt: 'não tem a lista ({names})' },
  notBareArray: {
    en: 'it is not an array, as "shapes" of the profile says',
    pt: 'não é um array, como diz "shapes" do perfil',
  },
  noListAt: {
    en: 'it has no list in {place}, where "shapes" of the profile puts it',
    pt: 'não tem a lista em {place}, onde "shapes" do perfil a coloca',
  },
  lacks: { en: 'it has no {name}', pt: 'não tem {name}' },
  lacksAll: { en: 'it has no {one} or {others}', pt: 'não tem {one} nem {others}' },
  inRow: { en: 'row {number}: {reason}', pt: 'linha {number}: {reason}' },
  begins: { en: '{reason}; it begins with {beginning}', pt: '{reason}; começa com {beginning}' },
  redirect: { en: 'an unexpected redirect', pt: 'um redirecionamento inesperado' },
  notKept: { en: 'the bytes could not be kept', pt: 'não foi possível guardar os bytes' },
  noDocument: { en: 'no XML, no PDF', pt: 'nem XML, nem PDF' },
  tooLarge: { en: '> {limit} bytes', pt: '> {limit} bytes' },
  nothingMore: { en: 'it announces more and gives nothing more', pt: 'ela anuncia mais e não traz mais nada' },
  nothingNew: { en: 'its next page contains nothing new', pt: 'a próxima página não traz nada de novo' },
  noIdToContinue: {
    en: 'it does not say whether more follows, and its last row has no id to continue from',
    pt: 'ela não diz se há mais, e a última linha não tem id para continuar',
  },
  rowsMove: { en: 'its rows change places each time it is read', pt: 'as linhas mudam de lugar a cada leitura' },
  notAsCounted: {
    en: 'it counts {total} rows and gives {count} different ones',
    pt: 'ela conta {total} linhas e traz {count} diferentes',
  },
  countChanged: { en: 'its count changed while it was read', pt: 'a contagem mudou durante a leitura' },
  rowTwice: {
    en: 'it gives a row twice, and no count shows whether another one is missing',
    pt: 'ela traz uma linha duas vezes, e nenhuma contagem mostra se falta outra',
  },
  noEnd: { en: 'it does not end within {pages} pages', pt: 'ela não termina em {pages} páginas' },
} as const satisfies Readonly<Record<string, Text>>;
