import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: {
    en: 'List the events, their names and what they carry',
    pt: 'Lista os eventos, seus nomes e o que carregam',
  },
  description: {
    en: 'Nothing is asked of the service. The names inside detail, beyond justification, are assumed: --detail-unchecked sends what you write.',
    pt: 'Nada é perguntado ao serviço. Os nomes dentro de detail, além de justification, são supostos: --detail-unchecked envia o que você escrever.',
  },
  options: {},
  examples: [
    { command: 'fiscal manifestation codes', summary: { en: 'All events', pt: 'Todos os eventos' } },
    {
      command: 'fiscal manifestation codes -o csv --fields code,name,detail',
      summary: { en: 'For a spreadsheet', pt: 'Para uma planilha' },
    },
  ],
  exitCodes: [],
  idField: 'code',
  view: async () => (await import('../../presenters/manifestation-codes.js')).manifestationCodesView,
  async run() {
    const { listCodes } = await import('./codes.js');
    return listCodes();
  },
});
