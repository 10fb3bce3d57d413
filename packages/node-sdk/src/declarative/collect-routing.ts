import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import type { NodeProperty, NodePropertyGroup, NodePropertyOption } from '../description.ts';
import { isDisplayed } from '../display-options.ts';
import type { Routing } from './routing.ts';

/** A routing that applies to an item, with the names for its expressions. */
export interface RoutingPart {
  routing: Routing;
  /** `$value`; within a group also its `$index` and, as `$parent`, its values. */
  names: JsonObject;
}

interface Shown {
  /** The top-level parameters, with defaults filled in. */
  parameters: JsonObject;
  typeVersion: number;
}

/**
 * Collects the routings of visible parameters and of selected options, in the order of the
 * description.
 */
export function collectRouting(properties: readonly NodeProperty[], shown: Shown): RoutingPart[] {
  return partsOf(properties, shown.parameters, {}, shown);
}

function partsOf(properties: readonly NodeProperty[], values: JsonObject, names: JsonObject, shown: Shown): RoutingPart[] {
  return properties.flatMap((property) => {
    const value = ownProperty(values, property.name);
    if (value === undefined || !isDisplayed(property.displayOptions, { siblings: values, ...shown })) return [];
    return partsOfProperty(property, value, { ...names, $value: value }, shown);
  });
}

function partsOfProperty(property: NodeProperty, value: JsonValue, names: JsonObject, shown: Shown): RoutingPart[] {
  const routings = property.routing ? [{ routing: property.routing, names }] : [];
  const options = property.options ?? [];
  switch (property.type) {
    case 'options':
    case 'multiOptions': {
      const values = new Set([value].flat());
      const chosen = (options as readonly NodePropertyOption[]).filter((option) => values.has(option.value));
      return [...routings, ...chosen.flatMap(({ routing }) => (routing ? [{ routing, names }] : []))];
    }
    case 'collection':
      return isJsonObject(value)
        ? [...routings, ...partsOf(options as readonly NodeProperty[], value, names, shown)]
        : routings;
    case 'fixedCollection':
      return isJsonObject(value)
        ? [...routings, ...partsOfGroups(options as readonly NodePropertyGroup[], value, shown)]
        : routings;
    default:
      return routings;
  }
}

function partsOfGroups(groups: readonly NodePropertyGroup[], value: JsonObject, shown: Shown): RoutingPart[] {
  return groups.flatMap((group) =>
    [ownProperty(value, group.name) ?? []]
      .flat()
      .flatMap((entry, $index) => (isJsonObject(entry) ? partsOf(group.values, entry, { $index, $parent: entry }, shown) : [])),
  );
}
