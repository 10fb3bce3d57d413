import { type Item, NodeOperationError } from '@sluice/node-sdk';
import { type FieldPath, readField } from './field-path.ts';

/**
 * Throws a `NodeOperationError` for a match field that no item of an input has: this is usually a
 * typo. An empty input is not checked. `input` is the display name: `input 1`, `input A`.
 */
export function refuseAbsentFields(items: readonly Item[], fields: readonly FieldPath[], input: string): void {
  if (items.length === 0) return;
  for (const field of fields) {
    if (items.some(({ json }) => readField(json, field) !== undefined)) continue;
    throw new NodeOperationError(`no item of ${input} has the field "${field.join('.')}" to match by`, {
      description: `Check the name of the field and the items at ${input}; dots separate nested fields unless dot notation is off`,
    });
  }
}
