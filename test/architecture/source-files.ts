import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../src', import.meta.url));

/** One import of a source file, as written and as found. */
export interface ImportEdge {
  readonly from: string;
  /** Path below `src/` for our own files, the package name otherwise. */
  readonly to: string;
  readonly inside: boolean;
  /** `static` and `dynamic` bring code; `type` is erased. */
  readonly manner: 'static' | 'dynamic' | 'type';
}

export interface SourceFile {
  /** Path below `src/`, with `/`. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly ImportEdge[];
  /** Uses of `process` and `console`, as globals or as modules, with their lines. */
  readonly globals: readonly string[];
  /** What the module keeps between calls: a `let`, or a container that begins empty, with its line. */
  readonly state: readonly string[];
}

/** Reads every source file and resolves its imports. */
export async function readSourceFiles(): Promise<readonly SourceFile[]> {
  return await readFolder(root, ['.ts']);
}

/** The same for a folder beside `src`; its paths begin with `name`. */
export async function readRootFolder(name: string): Promise<readonly SourceFile[]> {
  return await readFolder(join(root, '..'), ['.ts', '.js'], name);
}

async function readFolder(root: string, endings: readonly string[], below = ''): Promise<readonly SourceFile[]> {
  const names = await readdir(join(root, below), { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  return Promise.all(files.map(async (path) => inspect(path, await readFile(join(root, path), 'utf8'))));
}

/** What one file imports and which globals of the process it touches. */
export function inspect(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const imports: ImportEdge[] = [];
  const globals: string[] = [];
  const visit = (node: ts.Node): void => {
    const edge = importOf(node, path);
    if (edge !== undefined) imports.push(edge);
    const used = globalUse(node);
    if (used !== undefined) globals.push(`${used} in line ${lineOf(tree, node)}`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  const state = tree.statements.flatMap(statesOf).map((node) => `${node.text} in line ${lineOf(tree, node)}`);
  return { path, lines: text.trimEnd().split('\n').length, imports, globals, state };
}

function importOf(node: ts.Node, path: string): ImportEdge | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return edge(path, node.moduleSpecifier.text, isTypeOnly(node.importClause) ? 'type' : 'static');
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return edge(path, node.moduleSpecifier.text, node.isTypeOnly ? 'type' : 'static');
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const { literal } = node.argument;
    return ts.isStringLiteral(literal) ? edge(path, literal.text, 'type') : undefined;
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    // A name that is computed leads to no file that a test can see.
    if (argument === undefined || !ts.isStringLiteralLike(argument)) {
      return { from: path, to: 'computed', inside: true, manner: 'dynamic' };
    }
    return edge(path, argument.text, 'dynamic');
  }
  return undefined;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  if (clause.name !== undefined || bindings === undefined || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
}

function edge(from: string, specifier: string, manner: ImportEdge['manner']): ImportEdge {
  if (!specifier.startsWith('.')) return { from, to: packageName(specifier), inside: false, manner };
  const to = posix.join(dirname(from), specifier).replace(/\.js$/, '.ts');
  return { from, to, inside: true, manner };
}

function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The global or the module that a node uses; a property or a declaration of that name is none. */
function globalUse(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const name = node.moduleSpecifier.text;
    return /^(?:node:)?(?:process|console)$/.test(name) && !isTypeOnly(node.importClause) ? name : undefined;
  }
  if (!ts.isIdentifier(node) || (node.text !== 'process' && node.text !== 'console')) return undefined;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) {
    const isGlobal = parent.expression === node || parent.expression.getText() === 'globalThis';
    return isGlobal ? node.text : undefined;
  }
  const isValue =
    (ts.isVariableDeclaration(parent) && parent.initializer === node) ||
    (ts.isPropertyAssignment(parent) && parent.initializer === node) ||
    (ts.isCallExpression(parent) && parent.arguments.includes(node)) ||
    (ts.isElementAccessExpression(parent) && parent.expression === node);
  return isValue ? node.text : undefined;
}

/** The names at the top of a module, and of static fields, that hold what changes. */
function statesOf(statement: ts.Statement): readonly ts.Identifier[] {
  if (ts.isClassDeclaration(statement)) {
    return statement.members.filter(isStaticField).flatMap(({ name, initializer }) => {
      const isKept = ts.isIdentifier(name) && initializer !== undefined && isEmptyContainer(initializer);
      return isKept ? [name] : [];
    });
  }
  if (!ts.isVariableStatement(statement) || isAmbient(statement)) return [];
  const isConstant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
  return statement.declarationList.declarations.flatMap(({ name, type, initializer }) => {
    const isReadOnly = type !== undefined && /^(?:readonly |Readonly)/.test(type.getText());
    const isFilled = initializer !== undefined && !isReadOnly && isEmptyContainer(initializer);
    const isKept = !isConstant || isFilled;
    return isKept && ts.isIdentifier(name) ? [name] : [];
  });
}

function isStaticField(member: ts.ClassElement): member is ts.PropertyDeclaration {
  return (
    ts.isPropertyDeclaration(member) &&
    member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) === true
  );
}

function isAmbient(statement: ts.VariableStatement): boolean {
  return statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) === true;
}

/** `new Map()`, `[]`: made to be filled. */
function isEmptyContainer(node: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(node)) return node.elements.length === 0;
  if (!ts.isNewExpression(node)) return false;
  return /^(?:Weak)?(?:Map|Set)$/.test(node.expression.getText()) && (node.arguments ?? []).length === 0;
}

function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
}
