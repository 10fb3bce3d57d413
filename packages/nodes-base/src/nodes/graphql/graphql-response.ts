import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeApiError,
  NodeOperationError,
} from '@sluice/node-sdk';
import { setOwn } from '../../shared/field-path.ts';
import { parseJsonBody } from '../../shared/http/json-body.ts';
import { choiceParameter, textParameter } from '../../shared/parameters.ts';

/** Maximum number of a response's errors in the details. */
const shownErrors = 10;
const notJsonHint = 'Check the endpoint; set "Response Format" to String to see the response';

/**
 * A response's JSON. Throws a `NodeApiError` with the messages of a response that has errors, with
 * or without partial data.
 */
export async function readGraphqlResponse(context: ExecuteContext, text: string, itemIndex: number): Promise<JsonObject> {
  const format = choiceParameter(context, 'responseFormat', itemIndex, ['json', 'string'], 'json');
  const json: JsonObject = {};
  if (format === 'string') {
    setOwn(json, textParameter(context, 'dataPropertyName', itemIndex) || 'data', text);
    return json;
  }
  const response = await parseJsonBody(text, itemIndex, notJsonHint);
  if (!isJsonObject(response))
    throw new NodeOperationError('the response is not GraphQL: it is not a JSON object', {
      itemIndex,
      description: 'Check that the endpoint belongs to a GraphQL service',
    });
  const { errors } = response;
  if (Array.isArray(errors) && errors.length > 0) throw graphqlError(errors, itemIndex);
  return response;
}

function graphqlError(errors: readonly JsonValue[], itemIndex: number): NodeApiError {
  const messages = errors.slice(0, shownErrors).map((error) => {
    const message = isJsonObject(error) ? error['message'] : error;
    return typeof message === 'string' ? message : 'an error without a message';
  });
  return new NodeApiError(`the service returned with errors: ${messages.join('; ')}`, {
    itemIndex,
    description: 'Check the query and its variables',
    details: { errors: errors.slice(0, shownErrors) as JsonValue[] },
  });
}
