import type { OptionSpecs } from '../../cli/command.js';

/** What a listener does about events, besides printing and forwarding them. */
export const listenReactOptions = {
  exec: {
    kind: 'texts',
    value: 'command',
    summary: {
      en: 'Program that gets every event on stdin, run without a shell; exit code 0: taken; may be repeated',
      pt: 'Programa que recebe cada evento no stdin, executado sem shell; código 0: aceito; pode ser repetido',
    },
  },
  execTimeout: {
    onlyWith: ['exec'],
    kind: 'duration',
    value: 'time',
    default: '30s',
    summary: { en: 'A program that takes longer is ended', pt: 'Um programa que demora mais é encerrado' },
  },
  sync: {
    kind: 'toggle',
    summary: {
      en: 'Bring received documents to the archive as soon as they are announced',
      pt: 'Traz os documentos recebidos para o arquivo assim que são anunciados',
    },
  },
  archive: {
    kind: 'text',
    value: 'folder',
    summary: {
      en: 'Folder of the archive for --sync (default: where the last sync wrote)',
      pt: 'Pasta do arquivo local para --sync (padrão: onde o último sync gravou)',
    },
  },
  pdf: { kind: 'toggle', summary: { en: 'With --sync: the PDF as well', pt: 'Com --sync: também o PDF' } },
} as const satisfies OptionSpecs;
