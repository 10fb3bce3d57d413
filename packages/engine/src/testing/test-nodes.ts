import type { Item, JsonObject, NodeOutput } from '@sluice/domain';
import { type ExecuteContext, failedItem, NodeOperationError, type NodeType, type NodeTypeDescription } from '@sluice/node-sdk';

export type Execute = (context: ExecuteContext) => Promise<NodeOutput> | NodeOutput;

/** A node type for tests, with numbers of inputs and outputs. */
export function testType(
  name: string,
  execute: Execute,
  {
    inputs = 1,
    outputs = 1,
    ...rest
  }: Partial<Omit<NodeTypeDescription, 'inputs' | 'outputs'>> & { inputs?: number; outputs?: number } = {},
): NodeType {
  const description: NodeTypeDescription = {
    displayName: name,
    name,
    group: ['transform'],
    version: 1,
    description: name,
    defaults: { name },
    inputs: Array.from({ length: inputs }, () => 'main' as const),
    outputs: Array.from({ length: outputs }, () => 'main' as const),
    properties: [],
    ...rest,
  };
  return { description, execute };
}

export const asItems = (...json: JsonObject[]): Item[] => json.map((object) => ({ json: object }));

const pass: Execute = (context) => [[...context.items()]];

/** Emits `count` items `{ n: 0 }`, `{ n: 1 }`, … */
const emit: Execute = (context) => {
  const count = context.parameter('count', 0, 1);
  return [asItems(...Array.from({ length: count }, (_, n) => ({ n })))];
};

/** Adds the parameter `tag` to each item's list `via`. */
const tag: Execute = (context) => [
  context.items().map(({ json }, i) => {
    const via = Array.isArray(json['via']) ? json['via'] : [];
    return { json: { ...json, via: [...via, context.parameter('tag', i, context.node.name)] } };
  }),
];

/** Sends items with a true parameter `value` to output 0 and the others to output 1. */
const route: Execute = (context) => {
  const outputs: [Item[], Item[]] = [[], []];
  context.items().forEach((item, i) => {
    outputs[context.parameter('value', i, false) ? 0 : 1].push({ ...item, pairedItem: { item: i } });
  });
  return outputs;
};

/** Fires output 1 in the first `rounds` runs, then output 0. */
const loop: Execute = (context) =>
  context.runIndex < context.parameter('rounds', 0, 2) ? [[], [...context.items()]] : [[...context.items()], []];

const append: Execute = (context) => [
  Array.from({ length: context.inputCount }, (_, input) =>
    context.items(input).map((item, i) => ({ ...item, pairedItem: { item: i, input } })),
  ).flat(),
];

/** Fails as a whole in its first `times` runs or tries. */
function flaky(): Execute {
  const failures = new Map<string, number>();
  return (context) => {
    const failed = failures.get(context.execution.id) ?? 0;
    if (failed >= context.parameter('times', 0, Number.POSITIVE_INFINITY)) return pass(context);
    failures.set(context.execution.id, failed + 1);
    throw new NodeOperationError('broken', { itemIndex: 0, description: 'try another' });
  };
}

/** Saves a string as custom data, by which the execution can be found. */
const saving: Execute = (context) => {
  context.addCustomData?.(context.parameter('key', 0), context.parameter('value', 0));
  return pass(context);
};

/** Fails on items with a true `bad` and passes the others on. */
const picky: Execute = (context) => [
  context.items().map((item, i) => {
    if (!item.json['bad']) return { ...item, pairedItem: { item: i } };
    if (!context.continueOnFail) throw new NodeOperationError('bad item', { itemIndex: i });
    return failedItem(new Error('bad item'), i);
  }),
];

/** The node types of the engine's tests; a new map for each test. */
export function testTypes(): Map<string, NodeType> {
  const types = [
    testType('manual-trigger', () => [asItems({})], { group: ['trigger'], inputs: 0 }),
    testType('other-trigger', () => [asItems({ from: 'other' })], { group: ['trigger'], inputs: 0 }),
    testType('evaluation-trigger', () => [asItems({ from: 'evaluation' })], { group: ['trigger'], inputs: 0 }),
    testType('pass', pass),
    testType('emit', emit),
    testType('tag', tag),
    testType('route', route, { outputs: 2 }),
    testType('loop', loop, { outputs: 2 }),
    testType('drop', () => [[]]),
    testType('append', append, { inputs: 2 }),
    testType('first-come', append, { inputs: 2, requiredInputs: 1 }),
    testType('flaky', flaky()),
    testType('picky', picky),
    testType('saving', saving),
    testType('hang', () => new Promise<never>(() => {})),
    testType('stop', () => {
      throw new NodeOperationError('halt', {}, 'STOP_AND_ERROR');
    }),
    testType('code', async (context) => [await context.runCode({ source: 'x', mode: 'allItems' })]),
    testType('each-item-code', async (context) => [
      await context.runCode({ source: context.parameter('source', 0), mode: 'eachItem' }),
    ]),
  ];
  return new Map(types.map((type) => [`base.${type.description.name}`, type]));
}
