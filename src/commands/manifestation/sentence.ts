import { eventOfCode } from '../../domain/event-codes.js';
import type { Text } from '../../contract/text.js';
import type { Sentence } from '../../domain/outcome.js';
import { sentenceOf } from '../../domain/sentence.js';
import type { KnownEvent } from '../../services/documents/known-events.js';
import { isRegisteredAlready } from './follow.js';

/** What became of an event at the authority. Only `Accepted`, or its answer that it has this event (573), counts as registered. */
export function eventSentence(event: KnownEvent, { isEarlier = false } = {}): Sentence {
  const { accessKey, status } = event;
  const name = nameOf(event);
  const isDone = status === 'Accepted' || isRegisteredAlready(event);
  const what: Text = isDone
    ? { en: 'registered by the authority', pt: 'registrado pela autoridade' }
    : { en: `awaits the authority (${status})`, pt: `aguarda a autoridade (${status})` };
  const tail: Text = isEarlier ? { en: '; nothing was sent', pt: '; nada foi enviado' } : { en: '', pt: '' };
  return sentenceOf(isDone ? 'good' : 'open', {
    en: `${name.en} of ${accessKey} ${what.en}${tail.en}`,
    pt: `${name.pt} de ${accessKey} ${what.pt}${tail.pt}`,
  });
}

/** `confirmation (210200)`, with its sequence from the second on. */
function nameOf({ eventCode, nSequencia }: KnownEvent): Text {
  const label = eventOfCode(eventCode)?.label;
  const tail = `${eventCode}${nSequencia > 1 ? ` #${nSequencia}` : ''}`;
  return label === undefined
    ? { en: `event ${tail}`, pt: `evento ${tail}` }
    : { en: `${label.en} (${tail})`, pt: `${label.pt} (${tail})` };
}
