import { AppError } from '@sluice/domain';
import type { NodeTypeDescription } from '@sluice/node-sdk';

/** The node names a type that nobody ships. */
export class UnknownNodeTypeError extends AppError {
  constructor(nodeName: string, type: string) {
    super({ code: 'UNKNOWN_NODE_TYPE', message: `node "${nodeName}" has the unknown type "${type}"` });
  }
}

export class UnknownNodeTypeVersionError extends AppError {
  constructor(nodeName: string, type: string, version: number, known: NodeTypeDescription['version']) {
    super({
      code: 'UNKNOWN_NODE_TYPE_VERSION',
      message: `node "${nodeName}" has version ${version} of type "${type}", which has ${[known].flat().join(', ')}`,
    });
  }
}

/** What stands for the output of a node is no list of items. */
export class InvalidNodeOutputError extends AppError {
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

/** A node asks for a credential of a type for which it names none. */
export class CredentialNotSetError extends AppError {
  constructor(nodeName: string, type: string) {
    super({ code: 'CREDENTIAL_NOT_SET', message: `node "${nodeName}" names no credential of type "${type}"` });
  }
}
