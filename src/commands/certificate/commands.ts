import { argument, columns, define, does, example, listOf, optional, text, toggle } from '../../cli/define.js';
import type { CommandGroup } from '../../cli/command.js';
import { certificateOption } from '../../cli/options.js';

const thumbprintArgument = argument(
  'SHA-1 of the certificate, with or without colons',
  'SHA-1 do certificado, com ou sem dois-pontos',
);

export const list = define(
  'List the certificates of a company, or show one',
  'Lista os certificados de uma empresa, ou mostra um deles',
  {
    takes: { thumbprint: optional(thumbprintArgument) },
    options: {},
    scope: ['company'],
    examples: [
      example('--company 55df4dc6b6cd9007e4f13ee8', 'Of one company', 'De uma empresa'),
      example(
        '3F5A9C0E7B1D2468ACE013579BDF02468ACE1357 -o json',
        'Whether the service has this one (else exit 9)',
        'Se o serviço tem este (senão, saída 9)',
      ),
    ],
    exits: ['calls'],
    id: 'thumbprint',
    view: columns('status validUntil thumbprint subject', { required: 'status validUntil thumbprint' }),
  },
);

export const upload = define('Upload the certificate of a company', 'Envia o certificado de uma empresa', {
  description: {
    en: 'A PKCS #12 file (.pfx, .p12; A1). Checked here first: the password opens it, it is valid today, and it belongs to this company. The password comes from a prompt, a file or stdin, never from an argument; neither the password nor the file is kept.',
    pt: 'Um arquivo PKCS #12 (.pfx, .p12; A1). É conferido aqui antes do envio: a senha o abre, ele está dentro da validade e pertence a esta empresa. A senha é perguntada, ou lida de um arquivo ou do stdin, nunca de um argumento; nem ela nem o arquivo são gravados.',
  },
  options: {
    file: text('file', 'The .pfx or .p12 file', 'O arquivo .pfx ou .p12'),
    passwordFile: text(
      'file',
      'A file whose first line is the password; - for stdin (default: a prompt)',
      'Um arquivo cuja primeira linha é a senha; - para o stdin (padrão: é perguntada)',
    ),
    unchecked: toggle('Skip the local check', 'Pula a conferência local'),
  },
  scope: ['company'],
  examples: [
    example('--company 55df4dc6b6cd9007e4f13ee8 --file padaria.pfx', 'Asks for the password', 'Pergunta a senha'),
    example('--file padaria.pfx --password-file - < password.txt', 'The password from stdin', 'A senha pelo stdin'),
  ],
  exits: ['calls', 'conflict'],
  id: 'thumbprint',
});

export const remove = define('Delete a certificate of a company', 'Exclui um certificado de uma empresa', {
  description: {
    en: 'Without a usable certificate the captures of the company are spaced. Type the thumbprint again to confirm; without a terminal it needs --yes and --confirm.',
    pt: 'Sem um certificado utilizável, as capturas da empresa ficam bloqueadas por consumo indevido. Digite o thumbprint de novo para confirmar; sem terminal, use --yes e --confirm.',
  },
  takes: { thumbprint: thumbprintArgument },
  options: { confirm: text('thumbprint', 'The thumbprint, to confirm', 'O thumbprint, para confirmar') },
  scope: ['company'],
  examples: [example('3F5A9C0E7B1D2468ACE013579BDF02468ACE1357', 'Asks for the thumbprint', 'Pede o thumbprint')],
  exits: ['calls'],
});

export const check = define('Check when the certificates expire', 'Verifica quando os certificados vencem', {
  description: {
    en: 'Checks every company of the account, or the named ones, and lists the first to expire on top. Exits 13 when one has expired or will expire within --warn, so that a daily run can alert you; 3 when a company cannot be read.',
    pt: 'Verifica todas as empresas da conta, ou as indicadas; o que vence primeiro fica no topo. Termina com 13 quando algum venceu ou vence dentro de --warn, para que uma execução diária possa alertar; 3 quando alguma empresa não pôde ser lida.',
  },
  options: {
    ...certificateOption,
    companies: listOf('ids', 'Only these companies (default: all)', 'Só estas empresas (padrão: todas)', {
      notWith: ['company'],
    }),
  },
  examples: [
    example('--warn 30d', 'The whole account', 'A conta inteira'),
    example('--warn 60d -o csv', 'For a spreadsheet', 'Para uma planilha'),
  ],
  exits: ['partial', 'calls', 'endedBadly'],
  exitMeanings: {
    endedBadly: {
      en: 'a certificate has expired, or expires within --warn',
      pt: 'um certificado venceu, ou vence dentro de --warn',
    },
    partial: { en: 'a company could not be read', pt: 'uma empresa não pôde ser lida' },
  },
  id: 'companyId',
  view: columns('companyName state validUntil daysLeft companyTaxNumber companyId', {
    required: 'companyName state validUntil daysLeft',
  }),
});

export const group: CommandGroup = {
  verbs: {
    list: does(list, async ({ thumbprint }) =>
      thumbprint === undefined
        ? (await import('./read.js')).listCertificates
        : (await import('./read.js')).getCertificate,
    ),
    upload: does(upload, async () => (await import('./write.js')).uploadCertificate),
    delete: does(remove, async () => (await import('./write.js')).deleteCertificate),
    check: does(check, async () => (await import('./read.js')).checkCertificates),
  },
};
