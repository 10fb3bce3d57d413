import type { CredentialTypeDefinition, NodeProperty, TokenRenewal } from '@sluice/node-sdk';
import { fingerprintProblem, hostKeyFields, needsFirstKey, withFirstKey } from '../../clients/host-keys.ts';
import { fetchHostKey } from '../../clients/ssh-client.ts';
import { flag, port, text } from './properties.ts';

/** Address of an SSH server and its trusted host keys. */
export const sshServer: readonly NodeProperty[] = [
  text('host', 'Host', { required: true }),
  port(22),
  text('username', 'Username', { required: true, keepsSecrets: true }),
  text(hostKeyFields.pinned, 'Host Key Fingerprints', {
    pinsDestination: true,
    description: 'Fingerprints of the server’s host keys, separated by commas: `SHA256:…`, as printed by `ssh-keygen -l`',
  }),
  flag(hostKeyFields.trustFirst, 'Trust the First Host Key', {
    description: 'Whether to store the host key of the first connection and reject any other afterwards',
  }),
  {
    displayName: 'Trusted Host Key',
    name: hostKeyFields.trusted,
    type: 'hidden',
    default: {},
    typeOptions: { pinsDestination: true },
  },
];

/**
 * Fetches the first host key once for all processes, and stores it in the credential before any
 * login.
 */
const renewal: TokenRenewal = {
  isDue: needsFirstKey,
  renew: async (data, ports, signal) => withFirstKey(data, await fetchHostKey(data, ports, signal)),
};

export const sshAbilities: Pick<CredentialTypeDefinition, 'problemOf' | 'renewal'> = { problemOf: fingerprintProblem, renewal };
