import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Forget the stored keys of a profile', pt: 'Esquece as chaves guardadas de um perfil' },
  options: {},
  examples: [
    {
      command: 'fiscal auth logout --profile acme',
      summary: { en: 'The other settings stay', pt: 'As outras configurações ficam' },
    },
  ],
  exitCodes: [4],
  async run({ context }) {
    const { logOut } = await import('./profiles.js');
    return await logOut(context);
  },
});
