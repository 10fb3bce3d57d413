import type { NodeProperty, NodeType } from '@sluice/node-sdk';
import {
  choice,
  choices,
  disableDotNotation,
  list,
  names,
  options,
  text,
  toggle,
  when,
  where,
} from '../../shared/properties.ts';
import { compareItems } from './compare-items.ts';
import { readComparePlan } from './compare-plan.ts';

const versions = [1, 2, 2.1, 2.2, 2.3];

const resolve = (fallback: string, typeVersions: readonly number[]): NodeProperty =>
  choice(
    'resolve',
    'When There Are Differences',
    choices(
      ['preferInput1', 'Use Input A Version'],
      ['preferInput2', 'Use Input B Version'],
      ['mix', 'Use a Mix of Versions'],
      ['includeBoth', 'Include Both Versions', 'Keys, equal fields, and both values of the different fields'],
    ),
    { default: fallback, ...when(typeVersions) },
  );

const fuzzyCompare = toggle(
  'fuzzyCompare',
  'Fuzzy Compare',
  'Whether values of different types may be equal: a number and its text, null and empty text, true and 1',
);

export const compareDatasets: NodeType = {
  description: {
    displayName: 'Compare Datasets',
    name: 'compare-datasets',
    group: ['transform'],
    version: versions,
    description: 'Compares two inputs: items only in the first, equal, different, or only in the second',
    defaults: { name: 'Compare Datasets' },
    inputs: ['main', 'main'],
    outputs: ['main', 'main', 'main', 'main'],
    computesOnly: true,
    properties: [
      list('mergeByFields', 'Fields to Match', 'values', [
        text('field1', 'Input A Field', 'A field of the first input'),
        text('field2', 'Input B Field', 'The field of the second input that must be equal'),
      ]),
      resolve('preferInput2', [1, 2]),
      resolve('includeBoth', [2.1, 2.2, 2.3]),
      { ...fuzzyCompare, displayOptions: { hide: { '@version': [1] } } },
      choice(
        'preferWhenMix',
        'Prefer',
        choices(['input1', 'Input A Version'], ['input2', 'Input B Version']),
        where({ resolve: ['mix'] }),
      ),
      names(
        'exceptWhenMix',
        'For Everything Except',
        'Fields to copy from the other input, separated by commas',
        where({ resolve: ['mix'] }),
      ),
      options([
        names('skipFields', 'Fields to Skip Comparing', 'Fields that may differ, separated by commas'),
        { ...fuzzyCompare, ...when([1]) },
        disableDotNotation,
        choice(
          'multipleMatches',
          'Multiple Matches',
          choices(['first', 'Include First Match Only'], ['all', 'Include All Matches']),
        ),
      ]),
    ],
    icon: 'fa:not-equal',
  },
  execute(context) {
    const { onlyIn1, same, different, onlyIn2 } = compareItems(context.items(0), context.items(1), readComparePlan(context));
    return [onlyIn1, same, different, onlyIn2];
  },
};
