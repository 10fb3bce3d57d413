import { AppError, errorMessage } from '@sluice/domain';
import type { NodeTypeDescription, ParameterProblem } from '@sluice/node-sdk';

/** The node names a type that is not installed. */
export class UnknownNodeTypeError extends AppError {
  readonly description = 'Use an installed type: GET /node-types lists them.';

  constructor(nodeName: string, type: string) {
    super({ code: 'UNKNOWN_NODE_TYPE', message: `node "${nodeName}" has the unknown type "${type}"` });
  }
}

export class UnknownNodeTypeVersionError extends AppError {
  readonly description = 'Set typeVersion to a version that the type has.';

  constructor(nodeName: string, type: string, version: number, versions: NodeTypeDescription['version']) {
    super({
      code: 'UNKNOWN_NODE_TYPE_VERSION',
      message: `node "${nodeName}" has version ${version} of type "${type}", which has ${[versions].flat().join(', ')}`,
    });
  }
}

/**
 * A parameter does not match the description of the node's type, so the node cannot run as its
 * author intended.
 */
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

/** A node run suspended or should resume, but its type does not support resuming. */
export class NotResumableError extends AppError {
  readonly description = 'Use a version of the node that can wait, or report this to the maintainer of the node type.';

  constructor(nodeName: string) {
    super({ code: 'NOT_RESUMABLE', message: `node "${nodeName}" cannot resume after a wait: its type does not define how` });
  }
}

/** The code of a node threw from a timer or an event while the node ran. */
export class UncaughtNodeError extends AppError {
  readonly description = 'Report this to the maintainer of the node type: the node must catch this error and fail with it.';

  constructor(nodeName: string, cause: unknown) {
    const message = `node "${nodeName}" threw an uncaught error in a timer or an event: ${errorMessage(cause)}`;
    super({ code: 'UNCAUGHT_NODE_ERROR', message, cause });
  }
}

/** The output of a node is not a list of items. */
export class InvalidNodeOutputError extends AppError {
  readonly description =
    'Each output is a list of items, and each item an object with "json": check the pinned, supplied, or returned data.';

  constructor(nodeName: string, problem: string) {
    super({ code: 'INVALID_NODE_OUTPUT', message: `output of node "${nodeName}" is not valid: ${problem}` });
  }
}

/**
 * The request names starts or a destination that do not exist in the graph or do not fit together.
 */
export class InvalidStartError extends AppError {
  constructor(message: string) {
    super({ code: 'INVALID_START', message });
  }
}

/**
 * The nodes of one execution ran more often than the limit allows. The usual cause is an endless
 * loop.
 */
export class TooManyNodeRunsError extends AppError {
  readonly nodeName: string;
  readonly description = 'Look for a loop that never ends.';

  constructor(nodeName: string, max: number) {
    super({
      code: 'TOO_MANY_NODE_RUNS',
      message: `the nodes of this execution have run ${max} times, and node "${nodeName}" would run next`,
    });
    this.nodeName = nodeName;
  }
}

/** A sub-node cannot supply what its node requests. */
export class SubNodeError extends AppError {
  readonly nodeName: string;
  readonly description = 'Connect a sub-node that supplies what the node requests.';

  constructor(nodeName: string, problem: string) {
    super({ code: 'SUB_NODE_UNUSABLE', message: `sub-node "${nodeName}" ${problem}` });
    this.nodeName = nodeName;
  }
}

const aiLimits = {
  modelCalls: { what: 'calls of language models', setting: 'AI_MAX_MODEL_CALLS' },
  toolCalls: { what: 'calls of tools', setting: 'AI_MAX_TOOL_CALLS' },
  tokens: { what: 'tokens', setting: 'AI_MAX_TOKENS' },
  cost: { what: 'USD for language models', setting: 'AI_MAX_COST_USD' },
} as const;

/** The AI nodes of an execution have reached a limit. Nodes pass this error on. */
export class AiLimitError extends AppError {
  readonly description: string;

  constructor(nodeName: string, limit: keyof typeof aiLimits, max: number) {
    const { what, setting } = aiLimits[limit];
    const message = `this execution has used its ${max} ${what}, and node "${nodeName}" requests more`;
    super({ code: 'AI_LIMIT_REACHED', message, details: { limit, max } });
    this.description = `Look for an agent that never finishes, or raise ${setting}.`;
  }
}

/** A node requests a credential of a type for which no credential is set. */
export class CredentialNotSetError extends AppError {
  readonly description = 'Choose a credential of this type in the node.';
  readonly itemIndex: number;

  constructor(nodeName: string, type: string, itemIndex: number) {
    super({ code: 'CREDENTIAL_NOT_SET', message: `node "${nodeName}" names no credential of type "${type}"` });
    this.itemIndex = itemIndex;
  }
}
