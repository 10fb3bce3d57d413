import type { CredentialTypeSource, NodeProperty, TokenRenewal } from '@sluice/node-sdk';
import { fingerprintProblem, hostKeyFields, needsFirstKey, withFirstKey } from '../../clients/host-keys.ts';
import { fetchHostKey } from '../../clients/ssh-client.ts';
import { flag, port, text } from './properties.ts';

/** Where an SSH server is and which host keys of it are trusted. */
export const sshServer: readonly NodeProperty[] = [
  text('host', 'Host', { required: true }),
  port(22),
  text('username', 'Username', { required: true, keepsSecrets: true }),
  text(hostKeyFields.pinned, 'Host Key Fingerprints', {
    description: 'Fingerprints of the host keys of the server, separated by commas: `SHA256:…`, as `ssh-keygen -l` prints them',
  }),
  flag(hostKeyFields.trustFirst, 'Trust the First Host Key', {
    description: 'Whether to store the host key of the first connection and to refuse any other from then on',
  }),
  {
    displayName: 'Trusted Host Key',
    name: hostKeyFields.trusted,
    type: 'hidden',
    default: {},
    typeOptions: { keepsSecrets: true },
  },
];

/** Fetches the first host key once, for all processes, and stores it in the credential before anyone logs in. */
const renewal: TokenRenewal = {
  isDue: needsFirstKey,
  renew: async (data, ports, signal) => withFirstKey(data, await fetchHostKey(data, ports, signal)),
};

export const sshAbilities: Pick<CredentialTypeSource, 'problemOf' | 'renewal'> = { problemOf: fingerprintProblem, renewal };
