import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Fills in the placeholder of a certificate.',
  needs:
    'a Google account, connected by OAuth2 with the scope `presentations`, or a service account that may edit the presentation',
  notes:
    'Enable the Google Slides API in the Google Cloud console. To keep a template, copy it with the Google Drive node first. Google allows 60 changes per minute and user; the node waits when it reaches the limit.',
  parameters: {
    authentication: 'oAuth2',
    operation: 'replaceText',
    presentationId: 'p1',
    textUi: { textValues: [{ text: '[ NAME ]', replaceText: '={{ $json.name }}' }] },
    options: {},
  },
  inputs: [[{ name: 'Ada' }]],
  outputs: [[{ presentationId: 'p1', replies: [{ replaceAllText: { occurrencesChanged: 1 } }] }]],
};
