import { expect, test } from '@jest/globals';
import { AppError, type FileWatchOptions, type JsonObject } from '@sluice/node-sdk';
import { type FakeListener, listen } from '@sluice/node-sdk/testing';
import { eventually } from '@sluice/test-support';
import { memoryFiles } from '../../testing/memory-files.ts';
import { example } from './example.ts';
import { localFileTrigger } from './local-file-trigger.ts';

/** A folder whose events the test emits. */
function folder() {
  const watched: { path: string; options: FileWatchOptions; isClosed: boolean }[] = [];
  const files = {
    ...memoryFiles(new Map()),
    async watch(path: string, options: FileWatchOptions) {
      const entry = { path, options, isClosed: false };
      watched.push(entry);
      return {
        async close() {
          entry.isClosed = true;
        },
      };
    },
  };
  return { files, watched };
}

const jsonOf = ({ events }: FakeListener) => events.map(({ items }) => items.map(({ json }) => json));

test('the example works', async () => {
  const { files, watched } = folder();
  const listener = await listen(localFileTrigger, { files, parameters: example.parameters });
  expect(watched[0]).toMatchObject({ path: '/files/inbox', options: { awaitsWrites: true, ignored: { glob: '**/*.tmp' } } });
  watched[0]?.options.onEvent('add', '/files/inbox/order.csv');
  watched[0]?.options.onEvent('change', '/files/inbox/order.csv');
  await eventually(() => expect(jsonOf(listener)).toEqual(example.outputs));
  await listener.close();
  expect(watched[0]?.isClosed).toBe(true);
});

test('changes of a single file start the workflow', async () => {
  const { files, watched } = folder();
  const listener = await listen(localFileTrigger, { files, parameters: { triggerOn: 'file', path: 'a.txt' } });
  for (const event of ['add', 'change', 'unlink'] as const) watched[0]?.options.onEvent(event, '/files/a.txt');
  await eventually(() => expect(jsonOf(listener)).toEqual([[{ event: 'change', path: '/files/a.txt' }]]));
  watched[0]?.options.onError(new Error('gone'));
  expect(listener.failures).toEqual([new Error('gone')]);
});

test.each<[JsonObject, Partial<FileWatchOptions>]>([
  [{}, { includesExisting: false, awaitsWrites: false }],
  [
    { ignoreInitial: false, depth: 2 },
    { includesExisting: true, depth: 2 },
  ],
  [{ ignored: 'tmp', ignoreMode: 'contain' }, { ignored: { text: 'tmp' } }],
  [{ usePolling: true }, { pollMs: 1_000 }],
])('the options %j mean %j', async (options, expected) => {
  const { files, watched } = folder();
  await listen(localFileTrigger, { files, parameters: { triggerOn: 'folder', path: '.', events: ['add'], options } });
  expect(watched[0]?.options).toMatchObject(expected);
});

test('a path that cannot be watched prevents the start', async () => {
  const { files } = folder();
  const start = (parameters: JsonObject, access = files) => listen(localFileTrigger, { files: access, parameters });
  await expect(listen(localFileTrigger, { parameters: { path: 'a' } })).rejects.toMatchObject({ code: 'FILE_NOT_ALLOWED' });
  await expect(start({ triggerOn: 'folder', path: 'a' })).rejects.toThrow('"events"');
  await expect(start({ triggerOn: 'folder', path: 'a', events: ['explode'] })).rejects.toThrow('"events"');
  const outside = async () => {
    throw new AppError({ code: 'FILE_NOT_ALLOWED', message: 'outside' });
  };
  await expect(start({ path: '/etc' }, { ...files, watch: outside })).rejects.toMatchObject({
    code: 'FILE_NOT_ALLOWED',
    description: expect.stringContaining('FILES_DIR'),
  });
});
