// @ts-check

/** An `Intl.ListFormat` that is made when it is first used: it makes Node read its language data, some 6 ms. */
export class LateListFormat {
  /** @type {Intl.ListFormat | undefined} */
  #made;

  /** @param {ConstructorParameters<typeof Intl.ListFormat>} options */
  constructor(...options) {
    this.options = options;
  }

  /** @param {Iterable<string>} words */
  format(words) {
    const { ListFormat } = Intl;
    this.#made ??= new ListFormat(...this.options);
    return this.#made.format(words);
  }
}
