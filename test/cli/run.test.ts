import { describe, expect, test } from 'vitest';
import { version } from '../../src/domain/version.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import packageJson from '../../package.json' with { type: 'json' };
import { runFiscal } from '../support/host.js';

const asText = { env: { FISCAL_ERROR_FORMAT: 'text' } };

describe('the version', () => {
  test('is that of the package', () => {
    expect(version).toBe(packageJson.version);
  });

  test.each([[['--version']], [['-V']], [['--profile', 'x', '--version']]])('%j prints one line', async (argv) => {
    expect(await runFiscal(argv)).toEqual({ exitCode: 0, stdout: `fiscal ${version}\n`, stderr: '' });
  });
});

describe('a wrong argument', () => {
  test.each([
    [
      ['lookup', 'cepp'],
      'there is no command "lookup cepp"',
      'did you mean "fiscal lookup cep"? See fiscal lookup --help',
    ],
    [['prodct'], 'there is no command "prodct"', 'did you mean "fiscal product"? See fiscal --help'],
    [['key', 'chek'], 'there is no command "key chek"', 'did you mean "fiscal key check"? See fiscal key --help'],
    [
      ['product', 'lsit'],
      'there is no command "product lsit"',
      'did you mean "fiscal product list"? See fiscal product --help',
    ],
    [['constructor'], 'there is no command "constructor"', 'see fiscal --help'],
    [['key'], 'missing: a verb of "key" (check)', 'see fiscal key --help'],
    [
      ['--outptu', 'json', 'key'],
      'there is no option --outptu in "fiscal"',
      'did you mean --output? See fiscal --help',
    ],
    [
      ['key', 'check', 'help', '--all'],
      'there is no option --all in "fiscal key check"',
      'see fiscal key check --help',
    ],
    [['usage', '--fil'], 'there is no option --fil in "fiscal usage"', 'see fiscal usage --help'],
    [['version'], 'there is no command "version"', 'did you mean "fiscal --version"? See fiscal --help'],
    [
      ['help', 'exit-code'],
      'there is no command "help exit-code"',
      'did you mean "fiscal help exit-codes"? See fiscal help --help',
    ],
  ])('%j exits 2 with a sentence', async (argv, sentence, hint) => {
    expect(await runFiscal(argv, asText)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `fiscal: ${sentence}\n  hint: ${hint}\n`,
    });
  });

  test('that is long is not repeated: it may be a key', async () => {
    const { stderr } = await runFiscal(['auth_key_canary_0123456789abcdef'], asText);
    expect(stderr).not.toContain('canary');
  });

  test('is reported in Portuguese with a Portuguese locale', async () => {
    const { stderr } = await runFiscal(['prodct'], { env: { LANG: 'pt_BR.UTF-8', FISCAL_ERROR_FORMAT: 'text' } });
    expect(stderr).toBe(
      'fiscal: não existe o comando "prodct"\n  dica: você quis dizer "fiscal product"? Veja fiscal --help\n',
    );
  });

  test('is one line of JSON in English if stderr is not a terminal', async () => {
    const { stderr } = await runFiscal(['key', 'chek', '--lang', 'pt-BR', '-o', 'json']);
    expect(JSON.parse(stderr)).toEqual({
      type: 'error',
      error: {
        code: 'usage.unknown_command',
        message: 'there is no command "key chek"',
        sent: 'no',
        hint: 'did you mean "fiscal key check"? See fiscal key --help',
        exitCode: 2,
      },
    });
  });
});

describe('help', () => {
  test('on request goes to stdout and exits 0', async () => {
    for (const argv of [
      [],
      ['--help'],
      ['-h'],
      ['help'],
      ['key', '--help'],
      ['help', 'key'],
      ['help', 'key', 'check'],
    ]) {
      const { exitCode, stdout, stderr } = await runFiscal(argv);
      expect({ argv, exitCode, stderr, hasText: stdout.length > 100 }).toEqual({
        argv,
        exitCode: 0,
        stderr: '',
        hasText: true,
      });
    }
  });

  test('of a command is the same by every way to request it', async () => {
    const [first, ...others] = await Promise.all(
      [
        ['key', 'check', '--help'],
        ['key', '--help', 'check'],
        ['--help', 'key', 'check'],
        ['key', 'check', 'something', '-h', '--bogus'],
        ['help', 'key', 'check'],
      ].map((argv) => runFiscal(argv)),
    );
    for (const other of others) expect(other).toEqual(first);
    expect(first?.stdout).toContain('fiscal key check <value...> [options]');
  });

  test('shows the examples first, then usage and arguments, in both languages', async () => {
    const { stdout: english } = await runFiscal(['key', 'check', '--help']);
    const { stdout: portuguese } = await runFiscal(['key', 'check', '--help', '--lang', 'pt-BR']);
    const headings = (help: string) => help.match(/^\S.*:$/gm);
    expect(headings(english)).toEqual(['Examples:', 'Usage:', 'Arguments:']);
    expect(headings(portuguese)).toEqual(['Exemplos:', 'Uso:', 'Argumentos:']);
    expect(english.split('\n').slice(-4)).toEqual([
      '',
      '--help --all explains everything.',
      'Of every command: --profile, -o, --fields, --query, --dry-run, -y (fiscal help output)',
      '',
    ]);
  });

  test.each([
    ['inbound', 'sync', '--help', '--all'],
    ['inbound', 'sync', '--all', '-h'],
    ['help', 'inbound', 'sync', '--all'],
    ['--all', '--help', 'inbound', 'sync'],
  ])('with --all explains every option, and what an exit code means here (%s %s %s %s)', async (...words) => {
    const { stdout } = await runFiscal(words);
    expect(stdout).toMatch(/\nOptions:\n[^]*--since[^]*\nLess common options:\n[^]*--window /);
    expect(stdout).toContain('\nOptions of every command (all: fiscal help output, fiscal help environment):\n');
    expect(stdout).toMatch(
      /\nExit codes: 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 130, 143 \(fiscal help exit-codes\)\n {2}3 {2}a document is quarantined/,
    );
  });

  test('names the rare options in one line', async () => {
    const { stdout } = await runFiscal(['product', 'create', '--help']);
    expect(stdout).toContain('\nAlso --interval, --retry-billable: --help --all explains them.\n');
  });

  test('keeps an --all of the command itself', async () => {
    const { stdout } = await runFiscal(['company', 'list', '--help', '--all']);
    expect(stdout).toMatch(/\nOptions:\n[^]*--all [^]*\nExit codes: /);
  });

  test.each(['exit-codes', 'environment', 'output', 'jobs', 'security'])(
    'on %s exists in both languages',
    async (topic) => {
      const { stdout: english } = await runFiscal(['help', topic]);
      const { stdout: portuguese } = await runFiscal(['help', topic], { env: { FISCAL_LANG: 'pt-BR' } });
      expect(english.length).toBeGreaterThan(400);
      expect(portuguese.length).toBeGreaterThan(400);
      expect(portuguese).not.toBe(english);
    },
  );

  test('of a verb is found by its alias, which the help of the noun shows', async () => {
    const help = await runFiscal(['lookup', 'address', '--help']);
    expect([await runFiscal(['lookup', 'cep', '--help']), await runFiscal(['help', 'lookup', 'cep'])]).toEqual([
      help,
      help,
    ]);
    const { stdout } = await runFiscal(['lookup', '--help']);
    expect(stdout).toContain('  address, cep  Query the addresses of a CEP\n');
  });

  test('is not requested by the value of an option', async () => {
    const { exitCode, stdout } = await runFiscal(['key', 'check', '--query', '--help', '12345678909']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});

describe('an interruption', () => {
  test('by SIGTERM exits 143, by SIGINT 130', async () => {
    for (const [signal, exitCode] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const interruption = AbortSignal.abort(new FiscalError('job.interrupted', {}, { cause: signal }));
      const stdin = (async function* () {
        interruption.throwIfAborted();
        yield new Uint8Array();
      })();
      const result = await runFiscal(['key', 'check', '-'], { interruption, stdin, ...asText });
      expect(result).toEqual({ exitCode, stdout: '', stderr: 'fiscal: interrupted; the state is saved\n' });
    }
  });
});
