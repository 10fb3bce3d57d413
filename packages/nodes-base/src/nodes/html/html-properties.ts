import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, list, names, options, text, toggle } from '../../shared/properties.ts';

export const htmlVersions = [1, 1.1, 1.2];

type Show = Record<string, NonNullable<NonNullable<NodeProperty['displayOptions']>['show']>[string]>;
const showIf = (show: Show) => (Object.keys(show).length > 0 ? { displayOptions: { show } } : {});

/**
 * Parameters for content extraction, shown under the condition `show`; `more` contains additional
 * options.
 */
export const extractionProperties = (show: Show, more: readonly NodeProperty[] = []): readonly NodeProperty[] => [
  choice('sourceData', 'Source Data', choices(['json', 'JSON'], ['binary', 'Binary', 'a file of the item']), showIf(show)),
  text('dataPropertyName', 'JSON Property', 'Field that contains HTML, or a list of HTML', {
    default: 'data',
    ...showIf(show),
  }),
  list(
    'extractionValues',
    'Extraction Values',
    'values',
    [
      text('key', 'Key', 'Field for the value'),
      text('cssSelector', 'CSS Selector', 'Elements to extract the value from'),
      choice(
        'returnValue',
        'Return Value',
        choices(
          ['text', 'Text', 'The text within the elements'],
          ['html', 'HTML', 'The HTML within the element'],
          ['attribute', 'Attribute', 'An attribute of the element'],
          ['value', 'Value', 'The value of an input, select or textarea'],
        ),
      ),
      text('attribute', 'Attribute', 'The name of the attribute', { displayOptions: { show: { returnValue: ['attribute'] } } }),
      names('skipSelectors', 'Skip Selectors', 'Elements whose text is omitted, separated by commas; from version 1.2 on', {
        displayOptions: { show: { returnValue: ['text'] } },
      }),
      toggle('returnArray', 'Return Array', 'Whether the value is a list, with an entry for each element'),
    ],
    showIf(show),
  ),
  options(
    [toggle('trimValues', 'Trim Values', 'Whether to remove white space around values', { default: true }), ...more],
    showIf(show),
  ),
];

const asTable = { displayOptions: { show: { operation: ['convertToHtmlTable'] } } };

export const htmlProperties: readonly NodeProperty[] = [
  choice(
    'operation',
    'Operation',
    choices(
      ['generateHtmlTemplate', 'Generate HTML Template', 'HTML with expressions in it'],
      ['extractHtmlContent', 'Extract HTML Content', 'Values from HTML, by CSS selectors'],
      ['convertToHtmlTable', 'Convert to HTML Table', 'The items as one table'],
    ),
  ),
  text(
    'html',
    'HTML Template',
    'HTML in which each `{{ }}` is an expression; values are inserted unescaped, so they may contain markup',
    {
      isTemplate: true,
      typeOptions: { editor: 'htmlEditor' },
      displayOptions: { show: { operation: ['generateHtmlTemplate'] } },
    },
  ),
  ...extractionProperties({ operation: ['extractHtmlContent'] }, [
    toggle('cleanUpText', 'Clean Up Text', 'Whether to remove line breaks and collapse white space to single spaces', {
      default: true,
    }),
  ]),
  options(
    [
      toggle('capitalize', 'Capitalize Headers', 'Whether `last_name` becomes `Last Name`'),
      toggle('customStyling', 'Custom Styling', 'Whether to omit the default style of the table'),
      text('caption', 'Caption', 'Caption above the table'),
      text('tableAttributes', 'Table Attributes', 'Attributes of the table, as HTML'),
      text('headerAttributes', 'Header Attributes', 'Attributes of the header row, as HTML'),
      text('rowAttributes', 'Row Attributes', 'Attributes of each row, as HTML'),
      text('cellAttributes', 'Cell Attributes', 'Attributes of each cell, as HTML'),
    ],
    asTable,
  ),
];
