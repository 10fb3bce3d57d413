export type {
  BinaryReference,
  ErrorRecord,
  ExecutionMode,
  Item,
  JsonObject,
  JsonPrimitive,
  JsonValue,
  NodeOutput,
  PairedItem,
  WorkflowNode,
} from '@sluice/domain';
export { AppError, errorMessage, isAppError, isJsonObject, ownProperty, toErrorRecord, userKeyed } from '@sluice/domain';
export * from './context.ts';
export * from './description.ts';
export * from './errors.ts';
export * from './failed-item.ts';
export * from './http.ts';
