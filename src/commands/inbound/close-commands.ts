import { argument, columns, define, example, text, toggle } from '../../cli/define.js';
import {
  batchOptions,
  companiesOption,
  directionOption,
  encodingOption,
  followLinksOption,
  objectLockOptions,
  knownCompaniesOption,
  readArchiveOption,
  typesOption,
} from '../../cli/options.js';
import { inModes } from '../../cli/command.js';

export const close = define('Prove that a month is complete', 'Prova que um mês está completo', {
  refusesDryRun: true,
  description: {
    en: 'Lists the documents of the service again, compares them with the archive, reads every file again, and writes for each company manifest.jsonl (every file with its hash) and close.json (the verdict and its coverage) under proofs/ in the archive. The verdict is complete, incomplete (one record per gap) or not-provable (with the reasons: the month is not over, the capture was enabled after it began, the cut-off hides documents, …). Exits 0 only when every company is complete. A proof of another machine that covers more is kept. A document is of the month of its own date of issue, in its own time zone. --direction issued proves the issued NF-e, NFC-e and NFS-e in the same way, under issued/: what the service lists is archived, their events were asked for after the month ended, none is unfinished, and the numbers of each serie have no gap that is not disabled.',
    pt: 'Lista de novo os documentos no serviço, compara com a pasta de documentos, relê todos os arquivos e grava, para cada empresa, manifest.jsonl (cada arquivo com o seu hash) e close.json (o resultado e a cobertura em que ele se apoia) em proofs/ na pasta de documentos. O resultado é complete (completo), incomplete (um registro por divergência) ou not-provable (com os motivos: o mês não terminou, a captura foi habilitada depois do início, a data de corte oculta documentos, …). Termina com 0 só quando todas as empresas estão completas. A prova de outra máquina que cobre mais é mantida. O mês de um documento é o da sua própria data de emissão, no fuso dela. --direction issued prova do mesmo modo as NF-e, NFC-e e NFS-e emitidas, em issued/: o que o serviço lista está guardado, os eventos foram consultados depois do fim do mês, nenhuma está sem situação final e a numeração de cada série não tem lacuna que não esteja inutilizada.',
  },
  takes: { month: argument('e.g. 2026-10', 'p. ex. 2026-10') },
  options: {
    ...companiesOption,
    ...directionOption,
    ...typesOption,
    disabled: text(
      'file',
      'Numbers of issued invoices that were disabled elsewhere (YAML)',
      'Números de notas emitidas que foram inutilizados em outro lugar (YAML)',
    ),
    allowInvalidSignatures: toggle(
      'Accept documents that were changed after signing',
      'Aceita documentos alterados depois de assinados',
    ),
    ...followLinksOption,
    ...objectLockOptions,
    lockWait: {
      ...batchOptions.lockWait,
      summary: {
        en: 'How long to wait for another process that writes the same proof',
        pt: 'Quanto esperar por outro processo que grava a mesma prova',
      },
    },
    ...readArchiveOption,
  },
  scope: ['company'],
  examples: [
    example('2026-10 --all-companies', 'Every company, all three types', 'Todas as empresas, os três tipos'),
    example(
      '2026-10 --all-companies --direction both',
      'Received and issued documents',
      'Documentos recebidos e emitidos',
    ),
    example('2026-10 --company a,b --type nfe', 'The NF-e of two companies', 'As NF-e de duas empresas'),
  ],
  exits: ['partial', 'calls', 'held'],
  exitMeanings: {
    partial: {
      en: 'a company is not proven complete: one record per gap',
      pt: 'não está provado que uma empresa está completa: um registro por divergência',
    },
  },
  view: columns(
    'companyName direction verdict listed archived summaries problems family kind key event reason reasons',
    { required: 'companyName verdict problems kind key reason reasons', below: 'reason reasons', varying: 'direction' },
  ),
});

export const verify = define(
  'Check the archive against its manifests, offline',
  'Confere a pasta de documentos com os manifestos, sem rede',
  {
    description: {
      en: 'Finds changed, missing, extra and swapped files, files whose content differs from the manifest, a manifest that does not belong to its verdict, and a verdict that does not follow from its coverage. Does not call the service. A folder of the archive that is a symbolic link is reported, not read, unless --follow-links is given. The manifests are those that "inbound close" wrote. Each proof has one state: proven, when nothing changed since the close and the month was complete; changed-since-close; not-verified, when files are behind a link; and incomplete, not-provable or older for a close that nothing changed, but that proves no month. Exits 0 when nothing changed since the close.',
      pt: 'Acha arquivos alterados, ausentes, a mais e trocados entre si, arquivos com conteúdo diferente do manifesto, um manifesto que não é o do resultado e um resultado que não decorre da sua cobertura. Não consulta o serviço. Uma pasta que é um link simbólico dentro da pasta de documentos é informada e não é lida, a não ser com --follow-links. Os manifestos são os que "inbound close" gravou. Cada prova tem uma situação: proven, quando nada mudou desde o fechamento e o mês estava completo; changed-since-close; not-verified, quando há arquivos atrás de um link; e incomplete, not-provable ou older para um fechamento que não mudou, mas que não comprova o mês. Termina com 0 quando nada mudou desde o fechamento.',
    },
    options: {
      manifest: text('file', 'Only this manifest', 'Só este manifesto'),
      ...followLinksOption,
      ...readArchiveOption,
    },
    refusesCompany: true,
    examples: [
      example('', 'The whole archive', 'A pasta de documentos inteira'),
      example(
        '--manifest /backup/archive/proofs/2026-10/acme/manifest.jsonl',
        'A copy of the archive',
        'Uma cópia da pasta de documentos',
      ),
    ],
    exits: ['partial'],
    exitMeanings: {
      partial: {
        en: 'the archive differs from its manifests: one record per difference',
        pt: 'a pasta difere dos manifestos: um registro por diferença',
      },
    },
    view: columns(
      'month direction companyName state kind reason documents files problems path with key manifest companyId companyTaxNumber',
      { required: 'month companyName state kind path reason problems', below: 'reason', varying: 'direction' },
    ),
  },
);

export const copy = define(
  'Copy an archive between folders and buckets, and verify it there',
  'Copia os documentos entre pastas e buckets e confere a cópia',
  {
    description: {
      en: 'Copies every file, reads it again at the target, and compares it with the manifests of "inbound close", or with its source where no manifest lists it. What is there already is read and stays: after an interruption, the same command goes on. Other bytes at the target are kept in set-aside/. Proofs go last. Exits 0 only when every file, and everything that a manifest lists, is at the target with the right hash. The next sync to the new place fetches the documents again and leaves the same bytes as they are.',
      pt: 'Copia cada arquivo, relê no destino e compara com os manifestos de "inbound close", ou com a origem quando nenhum manifesto o lista. O que já está lá é relido e fica: após uma interrupção, o mesmo comando continua. Outros bytes no destino ficam em set-aside/. As provas vão por último. Termina com 0 só quando cada arquivo, e tudo o que um manifesto lista, está no destino com o hash certo. O próximo sync para o novo lugar baixa os documentos de novo e deixa os bytes iguais como estão.',
    },
    options: {
      from: text('place', 'A folder, or s3://bucket/prefix', 'Uma pasta, ou s3://bucket/prefixo'),
      to: text('place', 'Another one', 'Outro lugar'),
      ...objectLockOptions,
    },
    refusesCompany: true,
    examples: [
      example(
        '--from ./archive --to s3://documents/fiscal',
        'From a folder to a bucket',
        'De uma pasta para um bucket',
      ),
      example(
        '--from s3://documents/fiscal --to /backup/archive',
        'A backup on this machine',
        'Uma cópia nesta máquina',
      ),
    ],
    exits: ['partial'],
    exitMeanings: {
      partial: {
        en: 'a file is missing, changed or not copied: one record for each',
        pt: 'um arquivo falta, mudou ou não foi copiado: um registro para cada',
      },
    },
    view: columns('kind path reason expected found copied present listed problems from to', {
      required: 'kind path reason problems',
      below: 'reason',
    }),
  },
);

export const reconcile = define(
  'Compare the documents of the ERP with the captured or issued ones',
  'Compara os documentos do ERP com os capturados ou emitidos',
  {
    description: {
      en: 'From a list of keys (CSV, .xlsx, NDJSON, JSON) or a SPED Fiscal file (C100 and D100; documents that the company issues itself are left out). With --direction issued, the list or the own issues of the SPED file (C100 with IND_EMIT 0) are compared with what "invoice sync" has read: only in the ERP, only issued, cancelled since, never issued (rejected, denied, disabled) or not final. Shows what only the ERP has, what was only captured, and what was cancelled since. With several companies a key matches when any of them has it; a row that names its company (column company, companyId, cnpjEmpresa and the like) is compared with that one only, and a row of an unknown company or of one that is not compared is a difference. Offline, unless --fetch captures by key the NFS-e that are missing (billed). A SPED file and --fetch are for one company, and the CNPJ of the file must be that of the company. Exits 0 only without differences; 3 also when no sync has read the lists of a company.',
      pt: 'De uma lista de chaves (CSV, .xlsx, NDJSON, JSON) ou de um arquivo SPED Fiscal (C100 e D100; emissão própria fica de fora). Com --direction issued, a lista ou a emissão própria do SPED (C100 com IND_EMIT 0) é comparada com o que "invoice sync" leu: só no ERP, só emitida, cancelada depois, nunca emitida (rejeitada, denegada, inutilizada) ou sem situação final. Mostra o que só o ERP tem, o que só foi capturado e o que foi cancelado depois. Com várias empresas, uma chave confere quando alguma delas a tem; uma linha que indica a sua empresa (coluna empresa, cnpjEmpresa, companyId e semelhantes) é comparada só com ela, e uma linha de empresa desconhecida ou fora da comparação é uma diferença. Sem rede, a não ser que --fetch capture pela chave as NFS-e que faltam (cobrado). Um arquivo SPED e --fetch valem para uma só empresa, e o CNPJ do arquivo deve ser o dela. Termina com 0 só quando não há diferenças; com 3 também quando nenhuma sincronização leu as listas de uma empresa.',
    },
    options: {
      erp: text('file', 'The list of the ERP; - for stdin', 'A lista do ERP; - para o stdin'),
      ...encodingOption,
      month: text(
        'yyyy-mm',
        'Month of issue of what was captured (a SPED file contains its own)',
        'Mês de emissão do que foi capturado (um arquivo SPED já informa o seu)',
      ),
      ...directionOption,
      ...typesOption,
      fetch: toggle(
        'Capture by key the NFS-e that only the ERP has (billed)',
        'Captura pela chave as NFS-e que só o ERP tem (cobrado)',
      ),
      ...knownCompaniesOption,
      ...inModes(batchOptions, { onlyWith: ['fetch'] }),
    },
    scope: ['company'],
    examples: [
      example('--erp keys.csv --month 2026-10', 'A list of keys', 'Uma lista de chaves'),
      example(
        '--erp keys.csv --month 2026-10 --company acme,sol',
        'One list for two companies',
        'Uma lista para duas empresas',
      ),
      example(
        '--erp books.csv --month 2026-10 --all-companies',
        'Rows of every company, named in the column company',
        'Linhas de todas as empresas, indicadas na coluna empresa',
      ),
      example(
        '--erp sped.txt --company acme --direction both',
        'Both sides of a SPED file',
        'Os dois lados de um arquivo SPED',
      ),
      example(
        '--erp keys.csv --month 2026-10 --fetch --max-billable 50 --yes',
        'And capture at most 50 NFS-e',
        'E captura no máximo 50 NFS-e',
      ),
    ],
    exits: ['partial', 'calls', 'pending', 'held', 'limitReached'],
    exitMeanings: {
      partial: {
        en: 'a difference is left, or a list was not read to its end',
        pt: 'resta uma diferença, ou uma lista não foi lida até o fim',
      },
    },
    view: columns('kind direction family key line issuer issuedOn amountText state value companyName', {
      required: 'kind key state value',
      varying: 'direction',
    }),
  },
);
