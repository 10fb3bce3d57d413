import {
  type ChatHistory,
  type ExecuteContext,
  errorMessage,
  type JsonValue,
  NodeOperationError,
  parseJson,
  TimeSlice,
} from '@sluice/node-sdk';
import { connectionFailed, isLostConnection, lostConnection, meterStream, openRedis } from '@sluice/nodes-base/node-tools';
import { readMessages, storedMessage } from '../../shared/stored-messages.ts';

type Client = Awaited<ReturnType<typeof openRedis>>;
type ReadStream = Parameters<typeof meterStream>[0];

/** Maximum number of messages that are read if all are requested. */
const maxMessages = 1_000;

/**
 * The conversation of a session in a list with the newest message first, as in LangChain's history.
 * Connects for each call. `ttlSeconds`: time after which an unchanged list expires; 0: never.
 */
export function redisHistory(context: ExecuteContext, session: string, ttlSeconds: number): ChatHistory {
  return {
    load: async (limit = maxMessages) => {
      const newest = await withRedis(context, (client) => client.lrange(session, 0, limit - 1));
      return limit < 1 ? [] : readMessages(await parsedAll(newest.toReversed()));
    },
    append: (messages) =>
      withRedis(context, async (client) => {
        const values = messages.map((message) => JSON.stringify(storedMessage(message)));
        if (values.length === 0) return;
        const changes = client.multi().lpush(session, ...values);
        if (ttlSeconds > 0) changes.expire(session, ttlSeconds);
        for (const [error] of (await changes.exec()) ?? []) if (error) throw error;
      }),
    clear: (last) =>
      withRedis(context, async (client) => {
        if (last === undefined) await client.del(session);
        else await client.ltrim(session, Math.max(0, last), -1);
      }),
  };
}

/** In time slices: other programs may have written arbitrary data. */
async function parsedAll(texts: readonly string[]): Promise<JsonValue[]> {
  const slice = new TimeSlice();
  const values: JsonValue[] = [];
  for (const text of texts) {
    values.push(await parsed(text));
    if (slice.isOver) await slice.next();
  }
  return values;
}

async function parsed(text: string): Promise<JsonValue> {
  try {
    return (await parseJson(text)) as JsonValue;
  } catch {
    return null;
  }
}

async function withRedis<T>(context: ExecuteContext, use: (client: Client) => Promise<T>): Promise<T> {
  const client = await openRedis(await context.credentials('redis', 0), context, context.signal).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw connectionFailed(error, 'Redis');
  });
  try {
    return await Promise.race([use(client), meterStream((client as Client & { stream: ReadStream }).stream)]);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof NodeOperationError) throw error;
    throw isLostConnection(error) ? lostConnection(error) : refused(error);
  } finally {
    client.disconnect();
  }
}

function refused(error: unknown): NodeOperationError {
  return new NodeOperationError(`Redis: ${errorMessage(error)}`, {
    description: 'The key of the session may have a value of another type: choose another key',
    cause: error,
  });
}
