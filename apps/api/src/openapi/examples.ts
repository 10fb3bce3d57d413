import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';

/**
 * An example of a contract schema: its own, or an example composed of its parts. `name`: name of
 * the property or parameter that has the schema.
 */
export function exampleOf(schema: object, name = ''): JsonValue {
  const { examples: [declared] = [] } = schema as { examples?: readonly JsonValue[] };
  return declared ?? made(schema as JsonObject, name);
}

function made(schema: JsonObject, name: string): JsonValue {
  for (const keyword of ['const', 'default']) if (keyword in schema) return schema[keyword] as JsonValue;
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as JsonValue;
  if (Array.isArray(schema['anyOf'])) return exampleOf(schema['anyOf'][0] as object, name);
  return byType(schema, name);
}

function byType(schema: JsonObject, name: string): JsonValue {
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  if (type === 'object') return objectExample(schema);
  if (type === 'array') return isJsonObject(schema['items']) ? [exampleOf(schema['items'], name)] : [];
  if (type === 'boolean') return false;
  if (type === 'null') return null;
  if (type === 'string') return schema['format'] === 'date-time' ? wordExamples.instant : (wordFor(name) ?? 'text');
  return (schema['minimum'] as number | undefined) ?? 1;
}

function objectExample({ properties = {} }: JsonObject): JsonObject {
  const entries = Object.entries(properties as JsonObject);
  return Object.fromEntries(entries.map(([name, schema]) => [name, exampleOf(schema as object, name)]));
}

function wordFor(name: string): string | undefined {
  return Object.hasOwn(wordExamples, name) ? wordExamples[name as keyof typeof wordExamples] : undefined;
}

/** Values that examples of any schema use, by the name of the property. */
export const wordExamples = {
  instant: '2026-11-20T09:30:00.000Z',
  id: '2tUt1wbLX592XDdX',
  workflowId: '2tUt1wbLX592XDdX',
  versionId: 'vM0Z5qUe1nGd7RsT',
  activeVersionId: 'vM0Z5qUe1nGd7RsT',
  executionId: '1042',
  binaryId: '5f0d3c9a7be1482690d4f3b17ac85e2d6b90f4c81e37a52d',
  credentialId: '6bR2kYw9cNf4TzLm',
  projectId: 'KhXb0Dp6ZyVt8uQa',
  personalProjectId: 'KhXb0Dp6ZyVt8uQa',
  destinationProjectId: 'Jc3Lw8EoPq5Xr1Hs',
  shareWithIds: 'Jc3Lw8EoPq5Xr1Hs',
  columnId: '17',
  userId: 'Ua4Fg7Ti0MbWn6Cy',
  authorId: 'Ua4Fg7Ti0MbWn6Cy',
  tags: 'Gd9Sx2Vk5QeHj3Zo',
  ids: '1042',
  email: 'ada@example.com',
  name: 'Greet',
  workflowName: 'Greet',
  label: 'deployment',
  description: 'greets the caller',
  nodeName: 'Set',
  apiKey: 'sluice_3fQ********Zk2L',
  rawApiKey: 'sluice_3fQ9mTn7Yc0WvJx5KpRb8EdHs2LaPw6UiGoXn1ZtBcMyZk2L',
  type: 'httpBasicAuth',
  message: 'the connection works',
} as const satisfies Record<string, string>;
