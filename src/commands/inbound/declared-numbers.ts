import type { NumberRange } from '../../services/closing/serie-numbers.js';
import type { IssuedModel } from '../../services/issued/book.js';

/** Numbers that were disabled elsewhere, as a person says, by model and serie. */
export type DeclaredNumbers = Readonly<
  Partial<Record<IssuedModel, ReadonlyMap<number, readonly NumberRange[]>>>
>;
