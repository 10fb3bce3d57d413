import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Translates text into German.',
  needs: 'a Google account, connected by OAuth2 with the scope `cloud-translation`, or a service account',
  notes:
    'Enable the Cloud Translation API in the Google Cloud console; the project needs a billing account. Text may have at most 30,000 characters.',
  parameters: { text: 'Hello', translateTo: 'de' },
  inputs: [[{}]],
  outputs: [[{ translatedText: 'Hallo', detectedSourceLanguage: 'en' }]],
};
