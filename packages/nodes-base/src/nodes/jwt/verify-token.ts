import { type ExecuteContext, isAppError, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { forbiddenHeader, verifyJwtSignature } from '../../credentials/jwt-auth.ts';
import { stringOf } from '../../shared/coerced-text.ts';
import { booleanParameter, numberParameter } from '../../shared/parameters.ts';
import { readToken } from './read-token.ts';
import { algorithmOption } from './sign-token.ts';

/** Throws `NodeOperationError` unless the signature is valid and the token is valid now. */
export async function verifyToken(context: ExecuteContext, token: string, itemIndex: number): Promise<void> {
  const { header, payload } = readToken(token, itemIndex);
  refuseHeader(header, itemIndex);
  const { algorithm } = algorithmOption(context, itemIndex);
  const data = await context.credentials('jwtAuth', itemIndex);
  try {
    await verifyJwtSignature(data, token, algorithm);
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    throw new NodeOperationError('the signature of the token is not valid', {
      itemIndex,
      description: 'Check that the credential’s key and algorithm match the sender’s',
      cause,
    });
  }
  checkTimes(context, payload, itemIndex);
}

function refuseHeader(header: JsonObject, itemIndex: number): void {
  const name = forbiddenHeader(header);
  if (name === undefined) return;
  throw new NodeOperationError(`the header "${name}" of the token is not supported`, {
    itemIndex,
    description: 'Ask the sender for a token without header extensions',
  });
}

function checkTimes(context: ExecuteContext, payload: JsonObject, itemIndex: number): void {
  const now = Date.now() / 1000;
  const tolerance = numberParameter(context, 'options.clockTolerance', itemIndex, 0);
  const refuse = (message: string) => {
    const description = 'Ask the sender for a new token, or ignore the time with the node’s options';
    throw new NodeOperationError(message, { itemIndex, description });
  };
  const { exp, nbf } = payload;
  if (exp !== undefined && !booleanParameter(context, 'options.ignoreExpiration', itemIndex, false)) {
    if (typeof exp !== 'number') refuse('the claim "exp" of the token is not a number');
    else if (now >= exp + tolerance) refuse(`the token expired at ${timeText(exp)}`);
  }
  if (nbf !== undefined && !booleanParameter(context, 'options.ignoreNotBefore', itemIndex, false)) {
    if (typeof nbf !== 'number') refuse('the claim "nbf" of the token is not a number');
    else if (now < nbf - tolerance) refuse(`the token is not valid before ${timeText(nbf)}`);
  }
}

function timeText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? stringOf(seconds) : date.toISOString();
}
