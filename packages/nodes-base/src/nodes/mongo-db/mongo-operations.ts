import {
  type ExecuteContext,
  type Item,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  TimeSlice,
  type UnsupportedUse,
} from '@sluice/node-sdk';
import type { AbstractCursor, Collection, Document } from 'mongodb';
import { type ResultBudget, rowBytes } from '../../shared/byte-budget.ts';
import {
  booleanParameter,
  numberParameter,
  parseJsonParameter,
  refuseUnsupported,
  requiredText,
  textParameter,
} from '../../shared/parameters.ts';
import { type Bson, documentToJson, toDocument } from './bson-values.ts';
import { itemDocument, keyedDocument } from './item-document.ts';

/** Context of an operation for one item. */
interface Step {
  context: ExecuteContext;
  collection: Collection;
  bson: Bson;
  budget: ResultBudget;
  item: Item;
  itemIndex: number;
}

type Operation = (step: Step) => Promise<JsonObject[]>;

/** JSON result of each document operation on an item. */
export const documentOperations = {
  aggregate,
  delete: remove,
  find,
  findOneAndReplace: (step) =>
    change(step, (filter, document, upsert) => step.collection.findOneAndReplace(filter, document, { upsert })),
  findOneAndUpdate: (step) =>
    change(step, (filter, document, upsert) => step.collection.findOneAndUpdate(filter, { $set: document }, { upsert })),
  insert,
  update: (step) =>
    change(step, (filter, document, upsert) => step.collection.updateOne(filter, { $set: document }, { upsert })),
} satisfies Record<string, Operation>;

/** JSON result of each search index operation. */
export const indexOperations = {
  createSearchIndex: async (step) => {
    const name = requiredText(step.context, 'indexNameRequired', step.itemIndex);
    const type = textParameter(step.context, 'indexType', step.itemIndex, 'vectorSearch');
    await step.collection.createSearchIndex({ name, definition: definitionOf(step), type });
    return [{ indexName: name }];
  },
  dropSearchIndex: async (step) => {
    const name = requiredText(step.context, 'indexNameRequired', step.itemIndex);
    await step.collection.dropSearchIndex(name);
    return [{ [name]: true }];
  },
  listSearchIndexes: (step) => {
    const name = textParameter(step.context, 'indexName', step.itemIndex).trim();
    return documentsOf(
      step,
      name === '' ? step.collection.listSearchIndexes({ raw: true }) : step.collection.listSearchIndexes(name, { raw: true }),
    );
  },
  updateSearchIndex: async (step) => {
    const name = requiredText(step.context, 'indexNameRequired', step.itemIndex);
    await step.collection.updateSearchIndex(name, definitionOf(step));
    return [{ [name]: true }];
  },
} satisfies Record<string, Operation>;

async function find(step: Step): Promise<JsonObject[]> {
  const { context, collection, itemIndex } = step;
  const number = (name: string) => numberParameter(context, `options.${name}`, itemIndex, 0);
  const document = (name: string) => documentParameter(step, `options.${name}`);
  const cursor = collection.find(documentParameter(step, 'query'), {
    ...reading,
    limit: number('limit'),
    skip: number('skip'),
    sort: document('sort'),
    projection: document('projection'),
  });
  return documentsOf(step, cursor);
}

async function aggregate(step: Step): Promise<JsonObject[]> {
  const stages = jsonParameter(step, 'query', []);
  if (!Array.isArray(stages)) {
    throw new NodeOperationError('the parameter "query" must be a list of stages', {
      itemIndex: step.itemIndex,
      description: 'Use a list such as [{ "$match": {} }]',
    });
  }
  const pipeline = stages.map((stage) => toDocument(stage, 'query', step.itemIndex, step.bson));
  for (const stage of pipeline) {
    if ('$match' in stage) stage['$match'] = toDocument(stage['$match'], 'query', step.itemIndex, step.bson);
  }
  return documentsOf(step, step.collection.aggregate(pipeline, reading));
}

async function remove(step: Step): Promise<JsonObject[]> {
  const { deletedCount } = await step.collection.deleteMany(documentParameter(step, 'query'));
  return [{ deletedCount }];
}

async function insert({ context, collection, bson, item, itemIndex }: Step): Promise<JsonObject[]> {
  const { document, json } = itemDocument(context, item.json, itemIndex, bson);
  const { insertedId } = await collection.insertOne(document);
  return [{ ...json, id: insertedId.toString() }];
}

async function change(
  { context, bson, item, itemIndex }: Step,
  write: (filter: Document, document: Document, upsert: boolean) => Promise<unknown>,
): Promise<JsonObject[]> {
  const { filter, change: document, json } = keyedDocument(context, item.json, itemIndex, bson);
  await write(filter, document, booleanParameter(context, 'upsert', itemIndex, false));
  return [json];
}

/**
 * Reads documents as bytes, so that their size is known before they are parsed, in small batches: a
 * server's default batch is up to 16 MB.
 */
const reading = { raw: true, batchSize: 1_000 } as const;

async function documentsOf({ bson, budget, itemIndex }: Step, cursor: AbstractCursor): Promise<JsonObject[]> {
  const documents: JsonObject[] = [];
  const slice = new TimeSlice();
  try {
    for await (const bytes of cursor as AsyncIterable<Buffer>) {
      budget.spend(bytes.length + rowBytes);
      documents.push(await documentToJson(bytes, bson, itemIndex));
      if (slice.isOver) await slice.next();
    }
    return documents;
  } finally {
    await cursor.close().catch(() => {});
  }
}

function definitionOf(step: Step): Document {
  return documentParameter(step, 'indexDefinition');
}

function documentParameter(step: Step, path: string): Document {
  return toDocument(jsonParameter(step, path, {}), path, step.itemIndex, step.bson);
}

function jsonParameter({ context, itemIndex }: Step, path: string, fallback: JsonValue): JsonValue {
  refuseUnsupported(context, [listedValues(path)], itemIndex);
  const value = context.parameter<JsonValue>(path, itemIndex, fallback);
  if (typeof value !== 'string') return value ?? fallback;
  return value.trim() === '' ? fallback : parseJsonParameter(path, value, itemIndex);
}

/** Reports values stored outside the JSON that they belong to. */
function listedValues(path: string): UnsupportedUse {
  const parameter = `${path}Parameters`;
  return { parameter, what: `the parameter "${parameter}"`, hint: 'Write the values into the query, with expressions' };
}

export const unsupportedUses: readonly UnsupportedUse[] = [
  'query',
  'options.sort',
  'options.projection',
  'indexDefinition',
].map(listedValues);
