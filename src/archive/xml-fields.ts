/** One element on the way to fields, so that a field is found by walking along with the reader instead of by its path. */
export interface FieldStep {
  /** The path of the field that ends here. */
  readonly field?: string;
  readonly inside: ReadonlyMap<string, FieldStep>;
  readonly outer: FieldStep | undefined;
}

interface OpenStep {
  field?: string;
  readonly outer: OpenStep | undefined;
  readonly inside: Map<string, OpenStep>;
}

/** The steps to all of these paths. */
export function fieldSteps(paths: readonly string[]): FieldStep {
  const root: OpenStep = { inside: new Map(), outer: undefined };
  for (const path of paths) {
    let step = root;
    for (const name of path.split('/')) step = stepInto(step, name);
    step.field = path;
  }
  return root;
}

function stepInto(outer: OpenStep, name: string): OpenStep {
  const known = outer.inside.get(name);
  if (known !== undefined) return known;
  const step: OpenStep = { inside: new Map(), outer };
  outer.inside.set(name, step);
  return step;
}

/** Walks along with the reader, from the inside of the signed element. */
export class FieldWalk {
  /** So many of the open elements are off all ways. */
  #off = 0;
  #step: FieldStep | undefined;

  constructor(root: FieldStep) {
    this.#step = root;
  }

  open(name: string): void {
    const step = this.#off === 0 ? this.#step?.inside.get(name) : undefined;
    if (step === undefined) this.#off += 1;
    else this.#step = step;
  }

  close(): void {
    if (this.#off > 0) this.#off -= 1;
    else this.#step = this.#step?.outer;
  }

  /** The field whose text stands here. */
  get field(): string | undefined {
    return this.#off > 0 ? undefined : this.#step?.field;
  }
}
