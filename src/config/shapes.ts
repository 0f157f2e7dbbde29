import { answerShapes, bareArray, type ListOperationId } from '../contract/answers.js';
import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';

export function isListOperation(id: string): id is ListOperationId {
  return Object.hasOwn(answerShapes, id) && answerShapes[id as ListOperationId].is === 'list';
}

/** Validates where an answer holds its list: the name of a field, or `array` when the list is the whole answer. */
export function parseShape(raw: unknown): string | undefined {
  return typeof raw === 'string' && /^[\w@$][\w@$.-]{0,99}$/.test(raw.trim()) ? raw.trim() : undefined;
}

export const shapeExpected: Text = {
  en: `the name of the field that holds the list is expected, or "${bareArray}" when the list is the whole answer`,
  pt: `espera-se o nome do campo que contém a lista, ou "${bareArray}" quando a lista é a resposta inteira`,
};

/** For an operation that is unknown, or whose answer is no list. */
export function noListOperation(id: string): FiscalError {
  const lists = Object.keys(answerShapes).filter(isListOperation).join(', ');
  return new FiscalError(
    'config.unknown_name',
    { name: `shapes.${id}` },
    {
      sent: 'no',
      hint: {
        en: `shapes.<operation> is for the operations that answer with a list: ${lists}`,
        pt: `shapes.<operação> serve para as operações que respondem com uma lista: ${lists}`,
      },
    },
  );
}
