import { type FileWatchOptions, fileEvents, type ListenContext, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { machineFiles, ofItem } from '../../shared/binary-files.ts';
import { EventQueue } from '../../shared/listening/event-queue.ts';
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

/** Starts with what happens to a file, or in a folder, of the machine. */
export const localFileTrigger: NodeType = {
  description: {
    displayName: 'Local File Trigger',
    name: 'local-file-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow when files change on the machine that the worker runs on, inside the folders that the operator allows (`FILES_DIR`). With several workers, all of them must share the folder. Changes while no worker listens, such as during a takeover, are not seen',
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
      text('path', 'Path', 'Of the file or folder', { required: true }),
      {
        displayName: 'Watch For',
        name: 'events',
        type: 'multiOptions',
        default: [],
        options: eventChoices,
        description: 'What starts the workflow, in the folder and in those below it',
        ...where({ triggerOn: ['folder'] }),
      },
      options([
        toggle(
          'awaitWriteFinish',
          'Await Write Finish',
          'Whether a file counts once its size has stayed the same for two seconds',
        ),
        toggle('followSymlinks', 'Include Linked Files/Folders', 'Links are not followed; of no effect', { default: true }),
        text('ignored', 'Ignore', 'Paths to leave out, with all below them: a pattern such as `**/*.tmp`, or a text'),
        choice(
          'ignoreMode',
          'Ignore Mode',
          choices(['match', 'Match', 'The pattern'], ['contain', 'Contain', 'Paths that hold the text']),
        ),
        toggle(
          'ignoreInitial',
          'Ignore Existing Files/Folders',
          'Whether what is there when the listener starts does not count as added',
          {
            default: true,
          },
        ),
        atLeast(-1, number('depth', 'Max Folder Depth', -1, 'Folders within folders that are watched; -1: all, 64 at most')),
        toggle(
          'usePolling',
          'Use Polling',
          'Whether each file is looked at every second, for folders of a network, where the system tells of no change',
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

/** Milliseconds between looks. */
const pollMs = 1_000;

function eventsOf(context: ListenContext): string[] {
  if (choiceParameter(context, 'triggerOn', 0, ['file', 'folder'], 'file') === 'file') return ['change'];
  const events = namesParameter(context, 'events', 0);
  if (events.length > 0 && events.every((event) => fileEvents.some((known) => known === event))) return events;
  throw new NodeOperationError(`the parameter "events" must name some of ${fileEvents.join(', ')}`, {
    description: 'Choose events of the list',
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
