import {
  type AnswerChallenge,
  credentialText,
  defineCredentialType,
  headerText,
  optionalCredentialText,
  signedBody,
  withHeaders,
} from '@sluice/node-sdk';
import { digestAuthorization, strongestChallenge } from './shared/digest.ts';
import { secret, testUrl, text } from './shared/properties.ts';
import { ownUrlTest } from './shared/service-test.ts';

/** Size of a client nonce in bytes. */
const cnonceBytes = 33;

const answerChallenge: AnswerChallenge = (request, response, data, { randomBytes }) => {
  const challenge = strongestChallenge(headerText(response.headers, 'www-authenticate'));
  if (!challenge) return undefined;
  const { pathname, search } = new URL(request.url);
  const authorization = digestAuthorization(challenge, {
    user: credentialText(data, 'user'),
    password: optionalCredentialText(data, 'password'),
    method: request.method,
    uri: pathname + search,
    body: () => signedBody(request) ?? '',
    cnonce: Buffer.from(randomBytes(cnonceBytes)).toString('base64'),
  });
  return withHeaders(request, [['authorization', authorization]]);
};

/** HTTP Digest: sends credentials only after the server's challenge with a nonce. */
export const httpDigestAuth = defineCredentialType({
  name: 'httpDigestAuth',
  displayName: 'Digest Auth',
  documentation: 'https://www.rfc-editor.org/rfc/rfc7616',
  properties: [text('user', 'User', { keepsSecrets: true, required: true }), secret('password', 'Password'), testUrl],
  answerChallenge,
  test: ownUrlTest({ answerChallenge }),
});
