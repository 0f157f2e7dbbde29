import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { waitTimes } from '../../cli/batch-options.js';
import { ExitCode } from '../../errors/exit-code.js';
import { eventArgument, eventOptions, namedEventOf } from './event-argument.js';

export const command = defineCommand({
  summary: { en: 'Wait for the decision on an event', pt: 'Espera a decisão sobre um evento' },
  description: {
    en: 'Ends 0 when the event is Accepted (or was registered before, 573), 13 when it is Rejected or Failed, 8 when the time is up.',
    pt: 'Termina em 0 quando o evento está Accepted (ou já estava registrado, 573), em 13 quando está Rejected ou Failed, em 8 quando o tempo acaba.',
  },
  arguments: [eventArgument],
  options: { ...eventOptions, ...waitTimes },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal manifestation poll 7b0c2b9e-0f8e-4a57-9d0a-1f6b2c3d4e5f --timeout 2m',
      summary: { en: 'At most two minutes', pt: 'No máximo dois minutos' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, options, arguments: { event = '' } }) {
    const { pollManifestation } = await import('./poll.js');
    const { timeout: timeoutMs, interval: intervalMs } = options;
    return pollManifestation(context, { ...namedEventOf(event, options), timeoutMs, intervalMs });
  },
});
