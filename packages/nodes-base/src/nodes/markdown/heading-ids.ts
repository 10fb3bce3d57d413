/** How headings get their ids. */
export interface HeadingIdRules {
  none: boolean;
  /** Blanks become dashes. */
  dashes: boolean;
  /** All but blanks and quotes stays. */
  raw: boolean;
  prefix: string;
  /** `Title {id}` names the id. */
  customized: boolean;
}

/** Ids for the headings of one document, numbered where two are the same. */
export class HeadingIds {
  readonly #rules: HeadingIdRules;
  readonly #used = new Map<string, number>();

  constructor(rules: HeadingIdRules) {
    this.#rules = rules;
  }

  next(title: string): string {
    const id = this.#rules.prefix + this.#idOf(title);
    const count = this.#used.get(id) ?? 0;
    this.#used.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  }

  #idOf(title: string): string {
    const { raw, dashes } = this.#rules;
    if (raw) return title.replace(/[\s"'<>&]/g, '-').toLowerCase();
    if (dashes)
      return title
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-')
        .toLowerCase();
    return title.replace(/\W/g, '').toLowerCase();
  }
}
