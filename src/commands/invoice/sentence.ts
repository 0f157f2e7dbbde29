import type { Text } from '../../contract/text.js';
import type { CheckedModel } from '../../domain/invoice-check.js';
import type { Sentence } from '../../domain/outcome.js';
import { sentenceOf } from '../../domain/sentence.js';
import type { Standing } from './invoice.js';
import { modelNames } from './invoice.js';

interface Told {
  readonly model: CheckedModel;
  readonly id: string;
  readonly standing: Pick<Standing, 'is' | 'status'>;
  /** The record that is shown below it. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly billedCalls?: number;
  /** An earlier run, or another machine, has issued it. */
  readonly isEarlier?: boolean;
}

/** What an issue has done: `NF-e 123, serie 1, issued`. Only a state that the service showed as issued counts as issued. */
export function issueSentence({ model, id, standing, data, billedCalls, isEarlier }: Told): Sentence {
  const name = nameOf(model, id, data);
  const tail = isEarlier === true ? nothingSent : { en: '', pt: '' };
  const { tone, text } = standingWords(standing);
  return sentenceOf(
    tone,
    { en: `${name.en} ${text.en}${tail.en}`, pt: `${name.pt} ${text.pt}${tail.pt}` },
    billedCalls,
  );
}

function nameOf(model: CheckedModel, id: string, { number, serie }: Told['data']): Text {
  const { en, pt } = modelNames[model];
  if (typeof number !== 'string' && typeof number !== 'number')
    return { en: `${en} ${id}`, pt: `${pt} ${id}` };
  const hasSerie = typeof serie === 'string' || typeof serie === 'number';
  return {
    en: `${en} ${number}${hasSerie ? ` (serie ${serie})` : ''}`,
    pt: `${pt} ${number}${hasSerie ? ` (série ${serie})` : ''}`,
  };
}

function standingWords({ is, status }: Told['standing']): {
  readonly tone: Sentence['tone'];
  readonly text: Text;
} {
  if (is !== 'issued')
    return { tone: 'open', text: { en: 'accepted, not issued yet', pt: 'recebida, ainda não emitida' } };
  if (status === 'Issued') return { tone: 'good', text: { en: 'issued', pt: 'emitida' } };
  if (status === 'IssuedContingency')
    return { tone: 'good', text: { en: 'issued in contingency', pt: 'emitida em contingência' } };
  return { tone: 'warn', text: { en: `is ${status}`, pt: `está como ${status}` } };
}

const nothingSent: Text = { en: '; nothing was sent', pt: '; nada foi enviado' };
