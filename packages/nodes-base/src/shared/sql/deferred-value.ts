import { type JsonObject, type JsonValue, NodeOperationError, TimeSlice } from '@sluice/node-sdk';
import { setOwn } from '../field-path.ts';

/**
 * Maximum size of a value that a database library can only parse at once, in characters or bytes.
 */
const maxLength = 1024 * 1024;

/**
 * A value that is parsed after its row: parsing all values of a long row at once would block the
 * event loop.
 */
export class DeferredValue {
  /** In characters or bytes. */
  readonly length: number;
  /** Parses the value; absent if it is too long for that. */
  readonly parse: (() => unknown) | undefined;

  /**
   * @param isDivisible whether `parse` works in time slices, and so accepts values of any length.
   */
  constructor(length: number, parse: () => unknown, isDivisible: boolean) {
    this.length = length;
    this.parse = isDivisible || length <= maxLength ? parse : undefined;
  }
}

/** A field of a row that gets its value later. */
export interface DeferredField {
  row: JsonObject;
  name: string;
  value: DeferredValue;
}

/** Sets the field values, in time slices. Rejects if a value is too long or invalid. */
export async function setDeferred(fields: readonly DeferredField[]): Promise<void> {
  const slice = new TimeSlice();
  for (const { row, name, value } of fields) {
    if (!value.parse)
      throw new NodeOperationError(`The value of the column "${name}" is too long for its type: it has more than 1 MiB`, {
        description: 'Convert the column to text or JSON in the query, or select a part of it',
      });
    setOwn(row, name, (await value.parse()) as JsonValue);
    if (slice.isOver) await slice.next();
  }
}
