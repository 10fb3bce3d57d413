import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends a notification.',
  needs: 'a Gotify server, the token of an application (Apps) to send, and the token of a client (Clients) to list and delete',
  notes:
    'A message is stored at the server until it is deleted. Android clients make a sound from priority 4, and an alarm from 8. Markdown from other sources may load images.',
  parameters: { message: 'The backup is complete.', additionalFields: { title: 'Backup', priority: 5 } },
  inputs: [[{}]],
  outputs: [[{ id: 7, appid: 1, message: 'The backup is complete.', title: 'Backup', priority: 5 }]],
};
