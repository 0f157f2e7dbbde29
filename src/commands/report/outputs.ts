import { called, each, list, nullable, orNull, type Outputs, usual } from '../../presenters/record.js';
import { company } from '../shared-records.js';

export const outputs: Outputs = {
  'report month': list({
    report: called(
      'Reports | Relatórios',
      {
        ...usual('month companyId file direction verdict bytes'),
        ...nullable('closedAt documents'),
        ...each(orNull('count'), 'gaps: divergências'),
      },
      company,
    ),
    summary: called(
      'In total | No total',
      {
        ...usual('month companies complete incomplete notProvable unproven exitCode'),
        ...each('text', 'folder: pasta'),
        ...each('count', 'notClosed: não fechadas'),
      },
      each('text', 'index: índice'),
    ),
  }),
};
