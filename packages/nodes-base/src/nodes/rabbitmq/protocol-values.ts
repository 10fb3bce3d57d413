import type { Field } from '@cloudamqp/amqp-client/amqp-properties';
import { type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { coercedText } from '../../shared/coerced-text.ts';
import { booleanParameter, listParameter, type ParameterSource } from '../../shared/parameters.ts';

/** Names and values; numbers and booleans from expressions keep their type. */
export function named(context: ParameterSource, path: string, itemIndex: number): Record<string, Field> {
  const entries = listParameter(context, path, itemIndex);
  return Object.fromEntries(entries.map(({ key, value }) => [coercedText(key), fieldOf(value ?? '')]));
}

/** The library writes integers as 32 bits unless they have its type for larger integers. */
function fieldOf(value: JsonValue): Field {
  return Number.isSafeInteger(value) && (value as number) !== ((value as number) | 0) ? BigInt(value as number) : value;
}

/** A boolean option. */
export function flag(context: ParameterSource, option: string, itemIndex: number, fallback: boolean): boolean {
  return booleanParameter(context, `options.${option}`, itemIndex, fallback);
}

/** The protocol limits names to 255 bytes. */
export function shortText(parameter: string, itemIndex: number, text: string): string {
  if (Buffer.byteLength(text) <= 255) return text;
  throw new NodeOperationError(`the parameter "${parameter}" must be 255 bytes or less`, {
    itemIndex,
    description: 'Use a shorter text; the protocol allows no more',
  });
}
