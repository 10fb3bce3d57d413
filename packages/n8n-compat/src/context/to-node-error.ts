import { errorMessage, isAppError, isJsonObject, type JsonObject } from '@sluice/domain';
import { type ExecuteContext, NodeApiError, NodeOperationError } from '@sluice/node-sdk';
import { isLight, plainData } from '../plain-data.ts';
import { withLogger } from '../workflow-module/logger-proxy.ts';

/** Maximum length of a body in error details, in characters. */
const maxShownBodyLength = 2_048;

/**
 * Converts a package's error, with its item index, its description, and the status of the service's
 * response. Recognizes members rather than classes, because libraries have their own classes. If
 * members cannot be read, only the index is kept.
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
 * Calls package code: log lines of its modules go to the context's logger, and errors are
 * converted. If the signal is aborted, its reason is thrown instead.
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
  const content = response['data'] ?? response['body'];
  if (typeof content === 'string') return { body: content.slice(0, maxShownBodyLength) };
  // A value that is not JSON, such as a response stream, is dropped so that the error itself is
  // kept. So is a large value, which would have to be serialized as a whole.
  const body = ArrayBuffer.isView(content) || !isLight(content) ? undefined : plainData(content);
  if (body === undefined) return {};
  const text = JSON.stringify(body);
  return text.length > maxShownBodyLength ? { body: text.slice(0, maxShownBodyLength) } : { body };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) || value instanceof Error ? (value as unknown as Readonly<Record<string, unknown>>) : {};
}
