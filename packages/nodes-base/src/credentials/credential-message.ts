import type { AppError, CredentialTestResult, JsonObject } from '@sluice/node-sdk';

/** Input of the thread's task: the operation and the credential's data. */
export interface CredentialMessage {
  typeName: string;
  ability: 'test' | 'renew';
  data: JsonObject;
}

/** The task's only part. */
export type CredentialAnswer =
  | { value: CredentialTestResult | JsonObject }
  | { failure: Pick<AppError, 'code' | 'kind' | 'message'> };
