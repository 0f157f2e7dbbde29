import { defineCommand, inModes } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { outOption } from '../give-bytes.js';
import { lookupExitCodes } from './lookup-exit-codes.js';
import { lookupOptions, numberArgument } from './lookup-options.js';
import { nfeFormOptions, runNfeLookup } from './nfe-forms.js';

const { maxAge, refresh } = lookupOptions;

export const command = defineCommand({
  summary: {
    en: 'Query an NF-e at the state tax authority',
    pt: 'Consulta uma NF-e na Sefaz',
  },
  description: {
    en: 'Uses the data key. Its state may change at any moment, so it is asked for anew each time, unless --max-age is given. --xml and --pdf give the bytes as they came, --events the events.',
    pt: 'Usa a chave data. A situação pode mudar a qualquer momento, por isso é consultada a cada vez, salvo com --max-age. --xml e --pdf dão os bytes como vieram; --events, os eventos.',
  },
  arguments: [numberArgument('key', { en: 'Access key of the NF-e', pt: 'Chave de acesso da NF-e' })],
  options: {
    ...nfeFormOptions,
    ...outOption,
    ...lookupOptions,
    ...inModes({ maxAge, refresh }, { notWith: ['xml', 'pdf', 'events'] }),
  },
  examples: [
    {
      command: 'fiscal lookup nfe 35250530057049000141550010000280181030656857',
      summary: { en: 'Its state and its totals', pt: 'A situação e os totais' },
    },
    {
      command: 'fiscal lookup nfe 35250530057049000141550010000280181030656857 --xml --out nota.xml',
      summary: { en: 'Its XML into a file', pt: 'O XML para um arquivo' },
    },
  ],
  exitCodes: [...lookupExitCodes, ExitCode.pending],
  idField: 'accessKey',
  view: async () => (await import('../../presenters/lookup.js')).lookupView,
  async run({ context, io, options, arguments: { key: number } }) {
    return await runNfeLookup(context, { io, number, options });
  },
});
