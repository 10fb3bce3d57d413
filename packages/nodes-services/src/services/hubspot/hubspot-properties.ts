import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, names, text } from '@sluice/nodes-base/node-tools';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { namesOf } from './hubspot-client.ts';

export const listProperties = listPropertiesOf(100);

export const idProperty = (name: string, displayName: string): NodeProperty =>
  text(name, displayName, `The ${displayName.toLowerCase().replace(' id', '')}: by ID`, { required: true });

/** ID of an object as part of a path. */
export const idOf = (item: ServiceItem, name: string): string => encodeURIComponent(item.id(name, /\/(\d+)(?:[/?#]|$)/));

/** The properties to return. */
const modes = choices(['valueAndHistory', 'Value and History'], ['valueOnly', 'Value Only']);
export const readFields: readonly NodeProperty[] = [
  names('properties', 'Properties', 'Names of the properties to return'),
  names('propertiesWithHistory', 'Properties with History', 'Names of the properties to return with their earlier values'),
  {
    displayName: 'Properties to Include',
    name: 'propertiesCollection',
    type: 'fixedCollection',
    default: {},
    options: [
      {
        name: 'propertiesValues',
        displayName: 'Properties',
        values: [
          names('properties', 'Properties', 'Names of the properties to return'),
          choice('propertyMode', 'Include', modes),
        ],
      },
    ],
  },
];

/** Property names that the author selected, and whether earlier values are returned, too. */
export function chosenProperties(item: ServiceItem, path: string): { names: string[]; withHistory: boolean } {
  const [group = {}] = item.entries(`${path}.propertiesCollection.propertiesValues`);
  const fields = item.fields(path);
  const history = fields['propertiesWithHistory'];
  const chosen = group['properties'] ?? fields['properties'] ?? history ?? [];
  const isShort =
    group['propertyMode'] === 'valueOnly' || (group['properties'] === undefined && fields['properties'] !== undefined);
  return { names: namesOf(chosen), withHistory: !isShort };
}

const operators = choices(
  ['EQ', 'Equal'],
  ['NEQ', 'Not Equal'],
  ['LT', 'Less Than'],
  ['LTE', 'Less Than Or Equal'],
  ['GT', 'Greater Than'],
  ['GTE', 'Greater Than Or Equal'],
  ['BETWEEN', 'Between'],
  ['IN', 'In'],
  ['NOT_IN', 'Not In'],
  ['HAS_PROPERTY', 'Is Known'],
  ['NOT_HAS_PROPERTY', 'Is Unknown'],
  ['CONTAINS_TOKEN', 'Contains Exactly'],
  ['NOT_CONTAINS_TOKEN', 'Does Not Contain Exactly'],
);

/** Search conditions. Groups are alternatives. */
export const searchProperties: readonly NodeProperty[] = [
  list('filterGroupsUi', 'Filter Groups', 'filterGroupsValues', [
    list('filtersUi', 'Filters', 'filterValues', [
      text('propertyName', 'Property', 'Internal name of the property'),
      text('type', 'Type', 'Not used: HubSpot knows the type'),
      choice('operator', 'Operator', operators),
      text('value', 'Value', 'Value to compare with'),
      names('values', 'Values', 'Values to compare with, for `IN` and `NOT_IN`'),
      text('highValue', 'High Value', 'End of the range, for `BETWEEN`'),
    ]),
  ]),
  collection('additionalFields', 'Additional Fields', [
    choice('direction', 'Direction', choices(['DESCENDING', 'Descending'], ['ASCENDING', 'Ascending'])),
    names('properties', 'Properties', 'Names of the properties to return'),
    text('query', 'Query', 'Text in the usual properties'),
    text('sortBy', 'Sort By', 'Name of the property', { default: 'createdate' }),
  ]),
];
