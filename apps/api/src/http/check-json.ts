import { type AppError, PayloadTooLargeError, ValidationError } from '@sluice/domain';
import { findJsonFault, type JsonFault, type JsonRules, maxJsonParts } from './find-json-fault.ts';

/** Of a path in an answer, which holds the caller's own keys. */
const maxPathLength = 256;

/** Refuses the JSON of a body, before it is parsed, that would take the parser, or what comes behind it, more than a moment, or would not stay what it is. */
export function assertSoundJson(text: Buffer, rules: JsonRules): void {
  const found = findJsonFault(text, rules);
  if (found) throw refusalOf(found, rules);
}

function refusalOf(found: JsonFault, { maxDepth }: JsonRules): AppError {
  switch (found.fault) {
    case 'too deep':
      return new ValidationError(`the body is nested deeper than ${maxDepth} levels`, '');
    case 'number out of range':
      return new ValidationError('a number is out of range', '');
    case 'too many parts':
      return new PayloadTooLargeError(`the body has more than ${maxJsonParts} parts: arrays, objects, keys and strings`);
    case 'repeated key': {
      const issue = { path: found.path.slice(0, maxPathLength), message: 'is given more than once' };
      return new ValidationError('the request is not valid', [issue]);
    }
  }
}
