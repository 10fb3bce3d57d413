export type {
  BinaryReference,
  DataColumn,
  DataColumnType,
  DataFilter,
  ErrorCode,
  ErrorRecord,
  ExecutionMode,
  Item,
  JsonObject,
  JsonPrimitive,
  JsonValue,
  NodeHint,
  NodeOutput,
  PairedItem,
  WorkflowNode,
} from '@sluice/domain';
export {
  AppError,
  aiIdentifiersOf,
  aliasOf,
  codeOf,
  currentMemory,
  dataColumnTypes,
  dataConditions,
  dataSize,
  errorMessage,
  exceedsDepth,
  excessOf,
  GatheredBytes,
  gatherBytes,
  identifiersOf,
  isAppError,
  isJsonObject,
  isPathSegment,
  isStackOverflow,
  jsonLength,
  jsonObjectIn,
  jsonWeight,
  mapSliced,
  maxDataDepth,
  memberOf,
  ownProperty,
  parseJson,
  Slots,
  sortSliced,
  stringifyJson,
  systemDataColumns,
  TimeSlice,
  TooManyMembersError,
  toErrorRecord,
  untilAborted,
  userKeyed,
  valueAt,
  within,
} from '@sluice/domain';
export * from './ai/index.ts';
export * from './allowed-host-properties.ts';
export * from './authentication.ts';
export * from './binary.ts';
export { withBodyFields, withFormFields } from './body-fields.ts';
export type * from './chat-history.ts';
export type * from './commands.ts';
export * from './connection-type.ts';
export type * from './context.ts';
export type * from './credential.ts';
export * from './credential-authentication.ts';
export * from './credential-parents.ts';
export * from './credential-schema.ts';
export type * from './data-tables.ts';
export { declarativeExecute, runRouting } from './declarative/declarative-execute.ts';
export type * from './declarative/routing.ts';
export * from './define-credential-type.ts';
export * from './description.ts';
export * from './display-options.ts';
export { encodeMultipart, type FormFile, type MultipartPart } from './encode-multipart.ts';
export * from './error-object.ts';
export * from './errors.ts';
export * from './failed-item.ts';
export { assertUrlLength, encodeForm, encodeQuery, maxUrlLength } from './form-text.ts';
export * from './http.ts';
export type * from './listen.ts';
export * from './mcp.ts';
export * from './methods.ts';
export type * from './node-type.ts';
export { evaluateOwnText, evaluateOwnValue } from './own-text.ts';
export * from './parameters/check-parameters.ts';
export {
  type AssignmentType,
  assignmentTypes,
  filterOperations,
  isOtherOperation,
  type OperandType,
  operandTypes,
} from './parameters/filter-operations.ts';
export * from './parameters/with-defaults.ts';
export { plainCredentialType, plainNodeType } from './plain-type.ts';
export * from './poll.ts';
export * from './poll-times.ts';
export type * from './ports.ts';
export * from './redact-secrets.ts';
export * from './result-limit.ts';
export * from './seen-history.ts';
export type * from './source.ts';
export { type SubNodeProblem, subNodeProblems, subNodeProblemsByNode } from './sub-node-problems.ts';
export * from './suspension.ts';
export { toolTwinOf } from './tool-twin.ts';
export * from './trigger-times.ts';
export * from './triggers.ts';
export * from './unsupported-use.ts';
export * from './validate-credential-type.ts';
export * from './validate-node-type.ts';
export { routingIssues, routingRequestIssues } from './validate-routing.ts';
export * from './versioned-node-type.ts';
export * from './webhook.ts';
export type * from './webhook-handler.ts';
