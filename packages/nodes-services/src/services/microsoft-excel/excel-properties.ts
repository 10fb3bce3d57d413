import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, text, toggle, when, where } from '@sluice/nodes-base/node-tools';
import { objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** Version 1 has IDs; later versions have resource locators. */
export const firstVersion = [1] as const;
export const locatorVersions = [2, 2.1, 2.2] as const;

const located = (name: string, displayName: string, what: string, searchListMethod: string): NodeProperty =>
  text(name, displayName, `The ${what}: from the list, or by ID`, { required: true, typeOptions: { searchListMethod } });

export const workbook = located('workbook', 'Workbook', 'workbook', 'searchWorkbooks');
export const worksheet = located('worksheet', 'Sheet', 'worksheet', 'getWorksheetsList');
export const table = located('table', 'Table', 'table', 'getWorksheetTables');
export const inSheet: readonly NodeProperty[] = [workbook, worksheet];
export const inTable: readonly NodeProperty[] = [...inSheet, table];

export const listProperties = listPropertiesOf(100);

const fieldsText = text('fields', 'Fields', 'Fields of the response, separated by commas; default: all');
/** Fields of a list of workbooks or worksheets. */
export const responseFields = collection('filters', 'Filters', [fieldsText]);

export const rawData = toggle('rawData', 'RAW Data', 'Whether to return the response of Excel as it is');
const whenRaw = where({ rawData: [true] });
const rawProperty = (name: string) =>
  text(name, 'Data Property', 'Field of the item that gets the response', { default: 'data', ...whenRaw });

/** The choice of the raw response as parameters of an operation. */
export const rawParameters = (name = 'dataProperty'): readonly NodeProperty[] => [
  rawData,
  rawProperty(name),
  collection('filters', 'Filters', [fieldsText], whenRaw),
];

/** The same choice as options. */
export const rawOptions: readonly NodeProperty[] = [rawData, rawProperty('dataProperty'), fieldsText];

/** Conditions on columns for reading rows. */
export const rowFilters: readonly NodeProperty[] = [
  list(
    'filters',
    'Filters',
    'fields',
    [text('column', 'Column', 'Name of the column'), text('value', 'Value', 'Value that the row has in this column')],
    when(locatorVersions),
  ),
  choice(
    'combineFilters',
    'Combine Filters',
    choices(['AND', 'AND', 'All filters match'], ['OR', 'OR', 'One filter matches']),
    when(locatorVersions),
  ),
];

const modes = choices(
  ['autoMap', 'Auto-Map Input Data to Columns', 'Fields of the item with the names of columns'],
  ['define', 'Map Each Column Below'],
  ['raw', 'Raw', 'Rows as JSON'],
);

/** How items become rows; `isMatched`: a column identifies existing rows. */
export function rowValues(isMatched: boolean): readonly NodeProperty[] {
  const whenDefined = where({ dataMode: ['define'] });
  const match: readonly NodeProperty[] = [
    text(
      'columnToMatchOn',
      'Column to Match On',
      'Name of the column that finds the row',
      where({ dataMode: ['autoMap', 'define'] }),
    ),
    text('valueToMatchOn', 'Value of Column to Match On', 'Value that the row has in this column', whenDefined),
  ];
  return [
    choice('dataMode', 'Data Mode', modes, { default: 'define' }),
    {
      displayName: 'Data',
      name: 'data',
      type: 'json',
      default: '',
      description: 'Rows, such as `[["Ada", 36], ["Bob", 40]]`',
      ...where({ dataMode: ['raw'] }),
    },
    ...(isMatched ? match : []),
    list(
      'fieldsUi',
      'Values to Send',
      'values',
      [text('column', 'Column', 'Name of the column'), text('fieldValue', 'Value', 'Value of the cell')],
      whenDefined,
    ),
  ];
}

/** The range that an operation uses; default: all cells with values. */
export const rangeProperties: readonly NodeProperty[] = [
  toggle('useRange', 'Select a Range', 'Whether to use a part of the worksheet only'),
  text(
    'range',
    'Range',
    'A1 notation, such as `A1:D20`; its first row has the names of the columns',
    where({ useRange: [true] }),
  ),
];

/** Sheet names in addresses are omitted: the worksheet has its own parameter. */
export const rangeOf = (item: ServiceItem): string =>
  item.toggle('useRange', item.text('range') !== '') ? item.text('range').replace(/^.{0,100}!/, '') : '';

/** The raw response, if the author enables it. */
export function rawItem(item: ServiceItem, body: JsonValue | undefined, isRawData = isRawOf(item)): JsonObject | undefined {
  if (!isRawData) return undefined;
  const names = [item.text('options.dataProperty'), item.text('dataProperty'), item.text('dataPropertyName')];
  return { [names.find((name) => name !== '') ?? 'data']: body ?? null };
}

export const isRawOf = (item: ServiceItem): boolean => item.toggle('options.rawData', item.toggle('rawData'));

/** Fields that the author selected for the response. */
export function fieldsOf(item: ServiceItem): string {
  const filters = item.context.parameter<JsonValue>('filters', item.index) ?? {};
  const { fields } = objectOf(filters);
  return typeof fields === 'string' ? fields : item.text('options.fields');
}
