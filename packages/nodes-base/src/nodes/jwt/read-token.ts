import { isJsonObject, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';

interface TokenParts {
  header: JsonObject;
  payload: JsonObject;
  /** Base64url, as in the token. */
  signature: string;
}

/**
 * Maximum number of characters in a token: far more than any service accepts, and few enough to be
 * parsed at once.
 */
const maxLength = 1_000_000;

/**
 * The parts of a token in the compact form `header.payload.signature`; nothing is verified. Throws
 * `NodeOperationError`.
 */
export function readToken(token: string, itemIndex: number): TokenParts {
  if (token.length > maxLength) throw invalid(itemIndex);
  const [header, payload, signature, ...rest] = token.split('.');
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) throw invalid(itemIndex);
  return { header: objectOf(header, itemIndex), payload: objectOf(payload, itemIndex), signature };
}

function objectOf(part: string, itemIndex: number): JsonObject {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as JsonValue;
    if (isJsonObject(value)) return value;
  } catch {
    // Not JSON: the same as any other part that is not an object.
  }
  throw invalid(itemIndex);
}

function invalid(itemIndex: number): NodeOperationError {
  return new NodeOperationError('the token is not a JSON Web Token', {
    itemIndex,
    description: `A token has three parts, separated by dots: header, payload, and signature; at most ${maxLength} characters`,
  });
}
