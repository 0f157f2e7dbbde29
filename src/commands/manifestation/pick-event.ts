import type { Io } from '../../io/io.js';
import type { Picker, PickRequest } from '../../services/pick.js';
import type { Text } from '../../contract/text.js';
import { eventTypes, type EventType } from '../../domain/event-codes.js';
import { readEventKey } from './event-key.js';
import { isPlannedAlone } from './plan-rules.js';

const question: Text = { en: 'Event', pt: 'Evento' };

/** The event of a manifestation: those of the kind of document that the key names. */
export const picker: Picker = async (_context, io, request) => {
  const key = readEventKey(request.arguments[0] ?? '');
  if ('problem' in key) return undefined;
  const ofFamily = eventTypes.filter(({ family }) => family === key.family);
  return await pickEvent(ofFamily, io, request);
};

/** The event that a plan without rules proposes: those that need no text of their own. */
export const plannedPicker: Picker = async (_context, io, request) =>
  await pickEvent(eventTypes.filter(isPlannedAlone), io, request);

async function pickEvent(
  events: readonly EventType[],
  io: Io,
  { lines: linesOf }: Pick<PickRequest, 'lines'>,
): Promise<readonly string[]> {
  const names = events.map(({ name, aliases: [alias = name] }) => (io.language === 'pt' ? alias : name));
  const rows = events.map(({ code, label }, index) => ({ name: names[index], code, label: label[io.language] }));
  const lines = linesOf(rows, ['name', 'code', 'label']);
  const choices = names.map((name, index) => ({ value: name, name: lines[index] ?? name, short: name }));
  return ['--event', await io.prompts.search(question[io.language], choices)];
}
