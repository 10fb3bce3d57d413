import { type ExecuteContext, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { jwtAlgorithms, signJwt } from '../../credentials/jwt-auth.ts';
import { booleanParameter, numberParameter, objectParameter, textParameter } from '../../shared/parameters.ts';

/** Parameter → registered claim (RFC 7519, 4.1). */
const textClaims = { audience: 'aud', issuer: 'iss', jwtid: 'jti', subject: 'sub' } as const;
/** Parameter in seconds from now → registered claim in seconds since the epoch. */
const timeClaims = { expiresIn: 'exp', notBefore: 'nbf' } as const;

export async function signToken(context: ExecuteContext, itemIndex: number): Promise<string> {
  const nowMs = Date.now();
  const isJson = booleanParameter(context, 'useJson', itemIndex, false);
  const payload = isJson ? objectParameter(context, 'claimsJson', itemIndex) : claimsOf(context, itemIndex, nowMs);
  const keyId = textParameter(context, 'options.kid', itemIndex);
  assertTimes(payload, itemIndex);
  try {
    return await signJwt(await context.credentials('jwtAuth', itemIndex), payload, nowMs, {
      ...algorithmOption(context, itemIndex),
      ...(keyId !== '' && { keyId }),
    });
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new NodeOperationError('the key of the credential does not fit the algorithm', {
      itemIndex,
      description: 'HS algorithms need a passphrase; RS, PS and ES algorithms need a PEM key of their kind',
      cause,
    });
  }
}

/** Refuses times that no recipient accepts. */
function assertTimes(payload: JsonObject, itemIndex: number): void {
  const wrong = ['exp', 'nbf', 'iat'].find((claim) => Object.hasOwn(payload, claim) && typeof payload[claim] !== 'number');
  if (wrong === undefined) return;
  throw new NodeOperationError(`the claim "${wrong}" must be a number`, {
    itemIndex,
    description: 'Write the time as seconds since 1970, without quotes',
  });
}

/** The option that replaces the credential's algorithm, if it is set. */
export function algorithmOption(context: ExecuteContext, itemIndex: number): { algorithm?: string } {
  const algorithm = textParameter(context, 'options.algorithm', itemIndex);
  if (algorithm === '') return {};
  if (jwtAlgorithms.includes(algorithm)) return { algorithm };
  throw new NodeOperationError(`the algorithm "${algorithm}" is not known; allowed: ${jwtAlgorithms.join(', ')}`, {
    itemIndex,
    description: 'Choose one of the allowed algorithms',
  });
}

function claimsOf(context: ExecuteContext, itemIndex: number, nowMs: number): JsonObject {
  const claims: JsonObject = {};
  for (const [name, claim] of Object.entries(textClaims)) {
    const value = textParameter(context, `claims.${name}`, itemIndex);
    if (value !== '') claims[claim] = value;
  }
  for (const [name, claim] of Object.entries(timeClaims)) {
    if (context.parameter(`claims.${name}`, itemIndex) === undefined) continue;
    claims[claim] = Math.floor(nowMs / 1000) + Math.floor(numberParameter(context, `claims.${name}`, itemIndex, 0));
  }
  return claims;
}
