import type { Picker } from '../../services/pick.js';
import type { Text } from '../../contract/text.js';
import { eventTypes } from '../../domain/event-codes.js';
import { readEventKey } from './event-key.js';

const question: Text = { en: 'Event', pt: 'Evento' };

/** The event of a manifestation: those of the kind of document that the key names. */
export const picker: Picker = async (_context, io, { arguments: [word = ''], lines: linesOf }) => {
  const key = readEventKey(word);
  if ('problem' in key) return undefined;
  const events = eventTypes.filter(({ family }) => family === key.family);
  const names = events.map(({ name, aliases: [alias = name] }) => (io.language === 'pt' ? alias : name));
  const rows = events.map(({ code, label }, index) => ({
    name: names[index],
    code,
    label: label[io.language],
  }));
  const lines = linesOf(rows, ['name', 'code', 'label']);
  const choices = names.map((name, index) => ({ value: name, name: lines[index] ?? name, short: name }));
  return ['--event', await io.prompts.search(question[io.language], choices)];
};
