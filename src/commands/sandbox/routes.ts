import { operations } from '../../contract/operations.js';

/** The routes of the sandbox, which are the catalogue, with the mark of who promises them. */
export function listRoutes(): readonly Readonly<Record<string, unknown>>[] {
  return Object.entries(operations).map(([operation, { method, path, key, role, billed, mark }]) => ({
    operation,
    method,
    path,
    key,
    role,
    billed,
    mark,
  }));
}
