import { NodeOperationError } from '@sluice/node-sdk';
import { numberParameter, type ParameterSource } from './parameters.ts';

/** A whole number within a range, both ends included. Throws `NodeOperationError`. */
export function wholeNumber(
  context: ParameterSource,
  path: string,
  fallback: number,
  { from, to }: { from: number; to: number },
  itemIndex?: number,
): number {
  const value = numberParameter(context, path, itemIndex ?? 0, fallback);
  if (Number.isInteger(value) && value >= from && value <= to) return value;
  throw new NodeOperationError(`the parameter "${path}" must be a whole number from ${from} to ${to}, but is ${value}`, {
    ...(itemIndex !== undefined && { itemIndex }),
    description: 'Change the parameter, or the result of its expression',
  });
}
