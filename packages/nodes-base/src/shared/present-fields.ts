import { type Item, NodeOperationError } from '@sluice/node-sdk';
import { type FieldPath, readField } from './field-path.ts';

/**
 * Throws a `NodeOperationError` for a field to match by that no item of an input has, which is a mistake in its name far more often than
 * what the data say. An input without items has nothing to be mistaken about. `input` is what people call it: `input 1`, `input A`.
 */
export function refuseAbsentFields(items: readonly Item[], fields: readonly FieldPath[], input: string): void {
  if (items.length === 0) return;
  for (const field of fields) {
    if (items.some(({ json }) => readField(json, field) !== undefined)) continue;
    throw new NodeOperationError(`no item of ${input} has the field "${field.join('.')}", which items are to be matched by`, {
      description: `Check the name of the field and what arrives at ${input}; dots mean fields within fields unless dot notation is off`,
    });
  }
}
