import type { NodeProperty } from '@sluice/node-sdk/display';

/** The method that lists what a property may refer to; `undefined` if there is none. */
export function searchMethodOf(property: NodeProperty): string | undefined {
  const { modes = [] } = property as { modes?: readonly { typeOptions?: Record<string, unknown> }[] };
  const method = [property, ...modes].map(({ typeOptions }) => typeOptions?.['searchListMethod']).find(Boolean);
  return method === undefined ? undefined : String(method);
}
