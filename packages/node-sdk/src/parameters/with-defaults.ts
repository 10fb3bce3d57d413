import { type JsonObject, ownProperty } from '@sluice/domain';
import type { NodeProperty } from '../description.ts';
import { isDisplayed } from './display-options.ts';

/**
 * Adds the defaults of absent visible parameters to `values`. A default may decide whether a later
 * parameter is visible, so the order of the properties matters.
 *
 * @param parameters the top-level parameters, if `values` belong to a nested collection
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
