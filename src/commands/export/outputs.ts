import { called, each, list, nullable, type Outputs, usual } from '../../presenters/record.js';
import { company } from '../shared-records.js';

export const outputs: Outputs = {
  'export package': list({
    package: called(
      'Packages | Pacotes',
      {
        ...usual('month companyId direction state verdict documents events pdfs'),
        ...nullable('file sha256 number bytes closedAt'),
      },
      company,
    ),
    difference: called('Differences | Diferenças', 'direction kind companyId path', {
      ...usual('expected found reason'),
      ...company,
    }),
    summary: called('In total | No total', {
      ...usual('month companies exitCode'),
      ...each('count', 'written: gravados, nothingNew: sem novidades, damaged: danificados'),
    }),
  }),
  'export table': list({
    coverage: called(
      'Months | Meses',
      { ...usual('direction companyId month verdict documents unread rows'), ...nullable('closedAt') },
      company,
    ),
    total: called('Totals | Totais', 'direction documentType state rows', {
      ...usual('amount'),
      ...each('text', 'tax: tributo, countsInTotal: in the value | compõe o valor'),
      ...each('count', 'withoutAmount: without an amount | sem valor'),
    }),
    withheld: called(
      'Withheld taxes that do not add up | Retenções cuja soma não confere',
      {
        ...usual('direction companyId month documentType key amount'),
        ...each('text', 'declaredAmount: in the note | na nota'),
      },
      company,
    ),
    'left-out': called('Amounts without a row | Valores sem linha', {
      ...usual('documentType key documents'),
      ...each('text', 'element: elemento'),
    }),
    unread: called(
      'Documents without fields | Documentos sem campos',
      { ...usual('direction companyId month documentType key'), ...each('state', 'xml: XML | XML') },
      { ...usual('reason'), ...company },
    ),
    summary: called('In total | No total', {
      ...usual('table file companies documents unread rows bytes exitCode'),
      ...each('text', 'format: formato'),
      ...each(
        'count',
        `months: meses, withoutRow: amounts without a row | valores sem linha, notStanding: sem efeito,
    otherCompetence: competence in another month | competência em outro mês,
    outsideTotal: outside the value | fora do valor`,
      ),
    }),
  }),
};
