import type {
  ConnectionType,
  ExecuteContext,
  Item,
  JsonObject,
  JsonValue,
  NodeCredential,
  NodeOutput,
  NodeProperty,
  NodeType,
} from '@sluice/node-sdk';
import { choice, choiceParameter, choices, list, text, where } from '@sluice/nodes-base/node-tools';
import { googleAccount } from '../../shared/google-account.ts';
import { ServiceItem } from '../../shared/service-item.ts';
import { evaluationVersion } from './evaluation-trigger.ts';
import { sheetsClient } from './google-sheets-client.ts';
import { target } from './google-sheets-properties.ts';
import { rowNumber } from './header.ts';
import { sheetMethods } from './sheet-methods.ts';
import { update } from './write-rows.ts';

const operations = ['setOutputs', 'setMetrics', 'checkIfEvaluating'] as const;
const writing = { operation: ['setOutputs'] };
const { credentials, leading } = googleAccount('googleSheetsOAuth2Api', { version: evaluationVersion });

/** Steps of an evaluation, which starts at an Evaluation Trigger. */
export const evaluation: NodeType = {
  description: {
    displayName: 'Evaluation',
    name: 'evaluation',
    group: ['transform'],
    version: evaluationVersion,
    description:
      'Separates evaluations from other executions, writes results to the row of the dataset that an item comes from, and outputs metrics',
    defaults: { name: 'Evaluation' },
    inputs: ['main'],
    outputs: ['main', 'main'],
    icon: 'fa:check-double',
    credentials: (credentials ?? []).map((one) => shownAlso(one, writing)),
    properties: [
      choice(
        'operation',
        'Operation',
        choices(
          ['setOutputs', 'Set Outputs', 'writes values to the row of the sheet; items pass through'],
          ['setMetrics', 'Set Metrics', 'outputs numbers that rate the result'],
          ['checkIfEvaluating', 'Check If Evaluating', 'items of an evaluation and of other executions have an output each'],
        ),
      ),
      ...[...leading, ...target].map((one) => shownAlso(one, writing)),
      list(
        'outputs',
        'Outputs',
        'values',
        [
          text('outputName', 'Name', 'Name of the column; a missing one is added'),
          text('outputValue', 'Value', 'Value of the cell'),
        ],
        where(writing),
      ),
      {
        displayName: 'Metrics to Return',
        name: 'metrics',
        type: 'assignmentCollection',
        default: {},
        description: 'Name and number of each metric',
        ...where({ operation: ['setMetrics'] }),
      },
    ],
  },
  outputs: ({ operation }): ConnectionType[] => (operation === 'checkIfEvaluating' ? ['main', 'main'] : ['main']),
  methods: sheetMethods(sheetsClient),
  execute: evaluate,
};

async function evaluate(context: ExecuteContext): Promise<NodeOutput> {
  const operation = choiceParameter(context, 'operation', 0, operations, 'setOutputs');
  const items = context.items().map((item, index): Item => ({ ...item, pairedItem: { item: index } }));
  if (operation === 'setMetrics') return [items.map((_, index) => metricsOf(new ServiceItem(context, index, sheetsClient)))];
  const rows = await Promise.all(items.map((_, index) => datasetRow(context, index)));
  const evaluated = items.filter((_, index) => rows[index] !== undefined);
  if (operation === 'checkIfEvaluating') return [evaluated, items.filter((item) => !evaluated.includes(item))];
  if (evaluated.length < items.length)
    context.addHints?.({ message: 'Items of an execution that did not start at an Evaluation Trigger are not written.' });
  const written = items.flatMap((_, index) =>
    rows[index] === undefined ? [] : [new ServiceItem(context, index, sheetsClient)],
  );
  if (written.length > 0) await update(written, false, (item) => recordOf(item, rows[item.index] ?? 0));
  return [items];
}

/** The row that the item comes from; `undefined` if the execution is not an evaluation. */
async function datasetRow(context: ExecuteContext, itemIndex: number): Promise<number | undefined> {
  for (const { name, type } of context.relatives?.(context.node.name, 'before') ?? []) {
    if (!/\.evaluation-?trigger$/i.test(type)) continue;
    const row = await context.evaluateText<JsonValue>(
      `={{ $($trigger).isExecuted ? $($trigger).item.json.${rowNumber} : undefined }}`,
      itemIndex,
      { names: { $trigger: name }, parameters: {} },
    );
    if (typeof row === 'number') return row;
  }
  return undefined;
}

function recordOf(item: ServiceItem, row: number) {
  const values: JsonObject = { [rowNumber]: row };
  for (const { outputName, outputValue = '' } of item.entries('outputs.values'))
    if (typeof outputName === 'string' && outputName !== '' && outputName !== rowNumber) values[outputName] = outputValue;
  if (Object.keys(values).length > 1) return { values, matching: [rowNumber] };
  throw item.error('no output has a name', 'Add outputs with the names of columns');
}

function metricsOf(item: ServiceItem): Item {
  const json: JsonObject = {};
  for (const { name, value = null } of item.entries('metrics.assignments')) {
    if (typeof name !== 'string' || name === '') throw item.error('a metric has no name', 'Name each metric');
    json[name] = numberIn(value) ?? notANumber(item, name);
  }
  if (Object.keys(json).length > 0) return { json, pairedItem: { item: item.index } };
  throw item.error('no metric is set', 'Add metrics with a name and a number');
}

function numberIn(value: JsonValue): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function notANumber(item: ServiceItem, name: string): never {
  throw item.error(`the metric "${name}" is not a number`, 'Check its expression');
}

/** A property or credential with further conditions. */
function shownAlso<T extends NodeCredential | NodeProperty>(one: T, show: Record<string, JsonValue[]>): T {
  return { ...one, displayOptions: { ...one.displayOptions, show: { ...one.displayOptions?.show, ...show } } };
}
