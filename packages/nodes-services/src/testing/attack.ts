import type { JsonObject } from '@sluice/node-sdk';

/** A run of a type against a service that answers every request in the same way. */
export interface Attack {
  name: string;
  parameters: JsonObject;
  /** JSON of the items. Default: one empty item. */
  items?: JsonObject[];
  /** State that an earlier poll stored. */
  cursor?: JsonObject;
  /** Status of the responses. Default: 200. */
  status?: number;
  /** The body of the response to a request for a path. */
  answer(path: string): string;
}

/**
 * Node type name → attacks specific to its service's data format, besides the attacks on every
 * type.
 */
export type Attacks = Readonly<Record<string, () => readonly Attack[]>>;

/** A resource mapper that reads the columns from the item. */
export const mapped = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['a'], schema: [] };

/** A resource locator. */
export const located = (value: string, mode = 'id') => ({ __rl: true, mode, value });

/** A response that most services could return. */
export const accepted = () => '{"ok":true,"result":{},"id":"1"}';

/** JSON of a list of empty objects. */
export const manyObjects = (count: number) => `[${'{},'.repeat(count)}{}]`;

/** An item with a large list. */
export const large = (): JsonObject => ({ a: 'x', list: Array.from({ length: 900_000 }, () => ({})) });

/** A "send and wait" question to a recipient. */
export const longQuestion = (recipient: JsonObject): Attack => ({
  name: 'a long question',
  parameters: { resource: 'message', operation: 'sendAndWait', message: '<a&'.repeat(5_000_000), ...recipient },
  answer: accepted,
});

/** Items that each have a different column. */
export function columns(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, id) => ({ a: `x${id}`, [`field ${id}`]: id }));
}
