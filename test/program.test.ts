/**
 * What holds for every path of the code, also for those that no run of a test takes. The compiler says what a name
 * resolves to and which values a type has: a word in a comment, in a text or in a type counts for nothing.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import ts from 'typescript';
import { watchOptions } from '../src/cli/options.js';
import type { CommandDefinition } from '../src/cli/command.js';
import { operations } from '../src/contract/operations.js';
import { errorCatalogue } from '../src/errors/catalogue.js';
import { commandNodes } from './architecture/command-nodes.js';
import { forEachValue, pathOf, SourceProgram } from './architecture/program.js';
import { fileWriters, withoutFiles } from './cli/file-writers.js';
import { onlyRead, withoutRequest, writingCommands } from './cli/writing-commands.js';
import { commandOf, loadCommands } from './support/commands.js';

interface Command {
  readonly name: string;
  readonly definition: CommandDefinition;
  /** Every declaration that a run of it can come to. */
  readonly reached: ReadonlySet<ts.Node>;
}

interface Compiled {
  readonly program: SourceProgram;
  readonly commands: readonly Command[];
  /** The operations that a declaration calls, or gives to what calls them. */
  readonly called: (node: ts.Node) => ReadonlySet<string>;
}

let compiled: Compiled | undefined;

beforeAll(async () => {
  const program = new SourceProgram();
  const definitions = await loadCommands();
  const starts = commandNodes(program, [...definitions.keys()]);
  const commands = [...definitions].map(([name, definition]) => {
    const start = starts.get(name);
    return { name, definition, reached: start === undefined ? new Set<ts.Node>() : program.reachedFrom(start) };
  });
  compiled = { program, commands, called: operationsOf(program) };
});

// It holds hundreds of megabytes, and the files of a worker run in one process.
afterAll(() => (compiled = undefined));

function theProgram(): Compiled {
  if (compiled === undefined) throw new Error('the program was not compiled');
  return compiled;
}

/** A function of a declaration that is asked for it by many commands. */
function remembered<Result>(find: (node: ts.Node) => Result): (node: ts.Node) => Result {
  const known = new Map<ts.Node, Result>();
  return (node) => {
    const result = known.get(node) ?? find(node);
    known.set(node, result);
    return result;
  };
}

function filesOutsideOf(...paths: readonly string[]): readonly ts.SourceFile[] {
  return theProgram().program.files((path) => !paths.some((start) => path.startsWith(start)));
}

test('every code of the catalogue is used by a `new FiscalError`', () => {
  const { program } = theProgram();
  const errorClass = program.exported('errors/fiscal-error.ts', 'FiscalError');
  const codes = Object.keys(errorCatalogue());
  const made = new Set<string>();
  const unclear: string[] = [];
  // An error is made again of the reason that was kept of it.
  for (const file of filesOutsideOf('sandbox/', 'errors/reasons.ts')) {
    forEachValue(file, (node) => {
      if (!ts.isNewExpression(node) || !program.declarationsOf(node.expression).includes(errorClass)) return;
      const [code] = node.arguments ?? [];
      const found = code === undefined ? [] : program.stringsOf(code);
      // A code that may be any one proves none.
      if (found.length === 0 || found.length === codes.length) unclear.push(`${pathOf(node)}: ${node.getText()}`);
      else for (const each of found) made.add(each);
    });
  }
  expect(unclear).toEqual([]);
  expect([...made].toSorted()).toEqual(codes.toSorted());
});

test('only the resolver reads the configured company and tenant, and what prints them', () => {
  const { program } = theProgram();
  const settings = program.exported('config/settings.ts', 'Settings');
  if (!ts.isInterfaceDeclaration(settings)) throw new Error('Settings is no interface');
  const names = new Set(['company', 'tenant']);
  const members = settings.members.filter(({ name }) => name !== undefined && names.has(name.getText()));
  expect(members).toHaveLength(names.size);
  const readers = new Set<string>();
  for (const file of filesOutsideOf()) {
    forEachValue(file, (node) => {
      const isRead = program
        .propertyRead(node, names)
        ?.declarations.some((each) => members.some((one) => one === each));
      if (isRead === true) readers.add(pathOf(node));
    });
  }
  expect([...readers].toSorted()).toEqual([
    'cli/go-on.ts',
    'cli/presentation.ts',
    'cli/printed-commands.ts',
    'services/scope/resolver.ts',
  ]);
});

const ids = Object.keys(operations);

function operationsOf(program: SourceProgram): (node: ts.Node) => ReadonlySet<string> {
  const client = program.exported('client/client.ts', 'Client');
  const call = ts.isInterfaceDeclaration(client)
    ? client.members.find(({ name }) => name?.getText() === 'call')
    : undefined;
  if (call === undefined) throw new Error('Client has no method call');
  const areIds = (found: readonly string[]) => found.length > 0 && found.every((each) => ids.includes(each));
  return remembered((declaration) => {
    const found = new Set<string>();
    if (!/^(?:commands|services|jobs)\//.test(pathOf(declaration))) return found;
    const add = (names: readonly string[]) => {
      if (areIds(names) && names.length < ids.length) for (const name of names) found.add(name);
    };
    forEachValue(declaration, (node) => {
      const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
      if (isText && areIds(program.stringsWantedAt(node))) add(program.stringsOf(node));
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
      const [operation] = node.arguments;
      const isCall = program.declarationsOf(node.expression.name).some((each) => each === call);
      if (isCall && operation !== undefined) add(program.stringsOf(operation));
    });
    return found;
  });
}

/** The service has replaced it; only `fiscal api` calls it. */
const replaced = 'nfe.manifestation.legacy';

test('every operation is called by some command', () => {
  const { commands, called } = theProgram();
  const all = new Set(commands.flatMap(({ reached }) => [...reached].flatMap((each) => [...called(each)])));
  expect([...all].toSorted()).toEqual(ids.filter((id) => id !== replaced).toSorted());
});

test('every command that can write has a dry-run case', () => {
  const { commands, called } = theProgram();
  const writes = new Set(Object.entries(operations).flatMap(([id, { method }]) => (method === 'GET' ? [] : [id])));
  const writing = commands.filter(({ reached }) =>
    [...reached].some((each) => [...called(each)].some((id) => writes.has(id))),
  );
  const listed = new Set([...writingCommands, ...onlyRead, ...Object.keys(withoutRequest)].map(commandOf));
  expect([...listed].toSorted()).toEqual(writing.map(({ name }) => name).toSorted());
});

/** Options that go to the sandbox as they are, in a body; its own tests show what they change. */
const sentWhole = ['sandbox deliver --resources', 'sandbox seed --scenario'];

/** `cli/perform.ts` reads them for every command that has them. */
const ofEveryRun = new Set(Object.keys(watchOptions));

test('every option of every command is read by its code', () => {
  const { program, commands } = theProgram();
  const names = new Set(commands.flatMap(({ definition }) => Object.keys(definition.options)));
  const readBy = remembered((declaration) => {
    const found = new Set<string>();
    forEachValue(declaration, (node) => {
      if (ts.isElementAccessExpression(node)) {
        for (const name of program.stringsOf(node.argumentExpression)) found.add(name);
        return;
      }
      const read = program.propertyRead(node, names);
      // What only the language declares, such as the `at` of an array, is no option.
      if (read?.declarations.some(isOurs) === true) found.add(read.name);
    });
    return found;
  });
  const pairs = commands.flatMap(({ name, definition, reached }) =>
    Object.keys(definition.options)
      .filter((option) => !ofEveryRun.has(option))
      .map((option) => ({
        option: `${name} --${option}`,
        isRead: [...reached].some((each) => readBy(each).has(option)),
      })),
  );
  expect(pairs.filter(({ isRead }) => !isRead).map(({ option }) => option)).toEqual(sentWhole);
  expect(pairs.length).toBeGreaterThan(600);
});

function isOurs(declaration: ts.Node): boolean {
  return !declaration.getSourceFile().isDeclarationFile;
}

/** What changes a file or a folder, of Node. */
const fileChanges = new Set([
  ...['appendFile', 'copyFile', 'createWriteStream', 'link', 'mkdir', 'mkdtemp', 'rename', 'rm', 'unlink', 'writeFile'],
]);
const profileChanges = new Set([
  ...['removeKeys', 'set', 'storeAnswers', 'storeHosts', 'storeKeys', 'storeWebhookSecret', 'unset', 'use'],
]);

/** `open` may be for reading: what creates a file with it names these. */
const newFiles = [
  ['io/output-file.ts', 'createFile'],
  ['services/batch/template.ts', 'writeTemplate'],
  ['commands/sandbox/attach.ts', 'askSandbox'],
] as const;

test('every command that can change a file or a sandbox has a dry-run case, or refuses it', () => {
  const { program, commands } = theProgram();
  const creators: ReadonlySet<ts.Node> = new Set(newFiles.map(([path, name]) => program.exported(path, name)));
  const changes = remembered((declaration) => {
    let found = creators.has(declaration);
    if (!/^(?:archive\/|commands\/|services\/|io\/output-file\.ts$)/.test(pathOf(declaration))) return found;
    forEachValue(declaration, (node) => {
      const declared = ts.isIdentifier(node) && fileChanges.has(node.text) ? program.declarationsOf(node) : [];
      found ||= declared.some((each) => /\/node\/fs(?:\/promises)?\.d\.ts$/.test(each.getSourceFile().fileName));
      const read = program.propertyRead(node, profileChanges);
      found ||= read?.declarations.some((each) => pathOf(each) === 'config/files.ts') === true;
    });
    return found;
  });
  const changing = commands.filter(
    ({ definition, reached }) => definition.refusesDryRun !== true && [...reached].some(changes),
  );
  const listed = new Set([...writingCommands, ...fileWriters, ...withoutFiles].map(commandOf));
  expect(changing.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([]);
  const names = changing.map(({ name }) => name);
  const changed = [...fileWriters, ...withoutFiles].map(commandOf);
  expect(changed.filter((name) => !names.includes(name))).toEqual([]);
});
