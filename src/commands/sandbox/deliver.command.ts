import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: {
    en: 'Make the sandbox send an event to its webhooks now',
    pt: 'Faz o sandbox enviar um evento aos seus webhooks agora',
  },
  description: {
    en: 'For trying a receiver. Real events come by themselves: products, captured documents, invoices, manifestations of NFS-e.',
    pt: 'Para testar um receptor. Os eventos reais vêm sozinhos: produtos, documentos capturados, notas, manifestações de NFS-e.',
  },
  arguments: [
    {
      name: 'event',
      summary: {
        en: 'Name of the event, e.g. product.active ("fiscal webhook event-types" lists them)',
        pt: 'Nome do evento, ex. product.active ("fiscal webhook event-types" lista todos)',
      },
      required: true,
    },
  ],
  options: {
    resource: {
      kind: 'text',
      value: 'id',
      summary: { en: 'Id of what the event is about', pt: 'Id daquilo de que o evento trata' },
    },
    payload: {
      kind: 'text',
      value: 'json',
      summary: { en: 'Fields of the payload', pt: 'Campos do conteúdo' },
    },
    count: {
      kind: 'count',
      value: 'number',
      min: 1,
      default: 1,
      summary: { en: 'So many events', pt: 'Quantos eventos' },
    },
    resources: {
      kind: 'count',
      value: 'number',
      min: 1,
      default: 1,
      summary: { en: 'Spread them over so many invented ids', pt: 'Distribui entre tantos ids inventados' },
    },
  },
  examples: [
    {
      command: 'fiscal sandbox deliver product.active',
      summary: { en: 'One event to every webhook that wants it', pt: 'Um evento a cada webhook que o quer' },
    },
    {
      command: 'fiscal sandbox deliver product.active --count 1000 --resources 50',
      summary: { en: 'A load to try a receiver with', pt: 'Uma carga para testar um receptor' },
    },
  ],
  exitCodes: [5, 6],
  idField: 'id',
  async run({ arguments: { event = '' }, options, context }) {
    const { deliverFromSandbox } = await import('./deliver.js');
    return { data: await deliverFromSandbox(context, { event, ...options }) };
  },
});
