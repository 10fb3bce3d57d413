import { type ExecuteContext, type Item, isJsonObject, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { number, toggle, unsupported, where } from '@sluice/nodes-base/node-tools';
import { googleAccount } from '../../shared/google-account.ts';
import { ServiceItem } from '../../shared/service-item.ts';
import { sheetsClient } from './google-sheets-client.ts';
import { filters, target } from './google-sheets-properties.ts';
import { read } from './read-rows.ts';
import { sheetMethods } from './sheet-methods.ts';

/** The version that reads Google Sheets; the rows of its filters must match all of them. */
export const evaluationVersion = [4.6];
const [rowFilters] = filters;
const account = googleAccount('googleSheetsOAuth2Api', { version: evaluationVersion });

/** Maximum number of executions of one evaluation. */
const maxExecutions = 10_000;

/** Starts an execution for each test case of a dataset, one after the other. */
export const evaluationTrigger: NodeType = {
  description: {
    displayName: 'Evaluation Trigger',
    name: 'evaluation-trigger',
    group: ['trigger'],
    version: evaluationVersion,
    description:
      'Starts an evaluation when the workflow is run from this node: an execution for each row of a Google sheet, one after the other',
    defaults: { name: 'When fetching a dataset row' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:check-double',
    credentials: account.credentials,
    properties: [
      ...account.leading,
      ...target,
      toggle('limitRows', 'Limit Rows', 'Whether to read the first rows only'),
      number('maxRows', 'Max Rows to Process', 10, 'How many rows to read', where({ limitRows: [true] })),
      ...(rowFilters ? [rowFilters] : []),
    ],
    maxNodes: 1,
  },
  methods: sheetMethods(sheetsClient),
  async execute(context) {
    const rows = await rowsOf(context);
    if (rows.length === 0) context.addHints?.({ message: 'The sheet has no matching rows, so nothing is evaluated.' });
    if (rows.length <= 1) return [rows];
    if (!context.workflows) throw unsupported('an evaluation of several rows here', 'Run the workflow on a worker');
    const node = context.node.name;
    const { workflow, destinationNode } = context.workflows.current();
    if (destinationNode === node) return [rows.slice(0, 1)];
    const runs = rows.slice(0, -1).map((row) => ({ workflow, items: [row], start: { node, destinationNode } }));
    // The others may change the sheet so that the filters exclude the last row.
    context.suspend({ kind: 'workflows', runs, stopAtFailure: false, kept: rows.at(-1)?.json ?? null });
    return [];
  },
  /** This execution evaluates the last row, after the others. */
  async resume(context, event) {
    if (event.kind !== 'workflows' || !isJsonObject(event.kept))
      throw new Error('the evaluation was not resumed with its rows');
    const { length } = event.results;
    const failed = event.results.flatMap((result) => (result.status === 'failed' ? [result.executionId] : []));
    if (failed.length > 0)
      context.addHints?.({ message: `${failed.length} of ${length + 1} rows failed before the last one: ${shown(failed)}` });
    return [[{ json: event.kept }]];
  },
};

async function rowsOf(context: ExecuteContext): Promise<Item[]> {
  const item = new ServiceItem(context, 0, sheetsClient);
  const [rows = []] = await read([item]);
  const count = item.toggle('limitRows') ? Math.max(0, item.number('maxRows', 10)) : rows.length;
  const evaluated = rows.slice(0, count).map((json) => ({ json }));
  if (evaluated.length <= maxExecutions) return evaluated;
  const message = `an evaluation has at most ${maxExecutions} rows, not ${evaluated.length}`;
  throw new NodeOperationError(message, { description: 'Switch on "Limit Rows", or filter the rows' });
}

const maxShown = 10;
const shown = (executions: readonly string[]): string =>
  `executions ${executions.slice(0, maxShown).join(', ')}${executions.length > maxShown ? ', …' : ''}`;
