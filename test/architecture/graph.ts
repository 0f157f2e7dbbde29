import type { ImportEdge } from './source-files.js';

/** Every file that a walk from `starts` along imports of these manners comes to, the starts included. */
export function reachable(
  starts: readonly string[],
  edges: readonly ImportEdge[],
  manners: readonly ImportEdge['manner'][],
): ReadonlySet<string> {
  const found = new Set(starts);
  const queue = [...starts];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    for (const edge of edges) {
      if (edge.from !== path || !manners.includes(edge.manner) || found.has(edge.to)) continue;
      found.add(edge.to);
      queue.push(edge.to);
    }
  }
  return found;
}

/** The cycles met by a depth-first walk over static and type imports, each written from its first file in order. */
export function findCycles(edges: readonly ImportEdge[]): readonly string[] {
  const targets = new Map<string, string[]>();
  for (const edge of edges) {
    if (edge.manner === 'dynamic') continue;
    targets.set(edge.from, [...(targets.get(edge.from) ?? []), edge.to]);
  }
  const cycles = new Set<string>();
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.add(writeCycle(trail.slice(start)));
    if (start >= 0 || done.has(path)) return;
    for (const next of targets.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) walk(path, []);
  return [...cycles].sort();
}

function writeCycle(files: readonly string[]): string {
  const first = files.indexOf([...files].sort()[0] ?? '');
  const turned = [...files.slice(first), ...files.slice(0, first)];
  return [...turned, turned[0]].join(' → ');
}
