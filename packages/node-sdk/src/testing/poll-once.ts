import type { Item, JsonObject } from '@sluice/domain';
import type { NodeType } from '../node-type.ts';
import { type PollContext, pollOutputs } from '../triggers/poll.ts';
import { type FakeFiles, type FakeSource, fakeSourceContext } from './fake-source.ts';

/** The result of one poll. */
export interface FakePoll {
  /** Items of the first output. Empty if the poll returned `null`. */
  items: readonly Item[];
  /** Items of all outputs. */
  outputs: readonly (readonly Item[] | null)[];
  /** The cursor of the next poll. */
  cursor: JsonObject | undefined;
  files: FakeFiles;
}

/**
 * Polls once, as a process does for an active workflow. Pass `cursor` in again for the next poll.
 */
export async function pollOnce(
  type: NodeType,
  source: FakeSource & Partial<Pick<PollContext, 'mode'>> = {},
): Promise<FakePoll> {
  if (!type.poll) throw new TypeError(`${type.description.name} has no poll`);
  const files: FakeFiles = new Map();
  let { cursor } = source;
  const result = await type.poll({
    ...fakeSourceContext(source, type.description.version, files),
    mode: source.mode ?? 'trigger',
    signal: source.signal ?? new AbortController().signal,
    saveCursor: (next) => {
      cursor = structuredClone(next);
    },
  });
  const outputs = pollOutputs(result);
  return { items: outputs[0] ?? [], outputs, cursor, files };
}
