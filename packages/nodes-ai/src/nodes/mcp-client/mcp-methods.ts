import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MethodContext,
  type NodeMethods,
  ownProperty,
  type ResourceField,
} from '@sluice/node-sdk';
import { mcpTransportOf, withMcpServer } from '../../shared/mcp-server.ts';

/** Lists for editors have no items; the server is asked as for the first one. */
const itemIndex = 0;
/** Maximum number of a tool's arguments that are listed. */
const maxFields = 1_000;

/** Lists for editors: the server's tools, and the arguments of the selected one. */
export const mcpMethods: NodeMethods = {
  listSearch: {
    getTools: async (context, filter = '') => {
      const lowerFilter = filter.toLowerCase();
      const tools = (await listTools(context)).flatMap(({ name }) => (typeof name === 'string' ? [{ name, value: name }] : []));
      return { results: tools.filter(({ name }) => name.toLowerCase().includes(lowerFilter)) };
    },
  },
  resourceMapping: {
    getToolParameters: async (context) => {
      const selected = context.parameter<JsonValue>('tool', '');
      const name = isJsonObject(selected) ? ownProperty(selected, 'value') : selected;
      const schema = (await listTools(context)).find((tool) => tool['name'] === name)?.['inputSchema'];
      return { fields: isJsonObject(schema) ? fieldsOf(schema) : [] };
    },
  },
};

function listTools(context: MethodContext): Promise<JsonObject[]> {
  const { http, typeVersion, signal } = context;
  const access = {
    http,
    typeVersion,
    parameter: <T extends JsonValue>(path: string, _: number, fallback?: T) => context.parameter<T>(path, fallback),
    authentication: (type: string) => context.authentication(type),
  };
  const transport = mcpTransportOf(access, itemIndex, 'httpStreamable');
  return withMcpServer({ context: access, itemIndex, signal, endpoint: 'endpointUrl', transport }, (session) =>
    session.listTools(),
  );
}

function fieldsOf({ properties, required }: JsonObject): ResourceField[] {
  const requiredNames = new Set(Array.isArray(required) ? required : []);
  const entries = Object.entries(isJsonObject(properties) ? properties : {}).slice(0, maxFields);
  return entries.map(([id, schema]) => ({ id, displayName: id, type: typeOf(schema), required: requiredNames.has(id) }));
}

/** Types of fields in editors. */
const fieldTypes = ['string', 'number', 'boolean', 'array', 'object'];

/** The first of several types; `string` if the schema has no type. */
function typeOf(schema: JsonValue | undefined): string {
  const type = isJsonObject(schema) ? [ownProperty(schema, 'type') ?? null].flat()[0] : undefined;
  if (type === 'integer') return 'number';
  return typeof type === 'string' && fieldTypes.includes(type) ? type : 'string';
}
