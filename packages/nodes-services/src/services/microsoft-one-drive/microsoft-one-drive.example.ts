import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Uploads text as a file.',
  needs: 'an app registration at Microsoft Entra, and a connected account',
  notes: [
    'Setup: register an app in the [Entra admin center](https://entra.microsoft.com) with the redirect URL of the credential as a **Web** platform,',
    'the delegated permissions `Files.ReadWrite.All` and `offline_access`, and a client secret; store ID and secret in the credential.',
    '',
    'Limits: 250 MB for an upload in one request. The node waits as long as Microsoft requests.',
  ].join('\n'),
  parameters: { fileName: 'a b.txt', fileContent: 'Hello' },
  inputs: [[{}]],
  outputs: [[{ id: 'i1', name: 'a b.txt' }]],
};
