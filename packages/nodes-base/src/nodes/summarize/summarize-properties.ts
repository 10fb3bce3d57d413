import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, disableDotNotation, list, names, options, text, toggle, where } from '../../shared/properties.ts';

/** The entries of `fieldsToSummarize`. */
export const summarizedField: readonly NodeProperty[] = [
  choice(
    'aggregation',
    'Aggregation',
    choices(
      ['append', 'Append', 'A list of the values'],
      ['average', 'Average', 'Only values that are numbers'],
      ['concatenate', 'Concatenate', 'The values as one string'],
      ['count', 'Count'],
      ['countUnique', 'Count Unique'],
      ['max', 'Max'],
      ['min', 'Min'],
      ['sum', 'Sum', 'Only values that are numbers'],
    ),
    { default: 'count' },
  ),
  text('field', 'Field', 'The field to summarize'),
  toggle(
    'includeEmpty',
    'Include Empty Values',
    'Whether to include missing values, null, and empty text',
    where({ aggregation: ['append', 'concatenate', 'count', 'countUnique'] }),
  ),
  choice(
    'separateBy',
    'Separator',
    choices([',', 'Comma'], [', ', 'Comma and Space'], ['\n', 'New Line'], ['', 'None'], [' ', 'Space'], ['other', 'Other']),
    where({ aggregation: ['concatenate'] }),
  ),
  text(
    'customSeparator',
    'Custom Separator',
    'Separator between the values',
    where({ aggregation: ['concatenate'], separateBy: ['other'] }),
  ),
];

export const summarizeOptions: readonly NodeProperty[] = [
  disableDotNotation,
  choice(
    'outputFormat',
    'Output Format',
    choices(['separateItems', 'Each Split in a Separate Item'], ['singleItem', 'All Splits in a Single Item']),
  ),
  toggle(
    'skipEmptySplitFields',
    'Ignore Items Without Valid Fields to Group By',
    'Whether to omit items in which a field to split by is empty',
  ),
];

export const summarizeProperties: readonly NodeProperty[] = [
  list('fieldsToSummarize', 'Fields to Summarize', 'values', summarizedField),
  names(
    'fieldsToSplitBy',
    'Fields to Split By',
    'Items with equal values in these fields form a group; names separated by commas',
  ),
  options([
    toggle(
      'continueIfFieldNotFound',
      'Continue if Field Not Found',
      'Whether a field that no item has yields an empty summary instead of an error',
      {
        displayOptions: { show: { '@version': [1] } },
      },
    ),
    ...summarizeOptions,
  ]),
];
