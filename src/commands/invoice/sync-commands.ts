import { choice, columns, define, duration, example, listOf, text, toggle } from '../../cli/define.js';
import { archivingColumns, archivingExits, archivingOptions } from '../../cli/archiving-options.js';
import { companiesOption } from '../../cli/options.js';

const syncOptions = {
  ...companiesOption,
  type: listOf('nfe,nfce,nfse', 'Only these models (default: all three)', 'Só estes modelos (padrão: os três)', {
    choices: ['nfe', 'nfce', 'nfse'],
  }),
  environment: choice(
    ['Production', 'Test'],
    'Environment of the authority; invoices of the other one are left out',
    'Ambiente da autoridade; as notas do outro ficam de fora',
    { default: 'Production' },
  ),
  since: text(
    'time',
    'Only invoices created since this day, month, UTC time, or age; proves nothing about the list',
    'Só notas criadas a partir deste dia, mês, horário UTC ou idade; não prova nada sobre a lista',
  ),
  lookBack: duration(
    'time',
    'Look again at the events of invoices issued within this time',
    'Olha de novo os eventos das notas emitidas neste prazo',
    { notWith: ['since', 'full'], default: '45d', rare: true },
  ),
  full: toggle(
    'Look again at the events of every invoice, and try outstanding ones immediately',
    'Olha de novo os eventos de todas as notas e tenta imediatamente o que está pendente',
  ),
  ...archivingOptions,
};

export const sync = define(
  'Download issued invoices to the archive',
  'Baixa as notas emitidas para a pasta de documentos',
  {
    description: {
      en: 'Issued NF-e, NFC-e and NFS-e with their events, as files, byte for byte, beside the received documents. The lists of the service promise no order, so each run reads them whole, and one of several pages at least twice; only new and changed invoices are downloaded. Killed at any moment, the same command continues. Invoices that are not final yet are counted, and the next run looks at them again; those that were never issued have no document. A cancellation or a correction may come later: the events of the last 45 days are looked at in each run, older ones when the invoice changes in the list, or with --full.',
      pt: 'NF-e, NFC-e e NFS-e emitidas, com seus eventos, em arquivos, byte a byte, junto dos documentos recebidos. As listas do serviço não prometem ordem, por isso cada execução as lê inteiras, e as de várias páginas ao menos duas vezes; só notas novas e alteradas são baixadas. Interrompido a qualquer momento, o mesmo comando continua. Notas sem situação final são contadas, e a próxima execução olha de novo; as que não chegaram a ser emitidas não têm documento. Um cancelamento ou uma correção pode vir depois: os eventos dos últimos 45 dias são olhados em cada execução; os mais antigos, quando a nota muda na lista, ou com --full.',
    },
    options: syncOptions,
    scope: ['company'],
    examples: [
      example('--all-companies --pdf', 'Everything that was issued, with PDF', 'Tudo o que foi emitido, com PDF'),
      example(
        '--company c1,c2 --type nfe,nfce --archive ./archive',
        'NF-e and NFC-e of two companies',
        'NF-e e NFC-e de duas empresas',
      ),
      example('--company c1 --full', 'The events of every invoice again', 'De novo os eventos de todas as notas'),
    ],
    ...archivingExits,
    view: columns(
      'companyName family state added changed archived events notFinal quarantined failed outstanding key reason error',
      archivingColumns,
    ),
  },
);
