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
  McpRequest,
  McpServerInfo,
  NodeHint,
  NodeOutput,
  PairedItem,
  WorkflowNode,
} from '@sluice/domain';
export {
  AppError,
  aiIdentifiersOf,
  aliasOf,
  arriving,
  codeOf,
  containerMemory,
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
  isRouteSegment,
  isStackOverflow,
  jsonLength,
  jsonObjectIn,
  jsonWeight,
  mapSliced,
  maxDataContainers,
  maxDataDepth,
  mcpError,
  mcpInvalidParams,
  mcpResult,
  mcpToolResult,
  memberOf,
  ownProperty,
  parseJson,
  readMcpMessage,
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
export * from './access/binary.ts';
export type * from './access/commands.ts';
export type * from './access/data-tables.ts';
export type * from './access/ports.ts';
export * from './access/result-limit.ts';
export type * from './access/stored-data.ts';
export * from './access/workflows.ts';
export * from './ai/index.ts';
export { toolTwinOf } from './ai/tool-twin.ts';
export * from './connection-type.ts';
export type * from './context.ts';
export {
  evaluateCredentialExpression,
  evaluateCredentialExpressionValue,
} from './credential-expressions/credential-expression.ts';
export * from './credentials/allowed-host-properties.ts';
export * from './credentials/authentication.ts';
export type * from './credentials/credential.ts';
export * from './credentials/credential-authentication.ts';
export * from './credentials/credential-parents.ts';
export * from './credentials/credential-schema.ts';
export * from './credentials/define-credential-type.ts';
export { plainCredentialType } from './credentials/plain-credential-type.ts';
export * from './credentials/redact-secrets.ts';
export * from './credentials/validate-credential-type.ts';
export { declarativeExecute, runRouting } from './declarative/declarative-execute.ts';
export type * from './declarative/routing.ts';
export { plainNodeType } from './definition/plain-node-type.ts';
export * from './definition/versioned-node-type.ts';
export * from './description.ts';
export * from './errors/node-error.ts';
export { withBodyFields, withFormFields } from './http/body-fields.ts';
export { encodeMultipart, type FormFile, type MultipartPart } from './http/encode-multipart.ts';
export { assertUrlLength, encodeForm, encodeQuery, maxUrlLength } from './http/form-text.ts';
export * from './http/http.ts';
export * from './methods.ts';
export type * from './node-type.ts';
export * from './parameters/check-parameters.ts';
export * from './parameters/display-options.ts';
export {
  type AssignmentType,
  assignmentTypes,
  filterOperations,
  isOtherOperation,
  type OperandType,
  operandTypes,
  unconvertedType,
} from './parameters/filter-operations.ts';
export * from './parameters/unsupported-use.ts';
export * from './parameters/with-defaults.ts';
export type * from './triggers/listen.ts';
export * from './triggers/poll.ts';
export type * from './triggers/source.ts';
export * from './triggers/trigger-times.ts';
export * from './triggers/triggers.ts';
export type * from './triggers/webhook.ts';
export { type SubNodeProblem, subNodeProblems, subNodeProblemsByNode } from './validation/sub-node-problems.ts';
export * from './validation/validate-node-type.ts';
export { routingIssues, routingRequestIssues } from './validation/validate-routing.ts';
