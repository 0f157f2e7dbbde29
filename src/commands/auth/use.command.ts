import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Choose the profile to use', pt: 'Escolhe o perfil a usar' },
  arguments: [{ name: 'profile', summary: { en: 'Its name', pt: 'O nome dele' }, required: true }],
  options: {},
  examples: [
    {
      command: 'fiscal auth use acme',
      summary: { en: 'From now on, without --profile', pt: 'Daqui em diante, sem --profile' },
    },
  ],
  exitCodes: [],
  async run({ arguments: { profile = '' }, context }) {
    const { chooseProfile } = await import('./profiles.js');
    return await chooseProfile(context, profile);
  },
});
