/** One element on the way to fields, so that a field is found by walking along with the reader instead of by its path. */
export interface FieldStep {
  /** The path of the field that ends here. */
  readonly field?: string;
  readonly inside: ReadonlyMap<string, FieldStep>;
}

interface OpenStep {
  field?: string;
  readonly inside: Map<string, OpenStep>;
}

/** The steps to all of these paths. */
export function fieldSteps(paths: readonly string[]): FieldStep {
  const root: OpenStep = { inside: new Map() };
  for (const path of paths) {
    let step = root;
    for (const name of path.split('/')) step = stepInto(step, name);
    step.field = path;
  }
  return root;
}

function stepInto({ inside }: OpenStep, name: string): OpenStep {
  const known = inside.get(name);
  if (known !== undefined) return known;
  const step: OpenStep = { inside: new Map() };
  inside.set(name, step);
  return step;
}
