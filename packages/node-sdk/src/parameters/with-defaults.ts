import { type JsonObject, ownProperty } from '@sluice/domain';
import type { NodeProperty } from '../description.ts';
import { isDisplayed } from '../display-options.ts';

/**
 * `values` with the defaults of those absent parameters that show. A default may decide whether a later
 * parameter shows, so the order of the properties counts.
 *
 * @param parameters the parameters at the top, where `values` are those of a collection within
 */
export function withDefaults(
  properties: readonly NodeProperty[],
  values: JsonObject,
  typeVersion: number,
  parameters?: JsonObject,
): JsonObject {
  const filled: JsonObject = { ...values };
  for (const { name, default: fallback, displayOptions } of properties) {
    if (ownProperty(filled, name) !== undefined || fallback === undefined) continue;
    const scope = { siblings: filled, parameters: parameters ?? filled, typeVersion };
    if (isDisplayed(displayOptions, scope)) filled[name] = fallback;
  }
  return filled;
}
