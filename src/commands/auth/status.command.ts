import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Show which keys are used', pt: 'Mostra quais chaves são usadas' },
  description: {
    en: 'Kind, presence, scheme and source of each key; never a key or a part of one.',
    pt: 'Tipo, presença, esquema e origem de cada chave; nunca a chave ou parte dela.',
  },
  options: {
    check: {
      kind: 'toggle',
      summary: { en: 'Try the invoice key at the service', pt: 'Testa a chave invoice no serviço' },
    },
  },
  examples: [
    {
      command: 'fiscal auth status --check',
      summary: { en: 'Does the service take the key?', pt: 'O serviço aceita a chave?' },
    },
  ],
  exitCodes: [4, 5, 7, 12],
  idField: 'kind',
  async run({ options, context }) {
    const { readKeyStatus } = await import('./status.js');
    return await readKeyStatus(context, options.check);
  },
});
