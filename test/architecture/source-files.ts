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
  /** Uses of the globals `process` and `console`, with their lines. */
  readonly globals: readonly string[];
}

/** Reads every source file and resolves its imports. */
export async function readSourceFiles(): Promise<readonly SourceFile[]> {
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
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
    if (isGlobalUse(node)) globals.push(`${node.text} in line ${lineOf(tree, node)}`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { path, lines: text.trimEnd().split('\n').length, imports, globals };
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
    if (argument === undefined || !ts.isStringLiteralLike(argument)) {
      throw new Error(`${path} imports a module whose name is not a literal`);
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

/** An identifier that stands for the global of that name, not a property or a declaration called so. */
function isGlobalUse(node: ts.Node): node is ts.Identifier {
  if (!ts.isIdentifier(node) || (node.text !== 'process' && node.text !== 'console')) return false;
  const { parent } = node;
  return ts.isPropertyAccessExpression(parent) && parent.expression === node;
}

function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
}
