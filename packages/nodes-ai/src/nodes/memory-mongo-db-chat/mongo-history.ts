import type { ChatHistory, ExecuteContext } from '@sluice/node-sdk';
import { documentToJson, type OpenMongo, textParameter } from '@sluice/nodes-base/node-tools';
import { type MongoCollection, openMongoSession } from '../../shared/mongo-session.ts';
import { readMessages, storedMessage } from '../../shared/stored-messages.ts';

export const defaultCollection = 'n8n_chat_histories';

/** Maximum number of messages that are read if all are requested. */
const maxMessages = 1_000;

/**
 * The conversation of a session in a document with the oldest message first, as in LangChain's
 * history: `{ sessionId, messages: [{ type, data }] }`. Connects for each call.
 */
export function mongoHistory(context: ExecuteContext, itemIndex: number, sessionId: string): ChatHistory {
  const session = { sessionId };
  const withCollection = <T>(use: (collection: MongoCollection, open: OpenMongo) => Promise<T>) =>
    withMongo(context, (open) => use(collectionOf(context, itemIndex, open), open));
  return {
    load: async (limit = maxMessages) => {
      if (limit < 1) return [];
      const messages = await withCollection(async (collection, { bson }) => {
        const options = { raw: true, projection: { _id: 0, messages: { $slice: -limit } } };
        const bytes = (await collection.findOne(session, options)) as Buffer | null;
        return bytes && (await documentToJson(bytes, bson, itemIndex))['messages'];
      });
      return readMessages(Array.isArray(messages) ? messages : []);
    },
    append: async (messages) => {
      const added = messages.map(storedMessage);
      if (added.length === 0) return;
      const change = { $push: { messages: { $each: added } } };
      await withCollection((collection) => collection.updateOne(session, change as object, { upsert: true }));
    },
    clear: async (last) => {
      await withCollection<unknown>((collection) =>
        last === undefined
          ? collection.deleteMany(session)
          : collection.updateOne(session, [{ $set: { messages: without(last) } }]),
      );
    },
  };
}

/**
 * Expression for all but the newest messages. `$slice` requires a positive count, so an empty
 * result is a literal list.
 */
function without(last: number): object {
  const size = { $size: { $ifNull: ['$messages', []] } };
  const keptCount = { $subtract: [size, Math.max(0, last)] };
  return { $cond: [{ $gt: [keptCount, 0] }, { $slice: ['$messages', keptCount] }, []] };
}

function collectionOf(context: ExecuteContext, itemIndex: number, { client, database }: OpenMongo): MongoCollection {
  const name = textParameter(context, 'collectionName', itemIndex, defaultCollection) || defaultCollection;
  return client.db(textParameter(context, 'databaseName', itemIndex).trim() || database).collection(name);
}

async function withMongo<T>(context: ExecuteContext, use: (open: OpenMongo) => Promise<T>): Promise<T> {
  const session = await openMongoSession(context);
  try {
    return await session.run(use(session.open));
  } finally {
    await session.close();
  }
}
