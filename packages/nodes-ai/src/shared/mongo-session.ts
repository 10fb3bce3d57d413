import { type ExecuteContext, errorMessage, NodeOperationError, untilAborted } from '@sluice/node-sdk';
import { connectionFailed, isLostConnection, lostConnection, type OpenMongo, openMongo } from '@sluice/nodes-base/node-tools';

/** A connection to the MongoDB of the node's credential. */
export interface MongoSession {
  open: OpenMongo;
  /** Waits for commands; an error says what to check. */
  run<T>(commands: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export type MongoCollection = ReturnType<ReturnType<OpenMongo['client']['db']>['collection']>;

export async function openMongoSession(context: ExecuteContext): Promise<MongoSession> {
  const open = await openMongo(await context.credentials('mongoDb', 0), context, context.signal).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw connectionFailed(error, 'MongoDB');
  });
  return { open, run: (commands) => checked(context, commands), close: () => open.close() };
}

async function checked<T>(context: ExecuteContext, commands: Promise<T>): Promise<T> {
  try {
    return await untilAborted(commands, context.signal);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof NodeOperationError) throw error;
    throw isLostConnection(error) ? lostConnection(error) : refused(error);
  }
}

function refused(error: unknown): NodeOperationError {
  return new NodeOperationError(`MongoDB: ${errorMessage(error)}`, {
    description: 'Check the names of the database, the collection, and the index, and the permissions of the user',
    cause: error,
  });
}
