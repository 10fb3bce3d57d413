import { randomBytes } from 'node:crypto';
import {
  type ExecuteContext,
  type HttpAuthentication,
  type HttpRequest,
  httpAuthentication,
  NodeOperationError,
} from '@sluice/node-sdk';
import { createCredentialTypeRegistry } from '../../credentials/credential-type-registry.ts';
import { booleanParameter, choiceParameter, requiredText, unsupported } from '../../shared/parameters.ts';

const credentialTypes = createCredentialTypeRegistry();

/** Where the node names the type of its credential. */
const typeParameters = { genericCredentialType: 'genericAuthType', predefinedCredentialType: 'nodeCredentialType' } as const;

/**
 * The credential of an item's request; `undefined`: it goes without. Throws what `ExecuteContext.credentials` throws, and
 * `NodeOperationError`s for types that nobody ships or that are not for HTTP.
 */
export async function requestAuthentication(
  context: ExecuteContext,
  itemIndex: number,
): Promise<HttpAuthentication | undefined> {
  const kind = choiceParameter(
    context,
    'authentication',
    itemIndex,
    ['none', 'genericCredentialType', 'predefinedCredentialType'],
    'none',
  );
  if (kind === 'none') return undefined;
  if (booleanParameter(context, 'options.sendCredentialsOnCrossOriginRedirect', itemIndex, false)) {
    throw unsupported(
      'sending credentials to where a redirect leads',
      'Give the address that the redirect leads to',
      itemIndex,
    );
  }
  const name = requiredText(context, typeParameters[kind], itemIndex);
  const type = credentialTypes.find(name);
  if (!type) throw unsupported(`the credential type ${name}`, 'Use a generic type: header, query or basic', itemIndex);
  const data = await context.credentials(name, itemIndex);
  const authentication = httpAuthentication(type, data, { http: context.http, now: Date.now, randomBytes });
  if (authentication) return hidingTokens(authentication, context);
  throw new NodeOperationError(`credentials of type ${name} are not for HTTP requests`, { itemIndex });
}

/** What is worked out of the secrets is one too, should a service send it back. */
function hidingTokens(authentication: HttpAuthentication, context: ExecuteContext): HttpAuthentication {
  const { authenticate } = authentication;
  if (!authenticate) return authentication;
  return {
    ...authentication,
    async authenticate(request, signal) {
      const authenticated = await authenticate(request, signal);
      const token = authorization(authenticated).replace(/^\S+\s+/, '');
      if (token !== '') context.hideSecret(token);
      return authenticated;
    },
  };
}

function authorization({ headers = {} }: HttpRequest): string {
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  return [value].flat().join();
}
