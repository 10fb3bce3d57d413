import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import type { NodeProperty, NodePropertyGroup, NodePropertyOption } from '../description.ts';
import { isDisplayed } from '../parameters/display-options.ts';
import type { Routing } from './routing.ts';

/** A routing that applies to an item, with the names for its expressions. */
export interface RoutingPart {
  routing: Routing;
  /**
   * `$value`: the parameter's value. Within a group also `$index` and `$parent`: the entry's index
   * and values.
   */
  names: JsonObject;
}

/** The values that decide which parameters are visible. */
interface DisplayContext {
  /** The top-level parameters, with defaults filled in. */
  parameters: JsonObject;
  typeVersion: number;
}

/**
 * Collects the routings of visible parameters and of selected options, in the order of the
 * description.
 */
export function collectRouting(properties: readonly NodeProperty[], context: DisplayContext): RoutingPart[] {
  return partsOfProperties(properties, context.parameters, {}, context);
}

/** `names`: names of the enclosing group entry, if any. */
function partsOfProperties(
  properties: readonly NodeProperty[],
  values: JsonObject,
  names: JsonObject,
  context: DisplayContext,
): RoutingPart[] {
  return properties.flatMap((property) => {
    const value = ownProperty(values, property.name);
    if (value === undefined || !isDisplayed(property.displayOptions, { siblings: values, ...context })) return [];
    const ownNames = { ...names, $value: value };
    return [...partOf(property, ownNames), ...partsOfOptions(property, value, ownNames, context)];
  });
}

function partOf({ routing }: NodeProperty | NodePropertyOption, names: JsonObject): RoutingPart[] {
  return routing ? [{ routing, names }] : [];
}

/** Parts of selected options, of a collection's parameters, or of a fixed collection's entries. */
function partsOfOptions(property: NodeProperty, value: JsonValue, names: JsonObject, context: DisplayContext): RoutingPart[] {
  const { type, options = [] } = property;
  if (type === 'options' || type === 'multiOptions') {
    const selected = new Set([value].flat());
    return (options as readonly NodePropertyOption[]).flatMap((option) =>
      selected.has(option.value) ? partOf(option, names) : [],
    );
  }
  if (!isJsonObject(value)) return [];
  if (type === 'collection') return partsOfProperties(options as readonly NodeProperty[], value, names, context);
  if (type === 'fixedCollection') return partsOfGroups(options as readonly NodePropertyGroup[], value, context);
  return [];
}

/** A group has one entry, or a list of entries if it allows multiple values. */
function partsOfGroups(groups: readonly NodePropertyGroup[], value: JsonObject, context: DisplayContext): RoutingPart[] {
  return groups.flatMap((group) => {
    const entries = [ownProperty(value, group.name) ?? []].flat();
    return entries.flatMap((entry, $index) =>
      isJsonObject(entry) ? partsOfProperties(group.values, entry, { $index, $parent: entry }, context) : [],
    );
  });
}
