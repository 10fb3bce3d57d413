import { type ChatHistory, type ExecuteContext, errorMessage, NodeOperationError, untilAborted } from '@sluice/node-sdk';
import {
  connectionFailed,
  documentToJson,
  isLostConnection,
  lostConnection,
  type OpenMongo,
  openMongo,
  textParameter,
} from '@sluice/nodes-base/node-tools';
import { readMessages, storedMessage } from '../../shared/stored-messages.ts';

export const defaultCollection = 'n8n_chat_histories';

/** Maximum number of messages that are read if all are requested. */
const maxMessages = 1_000;

type Collection = ReturnType<ReturnType<OpenMongo['client']['db']>['collection']>;

/**
 * The conversation of a session in a document with the oldest message first, as in LangChain's history:
 * `{ sessionId, messages: [{ type, data }] }`. Connects for each call.
 */
export function mongoHistory(context: ExecuteContext, itemIndex: number, sessionId: string): ChatHistory {
  const session = { sessionId };
  const withCollection = <T>(use: (collection: Collection, open: OpenMongo) => Promise<T>) =>
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
  const kept = { $subtract: [size, Math.max(0, last)] };
  return { $cond: [{ $gt: [kept, 0] }, { $slice: ['$messages', kept] }, []] };
}

function collectionOf(context: ExecuteContext, itemIndex: number, { client, database }: OpenMongo): Collection {
  const name = textParameter(context, 'collectionName', itemIndex, defaultCollection) || defaultCollection;
  return client.db(textParameter(context, 'databaseName', itemIndex).trim() || database).collection(name);
}

async function withMongo<T>(context: ExecuteContext, use: (open: OpenMongo) => Promise<T>): Promise<T> {
  const open = await openMongo(await context.credentials('mongoDb', 0), context, context.signal).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw connectionFailed(error, 'MongoDB');
  });
  try {
    return await untilAborted(use(open), context.signal);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof NodeOperationError) throw error;
    throw isLostConnection(error) ? lostConnection(error) : refused(error);
  } finally {
    await open.close();
  }
}

function refused(error: unknown): NodeOperationError {
  return new NodeOperationError(`MongoDB: ${errorMessage(error)}`, {
    description: 'Check the names of the database and the collection, and the permissions of the user',
    cause: error,
  });
}
