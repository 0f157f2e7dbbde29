import { argument, columns, define, does, example, text, toggle } from '../../cli/define.js';
import type { CommandGroup } from '../../cli/command.js';
import { companiesOption, directionOption, followLinksOption, readArchiveOption } from '../../cli/options.js';

export const month = define('A month as a web page for each company', 'Um mês em uma página da web para cada empresa', {
  description: {
    en: 'Writes one HTML file for each company, and index.html over several: verdict and coverage of the close, documents and values by type, day and supplier, manifestations and deadlines, cancelled documents, gaps with what to do, certificate, billed calls, and the hash of the manifest. --direction issued writes the issued NF-e, NFC-e and NFS-e with customers and the numbers of each serie, as NAME-MONTH-issued.html; both writes both pages. A file loads nothing, works offline and as an attachment, and prints. The figures are those of the last sync on this machine, the verdict is that of "inbound close" in the archive. Only --all-companies asks the service, for the list of companies. Replaces reports of the same month, and other files only with --overwrite. Exits 0 when the reports are written, whatever their verdict.',
    pt: 'Grava um arquivo HTML para cada empresa e um index.html quando são várias: resultado e cobertura do fechamento, documentos e valores por tipo, dia e fornecedor, manifestações e prazos, cancelados, divergências com o que fazer, certificado, chamadas cobradas e o hash do manifesto. --direction issued grava as NF-e, NFC-e e NFS-e emitidas, com clientes e a numeração das séries, em NOME-MÊS-issued.html; both grava as duas páginas. O arquivo não carrega nada de fora, funciona sem rede e como anexo, e pode ser impresso. Os números são os da última sincronização nesta máquina, o resultado é o do "inbound close" na pasta de documentos. Só --all-companies consulta o serviço, pela lista de empresas. Substitui relatórios do mesmo mês, e outros arquivos só com --overwrite. Termina com 0 quando os relatórios estão gravados, qualquer que seja o resultado.',
  },
  takes: { month: argument('e.g. 2026-10', 'p. ex. 2026-10') },
  options: {
    ...companiesOption,
    ...directionOption,
    out: text('folder', 'Folder of the reports', 'Pasta dos relatórios'),
    open: toggle('Show the report, or the index', 'Mostra o relatório, ou o índice'),
    ...readArchiveOption,
    overwrite: toggle(
      'Also replace files that are not reports of the month',
      'Substitui também arquivos que não são relatórios do mês',
    ),
    ...followLinksOption,
  },
  scope: ['company'],
  examples: [
    example('2026-10 --company acme --out reports --open', 'One company, on the screen', 'Uma empresa, na tela'),
    example(
      '2026-10 --all-companies --out reports',
      'Every company, with an index',
      'Todas as empresas, com um índice',
    ),
    example(
      '2026-10 --company acme --direction both --out reports',
      'Received and issued documents',
      'Documentos recebidos e emitidos',
    ),
  ],
  exits: ['calls'],
  view: columns('companyName direction verdict closedAt gaps documents file', {
    varying: 'direction',
    required: 'companyName verdict file',
    below: 'file',
  }),
});

export const group: CommandGroup = {
  verbs: { month: does(month, async () => (await import('./month.js')).reportMonth) },
};
