export {
  type McpRequest,
  type McpServerInfo,
  mcpError,
  mcpInvalidParams,
  mcpResult,
  mcpToolResult,
  readMcpMessage,
} from '@sluice/domain';
