import { defineCommand, inModes } from '../../cli/command.js';
import { faultOptions } from './fault-options.js';

export const command = defineCommand({
  summary: { en: 'Make the sandbox fail on purpose', pt: 'Faz o sandbox falhar de propósito' },
  description: {
    en: 'Faults strike in the order of their rules and are the same for the same seed.',
    pt: 'As falhas seguem a ordem das regras e são as mesmas para a mesma semente.',
  },
  arguments: [
    {
      name: 'action',
      summary: { en: 'list (default), add or clear', pt: 'list (padrão), add ou clear' },
      required: false,
    },
  ],
  options: inModes(faultOptions, { onlyWith: ['<action> add'] }),
  examples: [
    {
      command: 'fiscal sandbox fault add --kind cut-after --operation product.create --count 1',
      summary: {
        en: 'The next create is stored, but its answer never comes',
        pt: 'A próxima criação é gravada, mas a resposta nunca chega',
      },
    },
    {
      command: 'fiscal sandbox fault add --kind doubled --rate 0.05',
      summary: {
        en: 'One delivery of a webhook in twenty comes twice',
        pt: 'Uma entrega de webhook em vinte vem duas vezes',
      },
    },
    {
      command: 'fiscal sandbox fault clear',
      summary: { en: 'No faults any more', pt: 'Sem falhas' },
    },
  ],
  exitCodes: [5, 6],
  async run({ arguments: { action }, options, context }) {
    const rules = await import('./rules.js');
    const required = { names: '--kind', isGiven: options.kind !== undefined };
    switch (rules.readRuleAction(action, required)) {
      case 'list':
        return { data: await rules.listFaults(context) };
      case 'clear':
        return { data: await rules.clearRules(context, 'faults') };
      case 'add': {
        const { rate, delay, kind, retryAfter, ...rest } = options;
        const words = { rate: rules.readRate(rate), retryAfter: rules.readRetryAfter(retryAfter) };
        const fault = { ...rest, ...words, kind: kind ?? '', delayMs: delay };
        return { data: await rules.addRule(context, 'faults', fault) };
      }
    }
  },
});
