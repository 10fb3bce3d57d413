import type { ExecuteContext, HttpAuthentication, HttpTls, UnsupportedUse } from '@sluice/node-sdk';
import { certificatesOf } from '../../shared/http/client-certificates.ts';
import { legacyAuthentication } from '../../shared/http/legacy-authentication.ts';
import { booleanParameter, choiceParameter, refuseUnsupported, requiredText } from '../../shared/parameters.ts';

/** Parameter that contains the credential type. */
const typeParameters = { genericCredentialType: 'genericAuthType', predefinedCredentialType: 'nodeCredentialType' } as const;

export const unsupportedUses: readonly UnsupportedUse[] = [
  {
    parameter: 'options.sendCredentialsOnCrossOriginRedirect',
    what: 'sending credentials to the target of a redirect',
    hint: 'Use the address that the redirect leads to',
  },
];

/**
 * The credential of an item's request; `undefined` if the request has no credential. Throws as
 * `ExecuteContext.authentication` does.
 */
export async function requestAuthentication(
  context: ExecuteContext,
  itemIndex: number,
): Promise<HttpAuthentication | undefined> {
  const type = credentialType(context, itemIndex);
  if (type === undefined) return undefined;
  refuseUnsupported(context, unsupportedUses, itemIndex);
  return context.authentication(type, itemIndex);
}

function credentialType(context: ExecuteContext, itemIndex: number): string | undefined {
  if (context.typeVersion === 1) {
    const legacy = Object.keys(legacyAuthentication) as (keyof typeof legacyAuthentication)[];
    const kind = choiceParameter(context, 'authentication', itemIndex, ['none', ...legacy], 'none');
    return kind === 'none' ? undefined : legacyAuthentication[kind];
  }
  const kinds = ['none', 'genericCredentialType', 'predefinedCredentialType'] as const;
  const kind = choiceParameter(context, 'authentication', itemIndex, kinds, 'none');
  return kind === 'none' ? undefined : requiredText(context, typeParameters[kind], itemIndex);
}

/**
 * The node's client certificates; `undefined` if it has no certificates. Throws as
 * `ExecuteContext.credentials` does.
 */
export async function requestCertificates(context: ExecuteContext, itemIndex: number): Promise<HttpTls | undefined> {
  if (context.typeVersion < 3 || !booleanParameter(context, 'provideSslCertificates', itemIndex, false)) return undefined;
  return certificatesOf(await context.credentials('httpSslAuth', itemIndex));
}
