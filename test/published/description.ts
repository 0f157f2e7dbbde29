import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../src/commands/openapi.js';
import { literalLength, patternOf } from './path-pattern.js';

export interface ReceivedAnswer {
  readonly method: string;
  /** May have a query. */
  readonly path: string;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

const json = 'application/json';

/**
 * Compares answers with the description that `schema --openapi` prints: status, headers, media type and JSON body. The
 * result says what contradicts it. An address that the description does not have is not compared.
 */
export function compareWithDescription(): (answer: ReceivedAnswer) => readonly string[] {
  const description = JSON.parse(JSON.stringify(openApiDocument())) as Description;
  // Code that runs a few times need not be optimized.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema(description, 'description');
  // Case does not count in paths (public).
  const paths = Object.keys(description.paths).map((path) => ({ path, pattern: patternOf(path, 'i') }));
  const compiled = new Map<string, ValidateFunction>();

  function validatorAt(place: readonly string[]): ValidateFunction {
    const reference = `description#${pointerTo(place)}`;
    const validate = compiled.get(reference) ?? ajv.compile({ $ref: reference });
    compiled.set(reference, validate);
    return validate;
  }

  /** Where the answer is described: the path with the longest literal text among those that fit. */
  function responsesAt(method: string, pathname: string): readonly string[] | undefined {
    const [found] = paths
      .filter(({ path, pattern }) => pattern.test(pathname) && method in (description.paths[path] ?? {}))
      .toSorted((one, other) => literalLength(other.path) - literalLength(one.path));
    return found === undefined ? undefined : ['paths', found.path, method, 'responses'];
  }

  return ({ method, path, status, headers, text }) => {
    const at = responsesAt(method.toLowerCase(), path.split('?')[0] ?? '');
    if (at === undefined) return [];
    const responses = description.paths[at[1] ?? '']?.[at[2] ?? '']?.responses ?? {};
    const code = String(status) in responses ? String(status) : `${Math.floor(status / 100)}XX`;
    const described = responses[code];
    if (described === undefined) return [`Status ${status} is not described.`];
    const shared = described.$ref?.split('/').slice(1);
    const place = shared ?? [...at, code];
    const response = shared === undefined ? described : description.components.responses[shared[2] ?? ''];
    const missing = Object.entries(response?.headers ?? {})
      .filter(([name, { required = false }]) => required && !(name.toLowerCase() in headers))
      .map(([name]) => name);
    if (missing.length > 0) return missing.map((name) => `The header ${name} is missing.`);
    const content = response?.content;
    if (text === '') {
      const { schema = {} } = content?.[json] ?? {};
      return Object.keys(schema).length === 0 ? [] : ['The body is missing.'];
    }
    const mediaType = headers['content-type']?.split(';')[0] ?? '';
    if (content?.[mediaType] === undefined) return [`A body of type "${mediaType}" is not described.`];
    if (mediaType !== json) return [];
    const validate = validatorAt([...place, 'content', json, 'schema']);
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
  };
}

function pointerTo(names: readonly string[]): string {
  const escaped = names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')));
  return `/${escaped.join('/')}`;
}
