import type { ExecuteContext, JsonObject, NodeType } from '@sluice/node-sdk';
import { booleanParameter, choiceParameter, numberParameter } from '../../shared/parameters.ts';
import { rowsOf, runItems } from '../../shared/sql/run-items.ts';
import type { SqlResult } from '../../shared/sql/sql-dialect.ts';
import { type TableOperation, tableOperations } from '../../shared/sql/table-operations.ts';
import { mySqlProperties, mySqlVersions } from './my-sql-properties.ts';
import { type MySqlOptions, openMySqlSession } from './my-sql-session.ts';
import { mySqlStatements } from './my-sql-statements.ts';

/** Reads and changes MySQL or MariaDB tables over one connection per run. */
export const mySql: NodeType = {
  description: {
    displayName: 'MySQL',
    name: 'my-sql',
    group: ['input'],
    version: mySqlVersions,
    description: 'Reads, inserts, and updates data in MySQL or MariaDB',
    defaults: { name: 'MySQL' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'mySql', required: true }],
    properties: mySqlProperties,
    icon: 'fa:database',
    iconColor: 'orange',
    subtitle: '={{ $parameter["operation"] }}',
  },
  async execute(context) {
    const operation = choiceParameter(context, 'operation', 0, tableOperations, 'insert');
    const isDetailed = context.typeVersion < 2 || booleanParameter(context, 'options.detailedOutput', 0, false);
    const items = await runItems(context, {
      batching: choiceParameter(context, 'options.queryBatching', 0, ['single', 'independently', 'transaction'], 'single'),
      open: () => openMySqlSession(context, optionsOf(context)),
      statements: (session, item, itemIndex) => mySqlStatements(operation, { context, session, item, itemIndex }),
      output: (results) => outputOf(operation, results, isDetailed),
    });
    return [items];
  },
};

const success: JsonObject = Object.freeze({ success: true });

/** Rows of all statements; without rows, success or the server's counts. */
function outputOf(operation: TableOperation, results: readonly SqlResult[], isDetailed: boolean): readonly JsonObject[] {
  const items = rowsOf(results.map((result) => (isDetailed && result.summary ? { rows: [result.summary] } : result)));
  return items.length > 0 || operation === 'select' ? items : [success];
}

function optionsOf(context: ExecuteContext): MySqlOptions {
  const seconds = numberParameter(context, 'options.connectionTimeoutMillis', 0, 30);
  return {
    // The name suggests milliseconds, but workflows contain seconds.
    connectTimeoutMs: Math.min(Math.max(seconds, 1), 600) * 1_000,
    largeNumbers: choiceParameter(context, 'options.largeNumbersOutput', 0, ['text', 'numbers'], 'text'),
    decimalNumbers: booleanParameter(context, 'options.decimalNumbers', 0, false),
  };
}
