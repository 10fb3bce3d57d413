import { AppError } from '@sluice/domain';

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
