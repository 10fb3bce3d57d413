import type { ValidationIssue } from '@sluice/domain';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { messageKeyword } from './schema-helpers.ts';

/** Paths contain the caller's own keys, which may be long. */
const maxPathLength = 256;

/** Types of JSON as the end of a sentence that begins with "must be". */
const nouns: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/** The issue for an error of Ajv, in plain English, because clients show it to their users. */
export function toIssue(error: ErrorObject): ValidationIssue {
  const { instancePath, keyword, params } = error;
  const isMissing = keyword === 'required';
  const path = isMissing ? `${instancePath}/${params['missingProperty']}` : instancePath;
  return { path: path.slice(0, maxPathLength), message: isMissing ? 'is required' : messageOf(error) };
}

function messageOf({ keyword, message = 'is not valid', params, parentSchema }: ErrorObject): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'type':
      return `must be ${[params['type']].flat().map(String).map(nounOf).join(' or ')}`;
    case 'enum':
      return `must be one of ${params['allowedValues'].map(String).join(', ')}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} items`;
    case 'maxItems':
      return `must have at most ${limit} items`;
    case 'maxProperties':
      return `must not have more than ${limit} fields`;
    case 'uniqueItems':
      return 'must not contain an item twice';
    case 'additionalProperties':
      return knownFields(Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {}));
    default: {
      const declared = keyword === 'pattern' || keyword === 'format' ? parentSchema?.[messageKeyword] : undefined;
      return typeof declared === 'string' ? declared : message;
    }
  }
}

/** The message for a field that an object does not have. */
export function knownFields(names: readonly string[]): string {
  return `has only the fields ${names.join(', ')}`;
}

function nounOf(type: string): string {
  return nouns[type] ?? type;
}
