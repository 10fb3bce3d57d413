import type { JsonValue, NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, names, number, text, toggle, where } from '../../shared/properties.ts';

const showIf = (show: Record<string, readonly JsonValue[]>) => where({ optimizeResponse: [true], ...show });

/** Parameters of `optimizedResponse`. */
export const optimizeProperties: readonly NodeProperty[] = [
  toggle('optimizeResponse', 'Optimize Response', 'Whether the model receives only a part of the response'),
  choice('responseType', 'Expected Response Type', choices(['json', 'JSON'], ['html', 'HTML'], ['text', 'Text']), showIf({})),
  text('dataField', 'Field Containing Data', 'Path of the data in the response', showIf({ responseType: ['json'] })),
  choice(
    'fieldsToInclude',
    'Include Fields',
    choices(['all', 'All'], ['selected', 'Selected'], ['except', 'Exclude']),
    showIf({ responseType: ['json'] }),
  ),
  names(
    'fields',
    'Fields',
    'Names separated by commas; a dot refers to a nested field, as in `address.city`',
    showIf({ responseType: ['json'], fieldsToInclude: ['selected', 'except'] }),
  ),
  text('cssSelector', 'Selector (CSS)', 'Page elements that the model receives', {
    default: 'body',
    ...showIf({ responseType: ['html'] }),
  }),
  toggle('onlyContent', 'Return Only Content', 'Whether to omit the markup', showIf({ responseType: ['html'] })),
  text(
    'elementsToOmit',
    'Elements To Omit',
    'CSS selectors of elements to omit, separated by commas',
    showIf({ responseType: ['html'], onlyContent: [true] }),
  ),
  toggle('truncateResponse', 'Truncate Response', 'Whether to cut long strings', showIf({ responseType: ['html', 'text'] })),
  atLeast(
    1,
    number('maxLength', 'Max Response Characters', 1_000, 'Maximum number of characters that the model receives', {
      ...showIf({ responseType: ['html', 'text'], truncateResponse: [true] }),
    }),
  ),
];
