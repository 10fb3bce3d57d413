import openapiTS, { astToString } from 'openapi-typescript';

const head = `/** Made from docs/api/openapi.json by \`./dev api:write\`; not to be edited. */
`;

/**
 * The types of a document, as TypeScript source. The generator needs the compiler of TypeScript 5, which is a dependency of this
 * package alone.
 */
export async function renderTypes(document: object): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(document, withoutExamples), {
    alphabetize: false,
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
  });
  return `${head}${astToString(nodes)}`;
}

/** Examples of bodies, parameters, and headers are longer than their types; readers find them in the document. */
function withoutExamples(_key: string, value: unknown): unknown {
  const describesContent = typeof value === 'object' && value !== null && 'schema' in value;
  return describesContent ? { ...value, example: undefined, examples: undefined } : value;
}
