import { ValidationError, type ValidationIssue } from '@sluice/domain';
import { Ajv2020 as Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { formats } from './formats.ts';
import type { Static, TSchema } from './schema-builder.ts';
import { messageKeyword } from './schema-helpers.ts';
import { toIssue } from './to-issue.ts';

/**
 * Returns the value with defaults filled in, or throws a `ValidationError` with at most `maxIssues`
 * issues.
 */
export type Validator<T> = (value: unknown) => T;

export const maxIssues = 20;

/**
 * Above this number of values only the first error is reported: finding all of them would cost more
 * than parsing the body.
 */
const smallBodyValues = 2_000;

/** A test checks the schemas against their meta-schema, so that no process has to load it. */
const options: Options = {
  allowUnionTypes: true,
  formats,
  keywords: [{ keyword: messageKeyword, schemaType: 'string' }],
  meta: false,
  ownProperties: true,
  strict: true,
  useDefaults: true,
  validateSchema: false,
  verbose: true,
};
const quick = new Ajv(options);
const thorough = new Ajv({ ...options, allErrors: true });

/**
 * A validator for a schema. It is compiled once, on first use: compiling all of them at startup
 * would cost every process 20 MB and a twentieth of a second. Values are never converted to another
 * type.
 */
export function compileValidator<S extends TSchema>(schema: S): Validator<Static<S>> {
  let first: ValidateFunction | undefined;
  let all: ValidateFunction | undefined;
  return (value) => {
    first ??= quick.compile(schema);
    if (first(value)) return value as Static<S>;
    let { errors } = first;
    if (isSmall(value)) {
      all ??= thorough.compile(schema);
      all(value);
      errors = all.errors ?? errors;
    }
    throw new ValidationError('the request is not valid', toIssues(errors ?? []));
  };
}

/**
 * At most `maxIssues`. A value of a wrong type is also not an allowed value, and that message is
 * more helpful.
 */
function toIssues(errors: readonly ErrorObject[]): ValidationIssue[] {
  const reported = errors.slice(0, maxIssues);
  const outside = new Set(reported.filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath));
  const issues = reported.filter(({ keyword, instancePath }) => keyword !== 'type' || !outside.has(instancePath)).map(toIssue);
  // Each unknown field of an object causes the same issue.
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()];
}

function isSmall(value: unknown): boolean {
  const open: unknown[] = [value];
  for (let seen = 0; seen < smallBodyValues; seen++) {
    const next = open.pop();
    if (typeof next === 'object' && next !== null)
      open.push(...(Array.isArray(next) ? next : Object.values(next)).slice(0, smallBodyValues));
    if (open.length === 0) return true;
  }
  return false;
}
