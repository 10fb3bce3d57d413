import openapiTS, { astToString } from 'openapi-typescript';

const head = `/** Made from docs/api/openapi.json by \`./dev api:write\`; not to be edited. */
`;

/**
 * The types of a document, as TypeScript source. The generator needs the compiler of TypeScript 5,
 * which is a dependency of this package alone.
 */
export async function renderTypes(document: object): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(document, withoutDetails), {
    alphabetize: false,
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
  });
  return `${head}${astToString(nodes)}`;
}

/**
 * Omits parts that callers do not need to compile: response headers, which the client does not
 * type, and examples, which are longer than the types. Readers find both in the document.
 */
function withoutDetails(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const describesValue = 'schema' in value;
  const describesResponse = 'description' in value && 'headers' in value;
  return {
    ...value,
    ...(describesValue && { example: undefined, examples: undefined }),
    ...(describesResponse && { headers: undefined }),
  };
}
