import { errorMessage, isAppError, isJsonObject, type JsonObject } from '@sluice/domain';
import { type ExecuteContext, NodeApiError, NodeOperationError } from '@sluice/node-sdk';
import { plainData } from '../plain-data.ts';
import { withLogger } from '../workflow-module/logger-proxy.ts';

/** Characters that details keep of a body. */
const shownBody = 2_048;

/**
 * An error of a package as one of ours: with the index of its item, its description and, of a service's answer, the status. Recognized by members rather
 * than classes: libraries of packages have their own. Of what cannot be read, the index alone is kept.
 */
export function toNodeError(error: unknown, itemIndex?: number): Error {
  if (isAppError(error)) return error;
  try {
    return nodeErrorOf(error, itemIndex);
  } catch {
    return new NodeOperationError(errorMessage(error), { cause: error, ...(itemIndex !== undefined && { itemIndex }) });
  }
}

function nodeErrorOf(error: unknown, itemIndex: number | undefined): Error {
  const fields = fieldsOf(error);
  const context = fieldsOf(fields['context']);
  const index = typeof context['itemIndex'] === 'number' ? context['itemIndex'] : itemIndex;
  const description = textOf(fields['description']) ?? textOf(context['description']);
  const status = statusOf(fields);
  const inner = fields['cause'];
  if (status === undefined && isAppError(inner)) return inner;
  const options = {
    cause: error,
    ...(index !== undefined && { itemIndex: index }),
    ...(description !== undefined && { description }),
  };
  const message = textOf(fields['message']) ?? errorMessage(error);
  if (status === undefined) return new NodeOperationError(message, options);
  return new NodeApiError(message, { ...options, details: { status, ...bodyOf(fields) } });
}

/**
 * Calls what a package has written: what its modules log goes where the context's lines do, and what it throws becomes one of ours, or the reason of the signal
 * once that has fired.
 */
export async function callGuarded<T>(
  { signal, logger }: Pick<ExecuteContext, 'signal' | 'logger'>,
  work: () => Promise<T>,
  itemIndex?: number,
): Promise<T> {
  try {
    return await withLogger(logger, work);
  } catch (error) {
    signal.throwIfAborted();
    throw toNodeError(error, itemIndex);
  }
}

function statusOf(fields: Readonly<Record<string, unknown>>): number | undefined {
  const { httpCode, statusCode, status } = fields;
  const code = [httpCode, statusCode, status, fieldsOf(fields['response'])['status']].map(Number);
  return code.find((value) => value >= 100 && value <= 599);
}

function bodyOf(fields: Readonly<Record<string, unknown>>): JsonObject {
  const response = fieldsOf(fields['response'] ?? fieldsOf(fields['cause'])['response']);
  const given = response['data'] ?? response['body'];
  // A stream of the answer, say, is no JSON, and no reason to lose the error itself.
  const body = ArrayBuffer.isView(given) ? undefined : plainData(given);
  if (body === undefined) return {};
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.length > shownBody ? { body: text.slice(0, shownBody) } : { body };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) || value instanceof Error ? (value as unknown as Readonly<Record<string, unknown>>) : {};
}
