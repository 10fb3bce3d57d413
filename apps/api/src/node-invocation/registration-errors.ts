import { type ErrorCode, isAppError, messageOfNode, ValidationError } from '@sluice/domain';
import { RegistrationFailedError } from './errors.ts';

const unusableCredentialCodes: ReadonlySet<ErrorCode> = new Set([
  'CREDENTIAL_NOT_SET',
  'CREDENTIAL_NOT_FOUND',
  'CREDENTIAL_NOT_ACCESSIBLE',
]);

/** Whether a node received no credential, so that it could not send a request to its service. */
export function isUnusableCredential(error: unknown): boolean {
  return isAppError(error) && unusableCredentialCodes.has(error.code);
}

/** The error of an activation for the failure of a node; `message`: its text without secrets. */
export function toRegistrationError(error: unknown, nodeName: string, message: string): Error {
  if (!isAppError(error) || !error.code.startsWith('CREDENTIAL_')) return new RegistrationFailedError(nodeName, message);
  return new ValidationError('the workflow cannot be activated', [
    { path: '/nodes', message: messageOfNode(nodeName, message) },
  ]);
}
