import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';
import { eventArgument, eventOptions, namedEventOf } from './event-argument.js';

export const command = defineCommand({
  summary: { en: 'Show one event', pt: 'Mostra um evento' },
  arguments: [eventArgument],
  options: {
    ...eventOptions,
    exitStatus: {
      kind: 'toggle',
      summary: {
        en: 'Let the exit code tell the state: 8 while Pending, 13 for Rejected or Failed',
        pt: 'O código de saída diz o estado: 8 em Pending, 13 em Rejected ou Failed',
      },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal manifestation get 7b0c2b9e-0f8e-4a57-9d0a-1f6b2c3d4e5f',
      summary: { en: 'By its id', pt: 'Pelo id' },
    },
    {
      command:
        'fiscal manifestation get 35250530057049000141550010000280181030656857 --event confirmation --query status -o json',
      summary: { en: 'The state, by key and event', pt: 'O estado, por chave e evento' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, options, arguments: { event = '' } }) {
    const { getManifestation } = await import('./get.js');
    const { exitStatus } = options;
    return getManifestation(context, { ...namedEventOf(event, options), exitStatus });
  },
});
