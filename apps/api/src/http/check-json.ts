import { type AppError, PayloadTooLargeError, ValidationError } from '@sluice/domain';
import { type JsonBurden, maxJsonParts, weighJson } from './weigh-json.ts';

/** Refuses JSON text that would take the parser, or what comes behind it, more than a moment; and numbers that would not stay what they are. */
export function assertLightJson(text: string, maxDepth: number): void {
  const burden = weighJson(text, maxDepth);
  if (burden) throw refusalOf(burden, maxDepth);
}

function refusalOf(burden: JsonBurden, maxDepth: number): AppError {
  switch (burden) {
    case 'too deep':
      return tooDeep(maxDepth);
    case 'number out of range':
      return new ValidationError('a number is out of range');
    case 'too many parts':
      return new PayloadTooLargeError(`the body has more than ${maxJsonParts} parts: arrays, objects, keys and strings`);
  }
}

export function tooDeep(maxDepth: number): ValidationError {
  return new ValidationError(`the body is nested deeper than ${maxDepth} levels`);
}
