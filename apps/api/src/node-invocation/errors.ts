import { AppError, type ErrorCode, isAppError, messageOfNode, ValidationError } from '@sluice/domain';

/** A node could not be registered at its service; the workflow is unchanged. */
export class RegistrationFailedError extends AppError {
  constructor(nodeName: string, problem: string) {
    super({
      code: 'REGISTRATION_FAILED',
      message: `the workflow was not activated: node "${nodeName}" could not be registered at its service: ${problem}`,
      details: { nodeName },
    });
  }
}

/** A method of a node type threw, or returned an invalid value. */
export class NodeMethodFailedError extends AppError {
  constructor(problem: string, code: string | undefined) {
    super({ code: 'NODE_METHOD_FAILED', message: problem, details: { ...(code !== undefined && { code }) } });
  }
}

/** The `webhook` of a node type threw: the response does not say more. */
export class WebhookFailedError extends AppError {
  constructor() {
    super({ code: 'WEBHOOK_FAILED', message: 'the node could not handle the request' });
  }
}

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
