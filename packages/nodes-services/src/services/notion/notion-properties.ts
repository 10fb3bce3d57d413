import type { NodeProperty, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices, collection, list, names, number, options, text, toggle, when } from '@sluice/nodes-base/node-tools';
import { listPropertiesOf } from '../../shared/list-properties.ts';

export const all = [1, 2, 2.1, 2.2] as const;
export const current = [2, 2.1, 2.2] as const;

export const databaseId = text('databaseId', 'Database', 'The database: from the list, by ID, or by URL', {
  required: true,
  typeOptions: { searchListMethod: 'getDatabases' },
});
export const pageId = text('pageId', 'Page', 'The page: by ID or by URL', { required: true });
export const blockId = text('blockId', 'Block', 'The block, or the page, which is one too: by ID or by URL', {
  required: true,
});

export const simple = toggle('simple', 'Simplify', 'Whether to return a short form instead of all data', { default: true });

export const listProperties = listPropertiesOf();

const directions = choices(['ascending', 'Ascending'], ['descending', 'Descending']);

/** One sort order, by a time. */
export const timeSort = list('sort', 'Sort', 'sortValue', [
  choice('direction', 'Direction', directions),
  choice('timestamp', 'Timestamp', choices(['last_edited_time', 'Last Edited Time'])),
]);

/** Sort orders by properties or times. */
export const propertySort = list('sort', 'Sort', 'sortValue', [
  toggle('timestamp', 'Timestamp', 'Whether to sort by the time of creation or of the last change'),
  text('key', 'Property', 'The property, or `created_time` or `last_edited_time`'),
  text('type', 'Type', 'Not used: the property is enough'),
  choice('direction', 'Direction', directions),
]);

const key: NodeProperty = {
  displayName: 'Property',
  name: 'key',
  type: 'options',
  default: '',
  typeOptions: { loadOptionsMethod: 'getProperties' },
  description: 'Name and type of the property, such as `Due Date|date`',
};
const type = text('type', 'Type', 'Type of the property; default: that after the name');

const annotations = collection('annotationUi', 'Annotation', [
  ...['Bold', 'Italic', 'Strikethrough', 'Underline', 'Code'].map((name) =>
    toggle(name.toLowerCase(), name, `Whether the text is in this style: ${name.toLowerCase()}`),
  ),
  text('color', 'Color', 'A color of the text, such as `red`, or of its background, such as `red_background`'),
]);

/** Formatted text in a property or block. */
const formatted = list('text', 'Text', 'text', [
  choice('textType', 'Type', choices(['text', 'Text'], ['mention', 'Mention'], ['equation', 'Equation'])),
  text('text', 'Text', 'The text'),
  toggle('isLink', 'Is Link', 'Whether the text is a link'),
  text('textLink', 'Text Link', 'Address of the link'),
  choice('mentionType', 'Mention', choices(['database', 'Database'], ['date', 'Date'], ['page', 'Page'], ['user', 'User'])),
  text('user', 'User', 'ID of the user'),
  text('page', 'Page', 'ID of the page'),
  text('database', 'Database', 'ID of the database'),
  toggle('range', 'Range', 'Whether the date has an end'),
  text('date', 'Date', 'The date'),
  text('dateStart', 'Date Start', 'Start of the range'),
  text('dateEnd', 'Date End', 'End of the range'),
  text('expression', 'Expression', 'A formula in KaTeX'),
  annotations,
]);

const richText: readonly NodeProperty[] = [
  toggle('richText', 'Rich Text', 'Whether the text is formatted'),
  text('textContent', 'Text', 'The text, if it is not formatted'),
  formatted,
];

/** Values of a page's properties. */
export const propertiesUi = list('propertiesUi', 'Properties', 'propertyValues', [
  key,
  type,
  text('title', 'Title', 'Value of the title'),
  ...richText,
  text('phoneValue', 'Phone Number', 'A phone number'),
  names('multiSelectValue', 'Options', 'Names of options'),
  text('selectValue', 'Option', 'Name of an option'),
  text('statusValue', 'Status', 'Name of a status'),
  text('emailValue', 'Email', 'An email address'),
  text('urlValue', 'URL', 'An address'),
  toggle('ignoreIfEmpty', 'Ignore If Empty', 'Whether to leave the property as it is if the value is empty'),
  names('peopleValue', 'Users', 'IDs of users'),
  names('relationValue', 'Relations', 'IDs or URLs of pages'),
  toggle('checkboxValue', 'Checked', 'Whether the box is checked'),
  number('numberValue', 'Number', 0, 'A number'),
  toggle('range', 'Range', 'Whether the date has an end'),
  toggle('includeTime', 'Include Time', 'Whether the date has a time', { default: true }),
  text('date', 'Date', 'A date'),
  text('dateStart', 'Date Start', 'Start of the range'),
  text('dateEnd', 'Date End', 'End of the range'),
  text('timezone', 'Time Zone', 'Name of the time zone, such as `Europe/Berlin`; `default` is that of the workflow', {
    default: 'default',
  }),
  list('fileUrls', 'Files', 'fileUrl', [text('name', 'Name', 'Name of the file'), text('url', 'URL', 'Address of the file')]),
]);

const blockTypes: readonly NodePropertyOption[] = choices(
  ['paragraph', 'Paragraph'],
  ['heading_1', 'Heading 1'],
  ['heading_2', 'Heading 2'],
  ['heading_3', 'Heading 3'],
  ['toggle', 'Toggle'],
  ['to_do', 'To-Do'],
  ['child_page', 'Child Page'],
  ['bulleted_list_item', 'Bulleted List Item'],
  ['numbered_list_item', 'Numbered List Item'],
  ['image', 'Image'],
  ['quote', 'Quote'],
  ['callout', 'Callout'],
  ['code', 'Code'],
  ['divider', 'Divider'],
);

/** A page's blocks. */
export const blockUi = list('blockUi', 'Blocks', 'blockValues', [
  choice('type', 'Type', blockTypes),
  ...richText,
  toggle('checked', 'Checked', 'Whether the to-do is done'),
  text('title', 'Title', 'Title of the child page'),
  text('url', 'Image URL', 'Address of the image'),
  text('language', 'Language', 'Language of the code', { default: 'plain text' }),
]);

export const iconOptions = options([
  choice('iconType', 'Icon Type', choices(['emoji', 'Emoji'], ['file', 'File'])),
  text('icon', 'Icon', 'An emoji, or the address of an image'),
]);

const filterFields: readonly NodeProperty[] = [
  key,
  type,
  text('condition', 'Condition', 'Such as `equals`, `contains`, `is_empty`, `after`, or `past_week`'),
  choice(
    'returnType',
    'Return Type',
    choices(['text', 'Text'], ['checkbox', 'Checkbox'], ['date', 'Date'], ['number', 'Number']),
    {
      description: 'Result type of the formula',
    },
  ),
  ...['title', 'richText', 'text', 'phoneNumber', 'select', 'status', 'multiSelect', 'email', 'url'].map((name) =>
    text(`${name}Value`, 'Value', `Value for the type ${name}`),
  ),
  ...['people', 'createdBy', 'lastEditedBy', 'relation'].map((name) => text(`${name}Value`, 'ID', `ID for the type ${name}`)),
  text('date', 'Date', 'Value for dates'),
  text('createdTimeValue', 'Created Time', 'Value for the time of creation'),
  text('lastEditedTimeValue', 'Last Edited Time', 'Value for the time of the last change'),
  toggle('checkboxValue', 'Checked', 'Whether the box is checked'),
  number('numberValue', 'Number', 0, 'Value for numbers'),
];

/** Query filters since version 2. */
export const filterProperties: readonly NodeProperty[] = [
  choice('filterType', 'Filter', choices(['none', 'None'], ['manual', 'Build Manually'], ['json', 'JSON']), when(current)),
  choice('matchType', 'Must Match', choices(['anyFilter', 'Any Filter'], ['allFilters', 'All Filters']), {
    ...when(current, { filterType: ['manual'] }),
  }),
  list('filters', 'Filters', 'conditions', filterFields, when(current, { filterType: ['manual'] })),
  {
    displayName: 'Filters (JSON)',
    name: 'filterJson',
    type: 'json',
    default: '',
    description: 'A filter in Notion API format',
    ...when(current, { filterType: ['json'] }),
  },
];

/** Filters in version 1, within its options. */
export const legacyFilter: NodeProperty = {
  displayName: 'Filters',
  name: 'filter',
  type: 'fixedCollection',
  default: {},
  options: [
    { name: 'singleCondition', displayName: 'Single Condition', values: filterFields },
    {
      name: 'multipleCondition',
      displayName: 'Multiple Condition',
      values: [
        {
          displayName: 'Condition',
          name: 'condition',
          type: 'fixedCollection',
          default: {},
          typeOptions: { multipleValues: true },
          options: [
            { name: 'or', displayName: 'OR', values: filterFields },
            { name: 'and', displayName: 'AND', values: filterFields },
          ],
        },
      ],
    },
  ],
};
