import type { NodeType } from '@sluice/node-sdk';
import { ResultBudget } from '../../shared/byte-budget.ts';
import { booleanParameter, choiceParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { dataTableProperties } from './data-table-properties.ts';
import { TableFinder } from './find-table.ts';
import { insertAll, rowOperationNames, rowOperations } from './row-operations.ts';
import { tableOperationNames, tableOperations } from './table-operations.ts';

/** Reads and writes the data tables of the workflow's project. Version 1.1 works like version 1. */
export const dataTable: NodeType = {
  description: {
    displayName: 'Data Table',
    name: 'data-table',
    group: ['input', 'transform'],
    version: [1, 1.1],
    description: 'Stores rows in the project’s tables, with typed columns',
    defaults: { name: 'Data Table' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    properties: dataTableProperties,
    icon: 'fa:table',
    iconColor: 'orange',
    subtitle: '={{ $parameter["operation"] }}',
  },
  async execute(context) {
    const finder = new TableFinder(context);
    if (choiceParameter(context, 'resource', 0, ['row', 'table'], 'row') === 'table') {
      const operation = tableOperations[choiceParameter(context, 'operation', 0, tableOperationNames, 'list')];
      return [await mapItemsAsync(context, (_, itemIndex) => operation({ context, finder, itemIndex }))];
    }
    const name = choiceParameter(context, 'operation', 0, rowOperationNames, 'insert');
    if (name === 'insert' && booleanParameter(context, 'options.optimizeBulk', 0, false))
      return [await insertAll(context, finder)];
    const operation = rowOperations[name];
    const budget = new ResultBudget();
    return [await mapItemsAsync(context, (item, itemIndex) => operation({ context, finder, budget, item, itemIndex }))];
  },
};
