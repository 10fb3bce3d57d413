import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'google-drive': () => [
    {
      name: 'a large text',
      parameters: { operation: 'createFromText', content: 'ä'.repeat(30_000_000), options: {} },
      answer: () => '{"id":"1"}',
    },
    {
      name: 'many types',
      parameters: {
        resource: 'fileFolder',
        operation: 'search',
        filter: { fileTypes: Array.from({ length: 200_000 }, (_, id) => `application/x-${id}`) },
      },
      answer: () => '{"files":[]}',
    },
    {
      name: 'many fields',
      parameters: { operation: 'update', fileId: 'f', options: { fields: 'ä,'.repeat(2_000_000) } },
      answer: accepted,
    },
  ],
  'google-drive-trigger': () => [
    {
      name: 'many changes',
      parameters: { triggerOn: 'specificFolder', folderToWatch: 'f', event: 'fileUpdated', options: {} },
      cursor: { pageToken: '1', folderId: 'f', driveId: '', files: [] },
      answer: () => `{"changes":[${driveChanges(200_000)}]}`,
    },
  ],
};

function driveChanges(count: number): string {
  return Array.from({ length: count }, (_, id) => `{"fileId":"f${id}","file":{"id":"f${id}","parents":["f"]}}`).join();
}
