import type { NodeOutput } from '@sluice/domain';
import { NodeOperationError, type NodeType, type PollContext, pollOutputs } from '@sluice/node-sdk';
import type { NodeContext } from './node-context.ts';

/**
 * Manual run of a node whose type has no `execute` and for which no output was given. A poll
 * returns its first results and stores nothing. A listener cannot run manually. A type with only
 * webhooks returns the item of its request.
 */
export function runManually(type: NodeType, context: NodeContext): NodeOutput | Promise<NodeOutput> | undefined {
  if (type.poll) return pollOnce(type.poll.bind(type), context);
  if (!type.trigger) return type.description.webhooks && [[...context.items()]];
  throw new NodeOperationError(`node "${context.node.name}" waits for events and cannot be run manually`, {
    description: 'Activate the workflow, or pin data at the node',
  });
}

async function pollOnce(poll: NonNullable<NodeType['poll']>, context: NodeContext): Promise<NodeOutput> {
  const { node, typeVersion, workflow, logger, http, connect, files, binary, signal } = context;
  const pollContext: PollContext = {
    node,
    typeVersion,
    workflow,
    logger,
    http,
    connect,
    files,
    binary,
    signal,
    parameter: (path, itemIndex, fallback) => context.parameter(path, itemIndex, fallback),
    credentials: (name, itemIndex) => context.credentials(name, itemIndex),
    authentication: (name, itemIndex) => context.authentication(name, itemIndex),
    evaluateText: (text, itemIndex, scope) => context.evaluateText(text, itemIndex, scope),
    hideSecret: (secret) => context.hideSecret(secret),
    mode: 'manual',
    cursor: undefined,
    saveCursor: () => undefined,
    sharedData: { read: async () => (await context.staticData.read()).global, save: () => undefined },
    relatives: (name, side) => context.relatives(name, side),
  };
  const outputs = pollOutputs(await poll(pollContext));
  return outputs.length > 0 ? outputs.map((items) => items && [...items]) : [[]];
}
