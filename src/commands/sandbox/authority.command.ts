import { defineCommand, inModes } from '../../cli/command.js';
import { authorityOptions } from './authority-options.js';

export const command = defineCommand({
  summary: {
    en: 'Choose what the tax authority of the sandbox answers',
    pt: 'Escolhe o que a autoridade fiscal do sandbox responde',
  },
  description: {
    en: 'Without a rule it keeps its own: deadlines, duplicates, sequence, cancelled notes.',
    pt: 'Sem regra, ela segue as suas: prazos, duplicidade, sequência, notas canceladas.',
  },
  arguments: [
    {
      name: 'action',
      summary: { en: 'list (default), add or clear', pt: 'list (padrão), add ou clear' },
      required: false,
    },
  ],
  options: inModes(authorityOptions, { onlyWith: ['<action> add'] }),
  examples: [
    {
      command: 'fiscal sandbox authority add --outcome reject --code 596 --count 1',
      summary: { en: 'The next event is out of term', pt: 'O próximo evento está fora do prazo' },
    },
    {
      command: 'fiscal sandbox authority add --outcome fail --rate 0.1',
      summary: { en: 'One sending in ten fails', pt: 'Um envio em dez falha' },
    },
  ],
  exitCodes: [5, 6],
  async run({ arguments: { action }, options, context }) {
    const rules = await import('./rules.js');
    const isGiven = options.outcome !== undefined || options.delay !== undefined;
    switch (rules.readRuleAction(action, { names: '--outcome', isGiven })) {
      case 'list':
        return { data: await rules.listRules(context, 'authority') };
      case 'clear':
        return { data: await rules.clearRules(context, 'authority') };
      case 'add': {
        const { event, rate, delay, ...rest } = options;
        const rule = { ...rest, eventCode: event, rate: rules.readRate(rate), delayMs: delay };
        return { data: await rules.addRule(context, 'authority', rule) };
      }
    }
  },
});
