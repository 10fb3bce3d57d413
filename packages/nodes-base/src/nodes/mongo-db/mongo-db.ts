import { type ExecuteContext, type Item, NodeOperationError, type NodeType, untilAborted } from '@sluice/node-sdk';
import { type OpenMongo, openMongo } from '../../clients/mongo-client.ts';
import { ResultBudget } from '../../shared/byte-budget.ts';
import { choiceParameter, requiredText } from '../../shared/parameters.ts';
import { mapWithClient } from '../../shared/with-client.ts';
import { mongoDbProperties, mongoDbVersions } from './mongo-db-properties.ts';
import { documentOperations, indexOperations, unsupportedUses } from './mongo-operations.ts';

/** Operations that run once before version 1.1, with the parameters of the first item. */
const onceBefore11: ReadonlySet<string> = new Set(['aggregate', 'delete', 'find']);

/** Reads and changes MongoDB documents. */
export const mongoDb: NodeType = {
  description: {
    displayName: 'MongoDB',
    name: 'mongo-db',
    group: ['input'],
    version: mongoDbVersions,
    description: 'Finds, inserts, and updates documents in MongoDB',
    defaults: { name: 'MongoDB' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'mongoDb', required: true }],
    properties: mongoDbProperties,
    icon: 'fa:leaf',
    iconColor: 'green',
    subtitle: '={{ $parameter["operation"] }}',
  },
  unsupported: unsupportedUses,
  async execute(context) {
    const { name, run } = operationOf(context);
    const isOnce = context.typeVersion < 1.1 && onceBefore11.has(name);
    const items = await mapWithClient(context, {
      service: 'MongoDB',
      open: () => openClient(context),
      close: ({ open }) => open.close(),
      async step(client, item, itemIndex): Promise<Item[]> {
        if (isOnce && itemIndex > 0) return [];
        const { open, budget } = client;
        const collection = open.client.db(open.database).collection(requiredText(context, 'collection', itemIndex));
        const documents = await untilAborted(
          run({ context, collection, bson: open.bson, budget, item, itemIndex }),
          context.signal,
        );
        return documents.map((json) => ({ json, pairedItem: { item: itemIndex } }));
      },
    });
    return [items];
  },
};

function operationOf(context: ExecuteContext) {
  const isIndex = choiceParameter(context, 'resource', 0, ['document', 'searchIndexes'], 'document') === 'searchIndexes';
  const operations = isIndex ? indexOperations : documentOperations;
  const names = Object.keys(operations);
  const name = choiceParameter(context, 'operation', 0, names, isIndex ? 'createSearchIndex' : 'find');
  const run = Object.entries(operations).find(([operation]) => operation === name)?.[1];
  if (!run)
    throw new NodeOperationError(`the operation ${name} is unknown`, { description: 'Choose an operation from the list' });
  return { name, run };
}

interface MongoClientOfRun {
  open: OpenMongo;
  budget: ResultBudget;
}

async function openClient(context: ExecuteContext): Promise<MongoClientOfRun> {
  const open = await openMongo(await context.credentials('mongoDb', 0), context, context.signal);
  return { open, budget: new ResultBudget() };
}
