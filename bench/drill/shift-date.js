// @ts-check
/** Loaded before a life of the program: its wall clock is ahead, or behind, by `DRILL_SHIFT_MS`. */
const shiftMs = Number(process.env['DRILL_SHIFT_MS'] ?? 0);
const RealDate = Date;

globalThis.Date = /** @type {DateConstructor} */ (
  new Proxy(RealDate, {
    construct: (target, words) =>
      words.length === 0 ? new RealDate(RealDate.now() + shiftMs) : Reflect.construct(target, words),
    get: (target, name) =>
      name === 'now' ? () => RealDate.now() + shiftMs : Reflect.get(target, name, target),
  })
);
