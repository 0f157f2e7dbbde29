import { argument, define, does, example, optionalArgument, text, wholeExample } from '../../cli/define.js';
import type { CommandGroup, ExitName } from '../../cli/command.js';

/** How a store on a server may end a command. */
const storeExits: readonly ExitName[] = ['credentials', 'temporary', 'forbidden'];

const storeArgument = optionalArgument(
  'local, server or a file; without it, the store in use',
  'local, server ou um arquivo; sem ele, o banco em uso',
);

const status = define('Show which store this machine uses', 'Mostra o arquivo de estado em uso', {
  description: {
    en: 'Where the store is, its identity, whether anything was ever sent from it, how many jobs are open, and which hosts asked for a wait. "Never twice" holds within one store.',
    pt: 'Onde está o arquivo de estado, sua identidade, se algo já foi enviado a partir dele, quantos lotes estão abertos e quais hosts pediram uma espera. A garantia de não enviar duas vezes vale dentro de um mesmo arquivo de estado.',
  },
  options: {},
  examples: [example('', 'Before a first import', 'Antes de uma primeira importação')],
});

const adopt = define(
  'Import products that another store has created',
  'Importa produtos criados com outro arquivo de estado',
  {
    description: {
      en: 'Reads a list of product ids (CSV, NDJSON or JSON with the field id, and sku if you have it) and reads each product at the service. From then on "product apply" knows them and never creates them again. Reading is free; nothing is changed.',
      pt: 'Lê uma lista de ids de produtos (CSV, NDJSON ou JSON com o campo id, e sku se houver) e consulta cada produto no serviço. A partir daí "product apply" os conhece e não cria nenhum de novo. A leitura é gratuita; nada é alterado.',
    },
    takes: { file: argument('The list, or - for stdin', 'A lista, ou - para stdin') },
    options: {},
    scope: ['tenant'],
    examples: [
      example(
        'products.ndjson',
        'The output of "product list -o ndjson" of another machine',
        'A saída de "product list -o ndjson" de outra máquina',
      ),
    ],
    exits: ['partial', 'calls'],
    id: 'id',
  },
);

const migrate = define('Create the tables of the store', 'Cria as tabelas do banco', {
  description: {
    en: 'The first command that needs them does the same where its login may create tables. On a server where it may not, run this once with the login of the owner. Tables of another version are refused and stay as they are. Shows the version before (0: none) and after.',
    pt: 'O primeiro comando que precisa delas faz o mesmo quando o acesso pode criar tabelas. Em um servidor em que não pode, execute este comando uma vez com o acesso do dono. Tabelas de outra versão são recusadas e ficam como estão. Mostra a versão antes (0: nenhuma) e depois.',
  },
  options: {},
  examples: [
    wholeExample(
      'FISCAL_STORE_URL_FILE=owner-url fiscal store migrate',
      'With the login of the owner',
      'Com o acesso do dono',
    ),
    example('--dry-run', 'Only the two versions', 'Só as duas versões'),
  ],
  exits: storeExits,
});

export const grant = define(
  'Print the SQL of the least rights on a server',
  'Imprime o SQL dos direitos mínimos em um servidor',
  {
    description: {
      en: 'The rights with which a login of PostgreSQL does everything but create or change tables. Sends nothing and needs no server; run the SQL as the owner of the tables, after "fiscal store migrate". It may be run again.',
      pt: 'Os direitos com que um acesso do PostgreSQL faz tudo, menos criar ou alterar tabelas. Não envia nada e não precisa de servidor; execute o SQL como dono das tabelas, depois de "fiscal store migrate". Pode ser executado de novo.',
    },
    options: { role: text('name', 'The role that gets the rights', 'O papel que recebe os direitos') },
    examples: [example('--role fiscal_app | psql "service=owner"', 'Run it as the owner', 'Executar como dono')],
  },
);

export const check = define(
  'Read every row of the store and report what is damaged',
  'Lê todas as linhas do banco e informa o que está danificado',
  {
    description: {
      en: 'Looks at the store of this machine, or of the server, as it is at one moment: tables, indexes and constraints, every row of every profile, rows that refer to others or contradict themselves, an unfinished copy, lost rows, and the answers that wait on this machine. In a file also what SQLite finds; the pages of a server are for its pg_amcheck. Writes nothing, and other programs go on working. Exits 0 only when every row was read and nothing was found. Up to 1,000 findings are listed, all are counted.',
      pt: 'Examina o banco desta máquina, ou do servidor, como está em um momento: tabelas, índices e restrições, todas as linhas de todos os perfis, linhas que se referem a outras ou se contradizem, uma cópia inacabada, linhas perdidas e as respostas que esperam nesta máquina. Em um arquivo, também o que o SQLite acha; as páginas de um servidor são tarefa do pg_amcheck. Não grava nada, e outros programas continuam trabalhando. Termina com 0 só quando todas as linhas foram lidas e nada foi achado. Até 1.000 achados são listados, todos são contados.',
    },
    takes: { store: storeArgument },
    options: {},
    examples: [
      example('', 'The store in use', 'O banco em uso'),
      example('/backup/state.db -o ndjson', 'A backup, for a program', 'Um backup, para um programa'),
    ],
    exits: [...storeExits, 'endedBadly'],
    exitMeanings: {
      endedBadly: {
        en: 'something is damaged, or could not be read: one record for each finding',
        pt: 'algo está danificado ou não pôde ser lido: um registro para cada achado',
      },
    },
    view: async () => (await import('../../presenters/store.js')).storeCheckView,
  },
);

export const copy = define(
  'Copy the store from a file to a server, or back',
  'Copia o banco de um arquivo para um servidor, ou de volta',
  {
    description: {
      en: 'Copies every row of every profile to an empty store and compares both, table by table, by count and hash. While it runs, and while it is interrupted, neither of the two sends; the same command goes on. Afterwards only the new store sends: the old one refuses every command and names the new one, because the same job in two stores would be sent twice. The rows of the sandbox stay in their file.',
      pt: 'Copia todas as linhas de todos os perfis para um banco vazio e compara os dois, tabela por tabela, por contagem e hash. Enquanto a cópia roda, e enquanto está interrompida, nenhum dos dois envia; o mesmo comando continua. Depois só o banco novo envia: o antigo recusa todos os comandos e indica o novo, porque o mesmo lote em dois bancos seria enviado duas vezes. As linhas do sandbox ficam no arquivo delas.',
    },
    options: {
      from: text('store', 'local, server or a file: what is copied', 'local, server ou um arquivo: o que é copiado'),
      to: text(
        'store',
        'local (the file of the state folder), server (FISCAL_STORE_URL) or a file; it has no rows yet',
        'local (o arquivo da pasta de estado), server (FISCAL_STORE_URL) ou um arquivo; ainda sem linhas',
      ),
    },
    examples: [
      example(
        '--from local --to server',
        'The store of this machine becomes that of several',
        'O banco desta máquina passa a ser o de várias',
      ),
      example('--from server --to local --dry-run', 'Only the counts', 'Só as contagens'),
    ],
    exits: [...storeExits, 'held', 'endedBadly'],
    exitMeanings: {
      held: { en: 'a store is in use', pt: 'um banco está em uso' },
      endedBadly: { en: 'the two stores differ', pt: 'os dois bancos diferem' },
    },
    view: async () => (await import('../../presenters/store.js')).storeCopyView,
  },
);

export const release = define(
  'Let a store send again that was copied or put back',
  'Permite que um banco copiado, ou restaurado de uma cópia antiga, volte a enviar',
  {
    description: {
      en: 'After "store copy" the copied store refuses every command. This ends that, when the copy is given up or lost. Nothing is copied back: what was sent from the other store since is unknown here. The same for a store that was put back to an earlier state: it shows from when to when sends are missing, and afterwards the same commands send them again.',
      pt: 'Depois de "store copy" o banco copiado recusa todos os comandos. Este comando encerra isso, quando se desiste da cópia ou ela se perdeu. Nada é copiado de volta: o que foi enviado do outro banco desde então não é conhecido aqui. O mesmo vale para um banco que voltou a uma situação anterior: o comando mostra desde quando e até quando faltam envios, e depois os mesmos comandos os enviam de novo.',
    },
    takes: { store: storeArgument },
    options: {},
    examples: [
      example('local', 'The server is given up', 'O servidor foi abandonado'),
      example('--dry-run', 'What the store in use lacks', 'O que falta no banco em uso'),
    ],
    exits: [...storeExits, 'held'],
    exitMeanings: { held: { en: 'the store is in use', pt: 'o banco está em uso' } },
  },
);

export const group: CommandGroup = {
  verbs: {
    status: does(status, async () => (await import('./status.js')).storeStatus),
    check: does(check, async () => (await import('./check.js')).checkStore),
    migrate: does(migrate, async () => (await import('./migrate.js')).migrateStore),
    grant: does(grant, async () => (await import('./grant.js')).grantRights),
    copy: does(copy, async () => (await import('./copy.js')).copyStore),
    release: does(release, async () => (await import('./release.js')).releaseStore),
    adopt: does(adopt, async () => (await import('../product/adopt.js')).adoptProducts),
  },
};
