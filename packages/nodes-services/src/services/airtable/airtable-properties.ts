import type { NodeProperty, UnsupportedUse } from '@sluice/node-sdk';
import { choice, choices, list, text, toggle, when } from '@sluice/nodes-base/node-tools';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** Matches browser URLs of a base and a table. */
export const baseUrl = /airtable\.com\/(app\w{14})/;
export const tableUrl = /airtable\.com\/app\w{14}\/(tbl\w{14})/;

export const noDownloads = (...parameters: string[]): readonly UnsupportedUse[] =>
  parameters.map((parameter) => ({
    parameter,
    what: 'the download of attachments',
    hint: 'Switch it off, and download the `url` of an attachment with an HTTP Request node',
  }));

/** Versions whose parameters are `base`, `table`, and `columns`. */
export const mapped = [2, 2.1, 2.2] as const;

export const baseProperty = text('base', 'Base', 'The base: from the list, by ID, or by URL', {
  required: true,
  typeOptions: { searchListMethod: 'baseSearch' },
});

/** Base and table, under the names of each version. */
export const tableProperties: readonly NodeProperty[] = [
  { ...baseProperty, ...when(mapped) },
  text('application', 'Base', 'ID of the base, or its URL as a resource locator', { required: true, ...when([1]) }),
  text('table', 'Table', 'The table: from the list, by ID, by name, or by URL', {
    required: true,
    typeOptions: { searchListMethod: 'tableSearch' },
  }),
];

export const recordId = text('id', 'Record ID', 'ID of the record, which begins with `rec`', { required: true });

export const columnsProperty: NodeProperty = {
  displayName: 'Columns',
  name: 'columns',
  type: 'json',
  default: { mappingMode: 'defineBelow', value: {} },
  description:
    'A resource mapper: `mappingMode` is `defineBelow` (columns from `value`) or `autoMapInputData` (columns from the item); `matchingColumns` find existing records: `id`, or fields',
  displayOptions: { show: { '@version': mapped } },
};

export const listProperties = listPropertiesOf(100, true);

export const sortProperty = (more: Partial<NodeProperty> = {}): NodeProperty =>
  list(
    'sort',
    'Sort',
    'property',
    [
      text('field', 'Field', 'Name of the field'),
      choice('direction', 'Direction', choices(['asc', 'Ascending'], ['desc', 'Descending'])),
    ],
    more,
  );

export const typecast = toggle('typecast', 'Typecast', 'Whether Airtable converts text to the type of the field');

export const baseOf = (item: ServiceItem): string => item.id(item.version === 1 ? 'application' : 'base', baseUrl);
export const tableOf = (item: ServiceItem): string => item.id('table', tableUrl);
