import { credentialText, defineCredentialType, errorMessage, type TestCredential } from '@sluice/node-sdk';
import { secret, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

/** There is no service to contact; the test only decodes the secret. */
const test: TestCredential = async (data) => {
  const { Secret } = await import('otpauth');
  try {
    Secret.fromBase32(credentialText(data, 'secret'));
  } catch (error) {
    return { status: 'Error', message: `the secret is not valid Base32: ${errorMessage(error)}` };
  }
  return succeeded('the secret is valid Base32; no service was contacted');
};

/** The shared secret of time-based one-time passwords (RFC 6238). */
export const totpApi = defineCredentialType({
  name: 'totpApi',
  displayName: 'TOTP',
  documentation: 'https://www.rfc-editor.org/rfc/rfc6238',
  properties: [
    secret('secret', 'Secret', { required: true, description: 'Base32, as in the service’s QR code' }),
    text('label', 'Label', { description: 'The account, such as `GitHub:john`; helps users identify the secret' }),
  ],
  test,
});
