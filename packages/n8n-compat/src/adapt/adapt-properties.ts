import { isJsonObject, type JsonValue } from '@sluice/domain';
import {
  type NodeProperty,
  type NodePropertyGroup,
  type NodePropertyOption,
  type NodePropertyType,
  propertyTypes,
  type Routing,
} from '@sluice/node-sdk';
import type { CommunityProperty } from '../community-types.ts';
import { plainData } from '../plain-data.ts';

/** Parameter types with another name in our format. */
const otherNames: Readonly<Record<string, NodePropertyType>> = {
  resourceLocator: 'json',
  resourceMapper: 'json',
  workflowSelector: 'json',
  credentials: 'credentialsSelect',
  callout: 'notice',
  button: 'notice',
  curlImport: 'notice',
};

/** Converts the effect of a parameter or option on a request. */
type ToRouting = (routing: Readonly<Record<string, unknown>>) => Routing;

/**
 * Converts parameters. Editor-only members and functions are dropped, and without `toRouting` also
 * the routing.
 */
export function adaptProperties(properties: readonly CommunityProperty[], toRouting?: ToRouting): NodeProperty[] {
  return properties.map((property) => adaptProperty(property, toRouting));
}

function adaptProperty(property: CommunityProperty, toRouting: ToRouting | undefined): NodeProperty {
  const { name, displayName = name, description, required, routing } = property;
  const type = kindOf(property.type);
  const options = optionsOf(property, toRouting);
  const typeOptions = plainData(property.typeOptions);
  const displayOptions = plainData(property.displayOptions) as NodeProperty['displayOptions'];
  return {
    displayName,
    name,
    type,
    default: plainData(property.default) ?? emptyValues[type] ?? '',
    ...(typeof description === 'string' && { description }),
    ...(required === true && { required }),
    ...(options && { options }),
    ...(isJsonObject(typeOptions) && { typeOptions }),
    ...(displayOptions && { displayOptions }),
    ...(routing && toRouting && { routing: toRouting(routing) }),
  };
}

const emptyValues: Partial<Record<NodePropertyType, JsonValue>> = {
  number: 0,
  boolean: false,
  multiOptions: [],
  collection: {},
  fixedCollection: {},
};

function kindOf(type: string): NodePropertyType {
  return propertyTypes.find((candidate) => candidate === type) ?? otherNames[type] ?? 'string';
}

function optionsOf({ type, options }: CommunityProperty, toRouting: ToRouting | undefined): NodeProperty['options'] {
  const members = (options ?? []) as readonly CommunityProperty[];
  switch (type) {
    case 'options':
    case 'multiOptions':
      return members.map((choice) => adaptChoice(choice, toRouting));
    case 'collection':
      return adaptProperties(members, toRouting);
    case 'fixedCollection':
      return members.map((group) => adaptGroup(group, toRouting));
    default:
      return undefined;
  }
}

function adaptChoice(
  choice: Partial<CommunityProperty> & { value?: unknown },
  toRouting: ToRouting | undefined,
): NodePropertyOption {
  const { name = '', value, description, routing } = choice;
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return {
    name,
    value: isPlain ? value : name,
    ...(typeof description === 'string' && { description }),
    ...(routing && toRouting && { routing: toRouting(routing) }),
  };
}

function adaptGroup(
  { name, displayName = name, values = [] }: CommunityProperty,
  toRouting: ToRouting | undefined,
): NodePropertyGroup {
  return { name, displayName, values: adaptProperties(values, toRouting) };
}
