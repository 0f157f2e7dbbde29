import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Show or move the time of the sandbox', pt: 'Mostra ou move a hora do sandbox' },
  description: {
    en: 'Work that is due by the new time is done before the command ends.',
    pt: 'O trabalho que vence até a nova hora é feito antes do fim do comando.',
  },
  arguments: [
    {
      name: 'action',
      summary: {
        en: 'show (default), advance, set, freeze or run',
        pt: 'show (padrão), advance, set, freeze ou run',
      },
      required: false,
    },
    {
      name: 'value',
      summary: {
        en: 'A duration such as 10d, or an ISO 8601 UTC time',
        pt: 'Uma duração como 10d, ou um instante ISO 8601 em UTC',
      },
      required: false,
    },
  ],
  options: {},
  examples: [
    {
      command: 'fiscal sandbox clock advance 10d',
      summary: { en: 'Ten days later', pt: 'Dez dias depois' },
    },
    {
      command: 'fiscal sandbox clock set 2026-06-01T00:00:00Z',
      summary: { en: 'At a given time', pt: 'Em um dado instante' },
    },
  ],
  exitCodes: [5],
  async run({ arguments: { action, value }, context }) {
    const [{ readClockChange }, { steerClock }] = await Promise.all([
      import('./clock-words.js'),
      import('./clock.js'),
    ]);
    return { data: await steerClock(context, readClockChange(action, value)) };
  },
});
