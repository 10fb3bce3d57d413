import type { JsonObject, WorkflowGraph, WorkflowNode } from '@sluice/domain';
import { aChain, aNode } from '@sluice/test-support';
import { aCode, aSet, trigger } from '../e2e/support/workflows.ts';

/** URLs and IDs that workflows refer to. */
export interface Targets {
  /** URL of the effect counter. */
  effectsUrl: string;
  /** Workflow that `parent` calls. */
  childId: string;
  /** Workflow that `parent with a file` calls. */
  readerId: string;
  /** A credential that allows few starts per second. */
  credentialId: string;
  /** A credential for sending messages to the effect counter. */
  botId: string;
  /** URL of the MCP server that `MCP client` calls. */
  mcpUrl: string;
}

/** A request that the effect counter records and responds to after a delay. */
export function effect(name: string, { effectsUrl }: Targets, delayMs = 0): WorkflowNode {
  const url = `=${effectsUrl}/effect/${name}/{{ $execution.id }}/{{ $runIndex }}?delay=${delayMs}`;
  return aNode({ name, type: 'base.http-request', typeVersion: 4.2, parameters: { method: 'POST', url } });
}

/** Sends the effect counter the URL that resumes this execution. */
export function registration(name: string, { effectsUrl }: Targets): WorkflowNode {
  const url = `=${effectsUrl}/effect/${name}/{{ $execution.id }}/0?resumeUrl={{ encodeURIComponent($execution.resumeUrl) }}`;
  return aNode({ name, type: 'base.http-request', typeVersion: 4.2, parameters: { method: 'POST', url } });
}

/** Sends the effect counter a message whose link resumes this execution. */
export function question(name: string, { botId }: Targets): WorkflowNode {
  const parameters = { operation: 'sendAndWait', chatId: '1', message: '={{ $execution.id }}' };
  const credentials = { telegramApi: { id: botId, name: 'Bot' } };
  return aNode({ name, type: 'base.telegram', typeVersion: 1.2, parameters, credentials });
}

/** An MCP server with one tool, `tool`, which has an effect. */
export function mcpServer(path: string, targets: Targets): WorkflowGraph {
  const server = aNode({ name: 'Server', type: 'ai.mcp-trigger', typeVersion: 2, parameters: { path } });
  const { parameters, ...node } = effect('tool', targets);
  const tool = { ...node, type: 'base.http-request-tool', parameters: { ...parameters, toolDescription: 'Has an effect' } };
  const toServer = { ai_tool: [[{ node: server.name, type: 'ai_tool', index: 0 }]] };
  return { name: path, nodes: [server, tool], connections: { [tool.name]: toServer } };
}

/**
 * Calls the tool of the MCP server, over both transports in turn. The execution continues if the
 * call fails: the API process that it calls may be down.
 */
export function mcpCall({ mcpUrl }: Targets): WorkflowNode {
  const either = (first: string, second: string) => `={{ Number($execution.id) % 2 ? "${first}" : "${second}" }}`;
  const parameters = {
    serverTransport: either('sse', 'httpStreamable'),
    endpointUrl: either(`${mcpUrl}/sse`, mcpUrl),
    tool: { __rl: true, mode: 'id', value: 'tool' },
    options: { timeout: 10_000 },
  };
  return aNode({ name: 'Call', type: 'ai.mcp-client', typeVersion: 1, parameters, onError: 'continueRegularOutput' });
}

export const wait = (parameters: JsonObject) => aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters });

/** The data table with the rows of `insert`. */
export const effectTable = { name: 'effects', columns: [{ name: 'effect', type: 'string' }] };

/** Stores a row for the execution, which counts as an effect. */
export function insert(name: string): WorkflowNode {
  return aNode({
    name,
    type: 'base.data-table',
    typeVersion: 1,
    parameters: {
      operation: 'insert',
      dataTableId: { __rl: true, mode: 'name', value: effectTable.name },
      columns: { mappingMode: 'defineBelow', value: { effect: `=${name}/{{ $execution.id }}/{{ $runIndex }}` } },
    },
  });
}

export const fail = aNode({ name: 'Fail', type: 'base.stop-and-error', parameters: { errorMessage: 'as intended' } });

export const set = (name: string) => aSet(name, `={{ { from: "${name}", at: $now.toMillis() } }}`);

export function webhook(path: string, parameters: JsonObject = {}): WorkflowNode {
  return aNode({
    name: 'Webhook',
    type: 'base.webhook',
    typeVersion: 2.1,
    parameters: { path, httpMethod: 'POST', ...parameters },
  });
}

export function call(workflowId: string): WorkflowNode {
  return aNode({ name: 'Call', type: 'base.execute-workflow', typeVersion: 1.1, parameters: { workflowId } });
}

export function withCredential(node: WorkflowNode, { credentialId: id }: Targets): WorkflowNode {
  const authentication = { authentication: 'genericCredentialType', genericAuthType: 'httpBasicAuth' };
  return { ...node, parameters: { ...node.parameters, ...authentication }, credentials: { httpBasicAuth: { id, name: 'c' } } };
}

/** Three iterations, then `after`. */
export function loop(targets: Targets): WorkflowGraph {
  const three = aCode('Three', 'return [1, 2, 3].map((n) => ({ json: { n } }));');
  const batches = aNode({ name: 'Batches', type: 'base.split-in-batches', typeVersion: 3, parameters: { batchSize: 1 } });
  const once = { ...effect('after', targets), executeOnce: true };
  const graph = aChain([trigger, three, batches]);
  const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
  return {
    ...graph,
    nodes: [...graph.nodes, effect('each', targets), once],
    connections: {
      ...graph.connections,
      Batches: { main: [to('after'), to('each')] },
      each: { main: [to('Batches')] },
    },
  };
}
