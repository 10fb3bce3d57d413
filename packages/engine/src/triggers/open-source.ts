import { GraphIndex, type Item, type JsonObject, type JsonValue } from '@sluice/domain';
import {
  type NodeLogger,
  type NodeType,
  type PollResult,
  pollOutputs,
  type SharedDataAccess,
  type SourceContext,
  type TextScope,
} from '@sluice/node-sdk';
import { implementationOf, PreparedNode } from '../graph/prepared-graph.ts';
import { openAuthentication, openCredential } from '../node/node-credentials.ts';
import { toNodeOutput } from '../node/node-output.ts';
import type { CredentialProvider, EnginePorts } from '../ports.ts';
import { scopesOf, type TriggerRequest } from './list-triggers.ts';

/** A poll or listener to start. */
export interface SourceRequest extends TriggerRequest {
  nodeName: string;
  credentials: CredentialProvider;
  binary: SourceContext['binary'];
  logger: NodeLogger;
  cursor: JsonObject | undefined;
  sharedData?: SharedDataAccess;
}

/** A polling or listening node that is ready to start. */
export interface OpenedSource {
  type: NodeType;
  context: SourceContext;
}

/**
 * Resolves the parameters of a polling or listening node. Throws `UNKNOWN_NODE_TYPE`,
 * `UNKNOWN_NODE_TYPE_VERSION`, and the `ExpressionError` of a parameter.
 */
export async function openSource(ports: EnginePorts, request: SourceRequest, signal: AbortSignal): Promise<OpenedSource> {
  const node = request.graph.nodes.find(({ name }) => name === request.nodeName);
  if (!node) throw new TypeError(`the graph has no node "${request.nodeName}"`);
  const prepared = new PreparedNode(node, ports.nodeTypes.find(node.type), ports.sandbox);
  const { type, typeVersion } = implementationOf(prepared);
  const scope = scopesOf(request, ports)(prepared);
  const { compiled } = prepared;
  const resolved = await ports.sandbox.resolve(compiled, { ...scope, compiledParameters: compiled }, signal);
  const { workflow, graph, timezone, credentials, binary, logger, cursor, sharedData } = request;
  const credentialUser = { node, credentials, signal };
  const context: SourceContext = {
    node,
    typeVersion,
    workflow: { ...workflow, name: graph.name, active: true, timezone },
    logger,
    http: credentials.guarded?.(ports.http) ?? ports.http,
    connect: ports.connect,
    files: ports.files,
    binary,
    cursor,
    sharedData,
    relatives: (name, side) => new GraphIndex(graph).relativesOf(name, side),
    parameter: <T extends JsonValue>(path: string, itemIndex: number, fallback?: T) =>
      (resolved.get(path, itemIndex) ?? fallback) as T,
    async evaluateText<T extends JsonValue>(text: string, itemIndex: number, { names, parameters }: TextScope) {
      const seen = { ...scope, nowMs: ports.now(), names, onlyItem: itemIndex, node: { ...scope.node, parameters } };
      return (await ports.sandbox.resolve(prepared.compiledText(text), seen, signal)).get('text', itemIndex) as T | undefined;
    },
    credentials: (name) => openCredential(credentialUser, name, 0),
    authentication: (name) => openAuthentication(credentialUser, name, 0),
    hideSecret: (secret) => credentials.hide(secret),
  };
  return { type, context };
}

/** Converts the data of an event to plain items. Throws `INVALID_NODE_OUTPUT`. */
export function toSourceItems(raw: unknown, nodeName: string): Item[] {
  return toNodeOutput([raw], nodeName)[0] ?? [];
}

/** Converts the result of a poll to plain items per output. Throws `INVALID_NODE_OUTPUT`. */
export function toPollOutputs(result: unknown, nodeName: string): Item[][] {
  return toNodeOutput([...pollOutputs(result as PollResult)], nodeName).map((items) => items ?? []);
}
