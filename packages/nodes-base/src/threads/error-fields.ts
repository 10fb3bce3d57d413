import {
  AppError,
  type ErrorCode,
  errorMessage,
  isAppError,
  isNodeOperationError,
  type JsonValue,
  NodeOperationError,
} from '@sluice/node-sdk';

/**
 * An error as data: a structured clone of an error lacks its code, and fails if its cause contains
 * functions.
 */
export interface ErrorFields {
  name: string;
  message: string;
  /** Absent: a defect. */
  code?: ErrorCode;
  /** Absent for node errors. */
  kind?: AppError['kind'];
  details?: JsonValue;
  description?: string;
  itemIndex?: number;
}

export function errorFields(error: unknown): ErrorFields {
  const message = errorMessage(error);
  if (!isAppError(error)) return { name: error instanceof Error ? error.name : 'Error', message };
  const { name, code, kind, details } = error;
  const fields = { name, message, code, ...(details !== undefined && { details }) };
  if (!isNodeOperationError(error)) return { ...fields, kind };
  const { itemIndex, description } = error;
  return { ...fields, ...(itemIndex !== undefined && { itemIndex }), ...(description !== undefined && { description }) };
}

export function errorOf({ name, message, code, kind, details, itemIndex, description }: ErrorFields): Error {
  if (code === undefined) return Object.assign(new Error(message), { name });
  const error =
    kind === undefined
      ? new NodeOperationError(message, { itemIndex, description, details }, code)
      : new AppError({ code, message, kind, details });
  return Object.assign(error, { name });
}
