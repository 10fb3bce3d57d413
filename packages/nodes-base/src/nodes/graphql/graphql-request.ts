import {
  type ExecuteContext,
  type HttpRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
  userKeyed,
} from '@sluice/node-sdk';
import { coercedText } from '../../shared/coerced-text.ts';
import { legacyAuthentication } from '../../shared/http/legacy-authentication.ts';
import { plainText, withQuery } from '../../shared/http/text-values.ts';
import {
  booleanParameter,
  choiceParameter,
  listParameter,
  parseDataParameter,
  requiredText,
  textParameter,
  wrongParameter,
} from '../../shared/parameters.ts';

/**
 * The request that the parameters describe, with its credential. Throws `NodeOperationError`s that
 * contain the parameter name.
 */
export async function graphqlRequest(context: ExecuteContext, itemIndex: number): Promise<HttpRequest> {
  const method = choiceParameter(context, 'requestMethod', itemIndex, ['GET', 'POST'], 'POST');
  const endpoint = requiredText(context, 'endpoint', itemIndex).trim();
  const query = requiredText(context, 'query', itemIndex);
  const { body, contentType } =
    method === 'POST' ? await queryBody(context, query, itemIndex) : { body: undefined, contentType: '' };
  const credential = credentialType(context, itemIndex);
  return {
    method,
    url: method === 'GET' ? withQuery(endpoint, [['query', query]], 'repeat') : endpoint,
    headers: userKeyed([
      ['accept', 'application/json'],
      ...(contentType === '' ? [] : [['content-type', contentType] as const]),
      ...ownHeaders(context, itemIndex),
    ]),
    ...(body !== undefined && { body }),
    maxRedirects: 5,
    ...(booleanParameter(context, 'allowUnauthorizedCerts', itemIndex, false) && { tls: { rejectUnauthorized: false } }),
    ...(credential !== undefined && { authentication: await context.authentication(credential, itemIndex) }),
  };
}

function credentialType(context: ExecuteContext, itemIndex: number): string | undefined {
  const legacy = Object.keys(legacyAuthentication) as (keyof typeof legacyAuthentication)[];
  const kinds = ['none', 'predefinedCredentialType', ...legacy] as const;
  const kind = choiceParameter(context, 'authentication', itemIndex, kinds, 'none');
  if (kind === 'none') return undefined;
  return kind === 'predefinedCredentialType'
    ? requiredText(context, 'nodeCredentialType', itemIndex)
    : legacyAuthentication[kind];
}

async function queryBody(
  context: ExecuteContext,
  query: string,
  itemIndex: number,
): Promise<{ body: string; contentType: string }> {
  const initial = context.typeVersion === 1 ? 'graphql' : 'json';
  const format = choiceParameter(context, 'requestFormat', itemIndex, ['graphql', 'json'], initial);
  if (format === 'graphql') return { body: query, contentType: 'application/graphql' };
  const operationName = textParameter(context, 'operationName', itemIndex);
  const variables = await readVariables(context, itemIndex);
  const body = { query, variables, ...(operationName !== '' && { operationName }) };
  return { body: await stringifyJson(body, { signal: context.signal }), contentType: 'application/json' };
}

async function readVariables(context: ExecuteContext, itemIndex: number): Promise<JsonObject> {
  const parameter = context.parameter<JsonValue>('variables', itemIndex) ?? {};
  const isText = typeof parameter === 'string';
  const value =
    isText && parameter.trim() === '' ? {} : isText ? await parseDataParameter('variables', parameter, itemIndex) : parameter;
  if (value === null) return {};
  if (isJsonObject(value)) return value;
  throw wrongParameter('variables', 'a JSON object', value, itemIndex);
}

function ownHeaders(context: ExecuteContext, itemIndex: number): [string, string][] {
  return listParameter(context, 'headerParametersUi.parameter', itemIndex)
    .map(({ name, value }): [string, string] => [coercedText(name).trim().toLowerCase(), plainText(value ?? '').trim()])
    .filter(([name]) => name !== '');
}
