import {
  type ConnectionType,
  type ExecuteContext,
  type Item,
  NodeOperationError,
  type NodeOutput,
  type NodeProperty,
  type NodeType,
} from '@sluice/node-sdk';
import {
  choice,
  choiceParameter,
  choices,
  collection,
  list,
  mapItemsAsync,
  names,
  number,
  requiredText,
  text,
  toggle,
  where,
} from '@sluice/nodes-base/node-tools';
import { findings, modelChecks, patternChecks } from './check-text.ts';
import { piiPatterns } from './pii-patterns.ts';
import { maxFindings, redacted } from './scan-text-task.ts';

const operations = ['classify', 'sanitize'] as const;
const threshold = number('threshold', 'Threshold', 0.7, 'Least confidence of the model that counts, from 0 to 1');
const single = { typeOptions: { multipleValues: false } };
const one = (name: string, displayName: string, members: NodeProperty[]) => list(name, displayName, 'value', members, single);
const judged = (name: string, displayName: string) =>
  one(name, displayName, [
    threshold,
    toggle('customizePrompt', 'Customize Prompt', 'Whether the rule is written below; if not, it is the standard one'),
    text('prompt', 'Prompt', 'The rule that the model applies; empty: the standard one', where({ customizePrompt: [true] })),
  ]);

const guardrailList: NodeProperty[] = [
  names('keywords', 'Keywords', 'Words that the text must not have, separated by commas'),
  judged('jailbreak', 'Jailbreak'),
  judged('nsfw', 'NSFW'),
  one('pii', 'Personal Data (PII)', [
    choice('type', 'Type', choices(['all', 'All'], ['selected', 'Selected'])),
    names(
      'entities',
      'Entities',
      `Kinds, separated by commas: ${Object.keys(piiPatterns).join(', ')}`,
      where({ type: ['selected'] }),
    ),
  ]),
  one('secretKeys', 'Secret Keys', [
    choice(
      'permissiveness',
      'Permissiveness',
      choices(
        ['strict', 'Strict', 'Also short random strings'],
        ['balanced', 'Balanced'],
        ['permissive', 'Permissive', 'Only long ones'],
      ),
      { default: 'balanced' },
    ),
  ]),
  one('topicalAlignment', 'Topical Alignment', [text('prompt', 'Prompt', 'What text may be about'), threshold]),
  one('urls', 'URLs', [
    names('allowedUrls', 'Block All URLs Except', 'Hosts or addresses that are allowed, separated by commas'),
    names('allowedSchemes', 'Allowed Schemes', 'As `https`, separated by commas', { default: 'https' }),
    toggle('blockUserinfo', 'Block Userinfo', 'Whether addresses with a user or a password are blocked', { default: true }),
    toggle('allowSubdomains', 'Allow Subdomains', 'Whether hosts below an allowed one are allowed', { default: true }),
  ]),
  list('custom', 'Custom', 'guardrail', [
    text('name', 'Name', 'Name of the guardrail'),
    text('prompt', 'Prompt', 'The rule that the model applies'),
    threshold,
  ]),
  list('customRegex', 'Custom Regex', 'regex', [
    text('name', 'Name', 'Name of the guardrail; replaces what it finds'),
    text('value', 'Regex', 'As in JavaScript: `/pattern/flags`'),
  ]),
];

/** Checks text, or removes parts of it. Version 2 behaves as version 1. */
export const guardrails: NodeType = {
  description: {
    displayName: 'Guardrails',
    name: 'guardrails',
    group: ['transform'],
    version: [1, 2],
    description:
      'Checks text for keywords, personal data, keys, URLs, and by the judgment of a model; text that passes and text that fails have an output each. Or replaces such parts',
    defaults: { name: 'Guardrails' },
    inputs: ['main'],
    outputs: ['main', 'main'],
    subNodes: [
      { type: 'ai_languageModel', displayName: 'Model', maxCount: 1, displayOptions: { show: { operation: ['classify'] } } },
    ],
    properties: [
      choice('operation', 'Operation', choices(['classify', 'Check Text for Violations'], ['sanitize', 'Sanitize Text'])),
      text('text', 'Text To Check', 'The text', { required: true }),
      collection('guardrails', 'Guardrails', guardrailList),
      toggle('customizeSystemMessage', 'Customize System Message', 'Whether the instructions for the model are written below'),
      text('systemMessage', 'System Message', 'Instructions for the model; the rule of a guardrail comes after them', {
        ...where({ customizeSystemMessage: [true] }),
      }),
    ],
    icon: 'fa:shield-alt',
  },
  outputs: ({ operation }): ConnectionType[] => (operation === 'sanitize' ? ['main'] : ['main', 'main']),
  execute: guard,
};

async function guard(context: ExecuteContext): Promise<NodeOutput> {
  const passed = new Set<Item>();
  const items = await mapItemsAsync(context, (_, itemIndex) => {
    const isSanitizing = choiceParameter(context, 'operation', itemIndex, operations, 'classify') === 'sanitize';
    return isSanitizing ? sanitized(context, itemIndex) : checked(context, itemIndex, passed);
  });
  if (context.node.parameters['operation'] === 'sanitize') return [items];
  // An item that could not be checked has not passed.
  return [items.filter((item) => passed.has(item)), items.filter((item) => !passed.has(item))];
}

async function checked(context: ExecuteContext, itemIndex: number, passed: Set<Item>): Promise<Item> {
  const input = requiredText(context, 'text', itemIndex);
  const byPattern = patternChecks(context, itemIndex, await findings(context, itemIndex, input));
  // Text that has already failed is not sent to the model.
  const isOver = byPattern.some(({ triggered }) => triggered);
  const checks = isOver ? byPattern : [...byPattern, ...(await modelChecks(context, itemIndex, input))];
  if (checks.length === 0)
    throw new NodeOperationError('there are no guardrails', { itemIndex, description: 'Add one in "Guardrails"' });
  const item: Item = { json: { guardrailsInput: input, checks }, pairedItem: { item: itemIndex } };
  if (!checks.some(({ triggered }) => triggered)) passed.add(item);
  return item;
}

async function sanitized(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const input = requiredText(context, 'text', itemIndex);
  const matches = await findings(context, itemIndex, input);
  if (matches.length > maxFindings)
    throw new NodeOperationError(`the text has more than ${maxFindings} parts to replace`, {
      itemIndex,
      description: 'Sanitize less text at a time',
    });
  const checks = patternChecks(context, itemIndex, matches);
  return { json: { guardrailsInput: redacted(input, matches), checks }, pairedItem: { item: itemIndex } };
}
