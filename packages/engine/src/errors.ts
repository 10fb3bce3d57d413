import { AppError, errorMessage } from '@sluice/domain';
import type { NodeTypeDescription, ParameterProblem } from '@sluice/node-sdk';

/** The node names a type that nobody ships. */
export class UnknownNodeTypeError extends AppError {
  readonly description = 'Take a type of those that are there: GET /node-types lists them.';

  constructor(nodeName: string, type: string) {
    super({ code: 'UNKNOWN_NODE_TYPE', message: `node "${nodeName}" has the unknown type "${type}"` });
  }
}

export class UnknownNodeTypeVersionError extends AppError {
  readonly description = 'Set typeVersion to one of those that the message names.';

  constructor(nodeName: string, type: string, version: number, known: NodeTypeDescription['version']) {
    super({
      code: 'UNKNOWN_NODE_TYPE_VERSION',
      message: `node "${nodeName}" has version ${version} of type "${type}", which has ${[known].flat().join(', ')}`,
    });
  }
}

/** A written parameter does not fit the description of the node's type, so the node cannot do what its author meant. */
export class InvalidParameterError extends AppError {
  readonly description = 'Correct the parameter; GET /node-types/:type describes the parameters of the type.';

  constructor(problems: readonly ParameterProblem[]) {
    const message = problems.map((problem) => problem.message).join('; ');
    super({
      code: 'INVALID_PARAMETER',
      message,
      details: { parameters: problems.map(({ path, message }) => ({ path, message })) },
    });
  }
}

/** A node run was suspended, or is to be resumed, whose type cannot go on. */
export class NotResumableError extends AppError {
  readonly description = 'Use a version of the node whose type can wait; or tell who has made the type.';

  constructor(nodeName: string) {
    super({ code: 'NOT_RESUMABLE', message: `node "${nodeName}" cannot go on after a wait: its type does not say how` });
  }
}

/** Code of a node has thrown from a timer or an event, while the node ran. */
export class UncaughtNodeError extends AppError {
  readonly description = 'Tell who has made the type: it has to catch this error, and fail with it.';

  constructor(nodeName: string, cause: unknown) {
    const message = `node "${nodeName}" let go of an error, in a timer or an event: ${errorMessage(cause)}`;
    super({ code: 'UNCAUGHT_NODE_ERROR', message, cause });
  }
}

/** What stands for the output of a node is no list of items. */
export class InvalidNodeOutputError extends AppError {
  readonly description =
    'Each output is a list of items, and each item an object with "json": look at what is pinned, given or returned there.';

  constructor(nodeName: string, problem: string) {
    super({ code: 'INVALID_NODE_OUTPUT', message: `output of node "${nodeName}" is not valid: ${problem}` });
  }
}

/** The request names a start or destination that the graph does not have, or that do not fit together. */
export class InvalidStartError extends AppError {
  constructor(message: string) {
    super({ code: 'INVALID_START', message });
  }
}

/** The nodes of one execution ran more often than is allowed: most likely a loop that never ends. */
export class TooManyNodeRunsError extends AppError {
  readonly nodeName: string;
  readonly description = 'Look for a loop that does not come to its end.';

  constructor(nodeName: string, max: number) {
    super({
      code: 'TOO_MANY_NODE_RUNS',
      message: `the nodes of this execution have run ${max} times, and node "${nodeName}" would run next`,
    });
    this.nodeName = nodeName;
  }
}

/** A sub-node cannot lend its node what that asks for. */
export class SubNodeError extends AppError {
  readonly nodeName: string;
  readonly description = 'Connect a sub-node that lends what the node asks for.';

  constructor(nodeName: string, problem: string) {
    super({ code: 'SUB_NODE_UNUSABLE', message: `sub-node "${nodeName}" ${problem}` });
    this.nodeName = nodeName;
  }
}

/** A node asks for a credential of a type for which it names none. */
export class CredentialNotSetError extends AppError {
  readonly description = 'Choose a credential of this type in the node.';
  readonly itemIndex: number;

  constructor(nodeName: string, type: string, itemIndex: number) {
    super({ code: 'CREDENTIAL_NOT_SET', message: `node "${nodeName}" names no credential of type "${type}"` });
    this.itemIndex = itemIndex;
  }
}
