import type { ValidationIssue } from '@sluice/domain';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Collects problems of third-party values. A check returns the value if it is valid. It returns
 * `undefined` if the value is absent or invalid; an invalid value is reported.
 */
export class ShapeCheck {
  readonly issues: ValidationIssue[];
  readonly path: string;

  constructor(path = '', issues: ValidationIssue[] = []) {
    this.path = path;
    this.issues = issues;
  }

  at(key: string | number): ShapeCheck {
    return new ShapeCheck(`${this.path}/${key}`, this.issues);
  }

  /** The last part of the path. */
  get key(): string {
    return this.path.slice(this.path.lastIndexOf('/') + 1);
  }

  wrong(message: string): undefined {
    this.issues.push({ path: this.path || '/', message });
    return undefined;
  }

  object(value: unknown): Fields | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
    return this.wrong('must be an object');
  }

  text(value: unknown, pattern = /./s, expected = 'a string that is not empty'): string | undefined {
    return typeof value === 'string' && pattern.test(value) ? value : this.wrong(`must be ${expected}`);
  }

  oneOf<T>(value: unknown, choices: readonly T[]): T | undefined {
    const match = choices.find((choice) => choice === value);
    return match === undefined ? this.wrong(`must be one of ${choices.join(', ')}`) : match;
  }

  /** Checks each element with `check`. */
  list(
    value: unknown,
    check: (element: unknown, at: ShapeCheck) => void,
    { atLeast = 0 } = {},
  ): readonly unknown[] | undefined {
    if (!Array.isArray(value)) return this.wrong('must be an array');
    if (value.length < atLeast) return this.wrong('must not be empty');
    for (const [index, element] of value.entries()) check(element, this.at(index));
    return value;
  }

  /** Checks each member with `check`. */
  record(value: unknown, check: (member: unknown, at: ShapeCheck) => void): void {
    for (const [key, member] of Object.entries(this.object(value) ?? {})) check(member, this.at(key));
  }

  positiveInteger(value: unknown): void {
    if (!Number.isInteger(value) || (value as number) < 1) this.wrong('must be a whole number of 1 or more');
  }

  boolean(value: unknown): void {
    if (typeof value !== 'boolean') this.wrong('must be true or false');
  }

  function(value: unknown): void {
    if (typeof value !== 'function') this.wrong('must be a function');
  }

  /** Checks a member only if it is present. */
  optional(fields: Fields, key: string, check: (at: ShapeCheck, value: unknown) => void): void {
    if (fields[key] !== undefined) check(this.at(key), fields[key]);
  }
}
