import { type FileWatchOptions, fileEvents, type ListenContext, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { ofItem } from '../../shared/binary-files.ts';
import { EventQueue } from '../../shared/listening/event-queue.ts';
import { machineFiles } from '../../shared/machine-files.ts';
import {
  booleanParameter,
  choiceParameter,
  namesParameter,
  numberParameter,
  requiredText,
  textParameter,
  unsupported,
} from '../../shared/parameters.ts';
import { atLeast, choice, choices, number, options, text, toggle, where } from '../../shared/properties.ts';

const eventChoices = choices(
  ['add', 'File Added'],
  ['change', 'File Changed'],
  ['unlink', 'File Deleted'],
  ['addDir', 'Folder Added'],
  ['unlinkDir', 'Folder Deleted'],
);

/** Starts on changes of a file or folder on this machine. */
export const localFileTrigger: NodeType = {
  description: {
    displayName: 'Local File Trigger',
    name: 'local-file-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow when files change on the machine that the worker runs on, inside the folders that the operator allows (`FILES_DIR`). With several workers, all of them must share the folder. Changes while no worker listens, such as during a takeover, are not detected',
    defaults: { name: 'Local File Trigger' },
    inputs: [],
    outputs: ['main'],
    properties: [
      choice(
        'triggerOn',
        'Trigger On',
        choices(['file', 'Changes to a Specific File'], ['folder', 'Changes Involving a Specific Folder']),
        { default: '' },
      ),
      text('path', 'Path', 'Path of the file or folder', { required: true }),
      {
        displayName: 'Watch For',
        name: 'events',
        type: 'multiOptions',
        default: [],
        options: eventChoices,
        description: 'Events that start the workflow, in the folder and its nested folders',
        ...where({ triggerOn: ['folder'] }),
      },
      options([
        toggle(
          'awaitWriteFinish',
          'Await Write Finish',
          'Whether to wait until the size of a file has not changed for two seconds',
        ),
        toggle('followSymlinks', 'Include Linked Files/Folders', 'Has no effect: links are not followed', { default: true }),
        text('ignored', 'Ignore', 'Paths to ignore, with everything below them: a pattern such as `**/*.tmp`, or a string'),
        choice(
          'ignoreMode',
          'Ignore Mode',
          choices(['match', 'Match', 'The pattern'], ['contain', 'Contain', 'Paths that contain the text']),
        ),
        toggle(
          'ignoreInitial',
          'Ignore Existing Files/Folders',
          'Whether to ignore files that exist when the listener starts',
          {
            default: true,
          },
        ),
        atLeast(-1, number('depth', 'Max Folder Depth', -1, 'Levels of nested folders to watch; -1: all, at most 64')),
        toggle(
          'usePolling',
          'Use Polling',
          'Whether to poll each file every second, for network folders without change notifications',
        ),
      ]),
    ],
    icon: 'fa:folder-open',
    subtitle: '={{ $parameter["path"] }}',
  },
  execute: (context) => [[...context.items()]],
  async trigger(context) {
    const path = requiredText(context, 'path', 0).trim();
    const wanted = eventsOf(context);
    const files = machineFiles(context, 0);
    if (!files.watch) throw unsupported('watching files', 'Read the folder on a schedule');
    const queue = new EventQueue(context);
    const watcher = await ofItem(
      0,
      files.watch(path, {
        ...watchOptions(context),
        onEvent: (event, entry) => {
          if (wanted.includes(event)) queue.push([{ json: { event, path: entry } }], entry.length);
        },
        onError: (error) => context.failed(error),
      }),
    );
    return {
      async close() {
        await watcher.close();
        await queue.drained();
      },
    };
  },
};

/** Interval between polls in milliseconds. */
const pollMs = 1_000;

function eventsOf(context: ListenContext): string[] {
  if (choiceParameter(context, 'triggerOn', 0, ['file', 'folder'], 'file') === 'file') return ['change'];
  const events = namesParameter(context, 'events', 0);
  if (events.length > 0 && events.every((event) => fileEvents.some((candidate) => candidate === event))) return events;
  throw new NodeOperationError(`the parameter "events" must name some of ${fileEvents.join(', ')}`, {
    description: 'Choose events from the list',
  });
}

function watchOptions(context: ListenContext): Omit<FileWatchOptions, 'onEvent' | 'onError'> {
  const depth = numberParameter(context, 'options.depth', 0, -1);
  const ignored = textParameter(context, 'options.ignored', 0);
  const mode = choiceParameter(context, 'options.ignoreMode', 0, ['match', 'contain'], 'match');
  return {
    ...(depth >= 0 && { depth: Math.floor(depth) }),
    ...(ignored !== '' && { ignored: mode === 'match' ? { glob: ignored } : { text: ignored } }),
    includesExisting: !booleanParameter(context, 'options.ignoreInitial', 0, true),
    awaitsWrites: booleanParameter(context, 'options.awaitWriteFinish', 0, false),
    ...(booleanParameter(context, 'options.usePolling', 0, false) && { pollMs }),
  };
}
