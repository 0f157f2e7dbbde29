import { defineCommand, inModes } from '../../cli/command.js';
import { outcomeOptions } from './outcome-options.js';

export const command = defineCommand({
  summary: {
    en: 'Choose how invoices issued in the sandbox end',
    pt: 'Escolhe como terminam as notas emitidas no sandbox',
  },
  description: {
    en: 'Without a rule every valid invoice is issued, unless its number is taken or disabled, and cancelled within its term.',
    pt: 'Sem regra, toda nota válida é emitida, salvo se o número já foi usado ou inutilizado, e é cancelada dentro do prazo.',
  },
  arguments: [
    {
      name: 'action',
      summary: { en: 'list (default), add or clear', pt: 'list (padrão), add ou clear' },
      required: false,
    },
  ],
  options: inModes(outcomeOptions, { onlyWith: ['<action> add'] }),
  examples: [
    {
      command: 'fiscal sandbox outcome add --outcome denied --family nfe --count 1',
      summary: { en: 'The next NF-e is denied', pt: 'A próxima NF-e é denegada' },
    },
    {
      command: 'fiscal sandbox outcome add --outcome failed --rate 0.1',
      summary: { en: 'One invoice in ten fails', pt: 'Uma nota em dez falha' },
    },
  ],
  exitCodes: [5, 6],
  async run({ arguments: { action }, options, context }) {
    const rules = await import('./rules.js');
    const isGiven = options.outcome !== undefined || options.delay !== undefined;
    switch (rules.readRuleAction(action, { names: '--outcome', isGiven })) {
      case 'list':
        return { data: await rules.listRules(context, 'outcomes') };
      case 'clear':
        return { data: await rules.clearRules(context, 'outcomes') };
      case 'add': {
        const { rate, delay, ...rest } = options;
        return {
          data: await rules.addRule(context, 'outcomes', {
            ...rest,
            rate: rules.readRate(rate),
            delayMs: delay,
          }),
        };
      }
    }
  },
});
