import type { ExecuteContext, Item, JsonObject, NodeType } from '@sluice/node-sdk';
import { choiceParameter, numberParameter } from '../../shared/parameters.ts';
import { type QueryBatching, rowsOf, runItems } from '../../shared/sql/run-items.ts';
import type { SqlResult } from '../../shared/sql/sql-dialect.ts';
import { type TableOperation, tableOperations } from '../../shared/sql/table-operations.ts';
import { postgresProperties, postgresVersions } from './postgres-properties.ts';
import { openPostgresSession, type PostgresOptions } from './postgres-session.ts';
import { postgresStatements } from './postgres-statements.ts';

/** Reads and changes Postgres tables over one connection per run. */
export const postgres: NodeType = {
  description: {
    displayName: 'Postgres',
    name: 'postgres',
    group: ['input'],
    version: postgresVersions,
    description: 'Reads, inserts, and updates data in Postgres',
    defaults: { name: 'Postgres' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'postgres', required: true }],
    properties: postgresProperties,
    icon: 'fa:database',
    iconColor: 'blue',
    subtitle: '={{ $parameter["operation"] }}',
  },
  async execute(context) {
    const operation = choiceParameter(context, 'operation', 0, tableOperations, 'insert');
    const items = await runItems(context, {
      batching: batchingOf(context),
      open: () => openPostgresSession(context, optionsOf(context)),
      statements: (session, item, itemIndex) => postgresStatements(operation, { context, session, item, itemIndex }),
      output: (results) => outputOf(operation, results),
    });
    return [context.typeVersion < 2.3 ? oneSuccess(items) : items];
  },
};

const success: JsonObject = Object.freeze({ success: true });

/** Rows of all statements; without rows, success. */
function outputOf(operation: TableOperation, results: readonly SqlResult[]): readonly JsonObject[] {
  const rows = rowsOf(results);
  return rows.length > 0 || operation === 'select' ? rows : [success];
}

/** Before version 2.3, if no statement returned rows, one item is returned for all input items. */
function oneSuccess(items: readonly Item[]): Item[] {
  const rows = items.filter(({ json }) => json !== success);
  if (rows.length > 0 || items.length === 0) return rows;
  return [{ json: success, pairedItem: items.map((_, item) => ({ item })) }];
}

function batchingOf(context: ExecuteContext): QueryBatching {
  const batchings = ['single', 'independently', 'transaction'] as const;
  const path = context.typeVersion < 2 ? 'additionalFields.mode' : 'options.queryBatching';
  return choiceParameter(context, path, 0, batchings, 'single');
}

function optionsOf(context: ExecuteContext): PostgresOptions {
  const seconds = numberParameter(context, 'options.connectionTimeout', 0, 30);
  const isFirst = context.typeVersion < 2;
  const largeNumbers = isFirst
    ? choiceParameter(context, 'additionalFields.outputLargeFormatNumbersAs', 0, ['string', 'numbers'], 'string')
    : choiceParameter(context, 'options.largeNumbersOutput', 0, ['text', 'numbers'], 'text');
  return {
    connectTimeoutMs: Math.min(Math.max(seconds, 1), 600) * 1_000,
    largeNumbers: largeNumbers === 'numbers' ? 'numbers' : 'text',
  };
}
