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
export {
  AppError,
  errorMessage,
  exceedsDepth,
  isAppError,
  isJsonObject,
  maxDataDepth,
  ownProperty,
  toErrorRecord,
  userKeyed,
} from '@sluice/domain';
export * from './authentication.ts';
export * from './context.ts';
export * from './credential.ts';
export * from './credential-schema.ts';
export * from './description.ts';
export * from './errors.ts';
export * from './failed-item.ts';
export * from './http.ts';
export * from './redact-secrets.ts';
export * from './seen-history.ts';
