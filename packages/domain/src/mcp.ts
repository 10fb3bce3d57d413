import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from './json/json.ts';
import type { WebhookResponse } from './workflow/webhook.ts';

// Model Context Protocol over streamable HTTP, without sessions:
// https://modelcontextprotocol.io/specification

/** Protocol versions, newest first. A client with an unknown version is offered the newest. */
const mcpVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Whether it is a protocol version that servers here support. */
export function isMcpVersion(version: string): boolean {
  return mcpVersions.includes(version);
}

/** Name and version of a server, as shown by clients. */
export interface McpServerInfo {
  name: string;
  version: string;
  /** Instructions for a model about using the tools. */
  instructions?: string;
}

/** A client request about tools. */
export interface McpRequest {
  id: string | number;
  method: 'tools/list' | 'tools/call';
  params: JsonObject;
}

const invalidRequest = -32_600;
const unknownMethod = -32_601;
export const mcpInvalidParams = -32_602;
export const mcpInternalError = -32_603;
/** Maximum length of a text that a client may use as an ID. */
const maxIdLength = 256;

/**
 * A request about tools, or the response to any other message, such as one about the connection or
 * an invalid message.
 */
export function readMcpMessage(message: JsonValue | undefined, server: McpServerInfo): McpRequest | WebhookResponse {
  if (!isMessage(message)) return mcpError(null, invalidRequest, 'the body is not one JSON-RPC 2.0 message', 400);
  const method = ownProperty(message, 'method');
  const id = ownProperty(message, 'id');
  // Notifications, and responses to requests that this server never sends.
  if (typeof method !== 'string' || id === undefined) return { status: 202, headers: {}, body: { kind: 'none' } };
  if (!isId(id)) return mcpError(null, invalidRequest, 'the ID of the request is not valid', 400);
  const rawParams = ownProperty(message, 'params');
  const params = isJsonObject(rawParams) ? rawParams : {};
  switch (method) {
    case 'tools/list':
    case 'tools/call':
      return { id, method, params };
    case 'initialize':
      return mcpResult(id, welcome(params, server));
    case 'ping':
      return mcpResult(id, {});
    default:
      return mcpError(id, unknownMethod, `this server has no method "${method.slice(0, 100)}"`);
  }
}

function welcome(params: JsonObject, { instructions, ...serverInfo }: McpServerInfo): JsonObject {
  const wanted = ownProperty(params, 'protocolVersion');
  const protocolVersion = mcpVersions.find((version) => version === wanted) ?? (mcpVersions[0] as string);
  return { protocolVersion, capabilities: { tools: {} }, serverInfo, ...(instructions !== undefined && { instructions }) };
}

function isMessage(message: JsonValue | undefined): message is JsonObject {
  return isJsonObject(message) && ownProperty(message, 'jsonrpc') === '2.0';
}

function isId(id: JsonValue): id is string | number {
  return typeof id === 'number' ? Number.isSafeInteger(id) : typeof id === 'string' && id.length <= maxIdLength;
}

/** The response with the result of a request. */
export function mcpResult(id: string | number, result: JsonValue): WebhookResponse {
  return { status: 200, headers: {}, body: { kind: 'json', json: { jsonrpc: '2.0', id, result } } };
}

/** The response that refuses a request. */
export function mcpError(id: string | number | null, code: number, message: string, status = 200): WebhookResponse {
  return { status, headers: {}, body: { kind: 'json', json: { jsonrpc: '2.0', id, error: { code, message } } } };
}

/** The result of a tool, in the form that clients pass to a model. */
export function mcpToolResult(text: string, isError = false): JsonObject {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}
