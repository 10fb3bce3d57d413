import type { JsonValue, NodeProperty } from '@sluice/node-sdk';
import { everyItemPasses, ignoreCase, legacyKinds, looseTypeValidation } from '../../shared/filter/condition-properties.ts';
import { atLeast, between, choice, choices, list, number, options, text, toggle, when } from '../../shared/properties.ts';

const third = [3, 3.1, 3.2, 3.3, 3.4];
export const switchVersions = [1, 2, ...third];

const noItemMatches = 'without rules, no item matches';
const byRules = { mode: ['rules'] };
const byExpression = { mode: ['expression'] };

const outputNames = Array.from({ length: 4 }, (_, output) => ({ name: `Output ${output}`, value: output }));

const legacyValue1 = legacyKinds.map(
  ({ type, empty }): NodeProperty => ({
    displayName: 'Value 1',
    name: 'value1',
    type,
    default: empty,
    description: 'The value that the rules compare',
    ...when([1, 2], { ...byRules, dataType: [type] }),
  }),
);

const legacyRules = (version: 1 | 2, target: NodeProperty): NodeProperty[] =>
  legacyKinds.map(({ type, empty, operations }) => {
    const legacyOperations = operations.filter(({ value }) => value !== 'isEmpty' && value !== 'isNotEmpty');
    return list(
      'rules',
      'Routing Rules',
      'rules',
      [
        choice('operation', 'Operation', legacyOperations),
        { displayName: 'Value 2', name: 'value2', type, default: empty as JsonValue },
        target,
      ],
      { emptyHint: noItemMatches, ...when([version], { ...byRules, dataType: [type] }) },
    );
  });

const legacyProperties: readonly NodeProperty[] = [
  atLeast(0, number('output', 'Output', 0, 'The output for the item, from 0 on', when([1], byExpression))),
  text('output', 'Output', 'The output for the item, from 0 on', when([2], byExpression)),
  between(1, 1_000, number('outputsAmount', 'Outputs Amount', 4, 'Number of outputs', when([2], byExpression))),
  choice(
    'dataType',
    'Data Type',
    choices(['boolean', 'Boolean'], ['dateTime', 'Date & Time'], ['number', 'Number'], ['string', 'String']),
    { default: 'number', ...when([1, 2], byRules) },
  ),
  ...legacyValue1,
  ...legacyRules(1, choice('output', 'Output', outputNames)),
  ...legacyRules(2, text('outputKey', 'Output Name', 'Name of the rule’s output')),
  choice('fallbackOutput', 'Fallback Output', [{ name: 'None', value: -1 }, ...outputNames], {
    description: 'Output for items that match no rule',
    ...when([1], byRules),
  }),
  atLeast(
    -1,
    number('fallbackOutput', 'Fallback Output', -1, 'Output for items that match no rule; -1: nowhere', when([2], byRules)),
  ),
];

const rules = list(
  'rules',
  'Routing Rules',
  'values',
  [
    { displayName: 'Conditions', name: 'conditions', type: 'filter', default: {}, emptyHint: everyItemPasses },
    toggle('renameOutput', 'Rename Output', 'Whether the output has a custom name'),
    text('outputKey', 'Output Name', 'Name of the output', { displayOptions: { show: { renameOutput: [true] } } }),
  ],
  {
    emptyHint: noItemMatches,
    description: 'Each rule has a separate output, in the order of the rules',
    ...when(third, byRules),
  },
);

const ruleOptions = options(
  [
    text(
      'fallbackOutput',
      'Fallback Output',
      'Output for items that match no rule: `none`, `extra` (one more output, the last) or the number of an output',
      {
        default: 'none',
      },
    ),
    ignoreCase,
    looseTypeValidation([3], { default: true }),
    text('renameFallbackOutput', 'Rename Fallback Output', 'Name of the extra output', {
      displayOptions: { show: { fallbackOutput: ['extra'] } },
    }),
    toggle(
      'allMatchingOutputs',
      'Send Data to All Matching Outputs',
      'Whether to send an item to all matching rules instead of only the first',
    ),
  ],
  when(third, byRules),
);

export const switchProperties: readonly NodeProperty[] = [
  choice(
    'mode',
    'Mode',
    choices(
      ['rules', 'Rules', 'The first matching rule determines the output'],
      ['expression', 'Expression', 'A number selects the output'],
    ),
  ),
  ...legacyProperties,
  between(1, 1_000, number('numberOutputs', 'Number of Outputs', 4, 'Number of outputs', when(third, byExpression))),
  atLeast(0, number('output', 'Output Index', 0, 'The output for the item, from 0 on', when(third, byExpression))),
  rules,
  looseTypeValidation([3.1, 3.2, 3.3, 3.4]),
  ruleOptions,
];
