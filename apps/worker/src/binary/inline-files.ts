import {
  type BinaryReference,
  type Item,
  isItem,
  isJsonObject,
  type JsonValue,
  type NodeOutput,
  type NodeRun,
  type NodeRunRecord,
  type PinnedItem,
  TimeSlice,
  userKeyed,
} from '@sluice/domain';
import type { RunRequest } from '@sluice/engine';
import type { BinaryAccess } from '@sluice/node-sdk';

/** Items processed between two checks of the clock. */
const clockInterval = 64;

/** The parts of a `RunRequest` that contain items from users. */
type UserItems = Pick<RunRequest, 'graph' | 'mode' | 'start'>;

/**
 * Prepares pinned and sent items for a run: base64 data inside an item (`binary.<name>.data`), as
 * in exports of other systems, is stored as a file of the execution. Other values that are not
 * references are omitted. For a pinned node that has run, `done` contains its items, with the files
 * that an earlier attempt stored. Returns the same objects if nothing changes.
 */
export async function storeInlineFiles(
  { graph, mode, start }: UserItems,
  files: BinaryAccess,
  done: readonly NodeRunRecord[] = [],
): Promise<UserItems> {
  const { pinData } = graph;
  const { runData } = start;
  const firstRuns = new Map(done.toReversed().map((record) => [record.nodeName, record]));
  const storedIn = (name: string) => outputOf(firstRuns.get(name));
  const storePins = (items: PinnedItem[], name: string) => {
    const stored = storedIn(name);
    return stored && hasInline(items) ? stored : storePinned(items, files);
  };
  const pinned =
    pinData && mode === 'manual' ? await mapValues(pinData, async (items, name) => storePins(items, name)) : pinData;
  const stored = runData && (await mapValues(runData, (runs) => mapSome(runs, (run) => storeRun(run, files))));
  return {
    graph: pinned === pinData || !pinned ? graph : { ...graph, pinData: pinned },
    mode,
    start: stored === runData || !stored ? start : { ...start, runData: stored },
  };
}

function outputOf(record: NodeRunRecord | undefined): Item[] | undefined {
  return record?.run.truncated ? undefined : (record?.run.data?.['main']?.[0] ?? undefined);
}

function hasInline(items: readonly PinnedItem[]): boolean {
  return items.some((item) => isItem(item) && item.binary !== undefined && !hasOnlyReferences(item.binary));
}

async function storeRun(run: NodeRun, files: BinaryAccess): Promise<NodeRun> {
  if (!run.data) return run;
  const data = await mapValues(run.data, (outputs: NodeOutput) =>
    mapSome(outputs, async (items) => items && storeItems(items, files)),
  );
  return data === run.data ? run : { ...run, data };
}

function storeItems(items: Item[], files: BinaryAccess): Promise<Item[]> {
  return mapSome(items, (item) => storeItem(item, files));
}

function storePinned(items: PinnedItem[], files: BinaryAccess): Promise<PinnedItem[]> {
  return mapSome(items, (item) => (isItem(item) ? storeItem(item, files) : item));
}

function storeItem(item: Item, files: BinaryAccess): Item | Promise<Item> {
  return item?.binary === undefined || hasOnlyReferences(item.binary) ? item : withStored(item, files);
}

async function withStored({ binary, ...rest }: Item, files: BinaryAccess): Promise<Item> {
  const stored = await storeEntries(binary, files);
  return stored.length > 0 ? { ...rest, binary: Object.fromEntries(stored) } : rest;
}

async function storeEntries(binary: unknown, files: BinaryAccess): Promise<[string, BinaryReference][]> {
  const stored: [string, BinaryReference][] = [];
  for (const [name, value] of Object.entries(isJsonObject(binary) ? binary : {})) {
    if (isReference(value)) stored.push([name, value]);
    else if (isJsonObject(value) && typeof value['data'] === 'string') {
      const { data, fileName, mimeType } = value;
      const description = { ...textOf('fileName', fileName), ...textOf('mimeType', mimeType) };
      stored.push([name, await files.store(Buffer.from(data as string, 'base64'), description)]);
    }
  }
  return stored;
}

function hasOnlyReferences(binary: unknown): boolean {
  return isJsonObject(binary) && Object.values(binary).every(isReference);
}

function isReference(value: unknown): value is BinaryReference & { [key: string]: JsonValue } {
  return isJsonObject(value) && typeof value['id'] === 'string' && typeof value['mimeType'] === 'string';
}

function textOf<Name extends string>(name: Name, value: unknown): { [key in Name]?: string } {
  return typeof value === 'string' ? ({ [name]: value } as { [key in Name]: string }) : {};
}

/**
 * The same array if nothing changes. Sequential, to limit the bytes in flight, and in time slices:
 * awaiting items without files does not yield to other work.
 */
async function mapSome<T>(values: T[], change: (value: T) => T | Promise<T>): Promise<T[]> {
  const slice = new TimeSlice();
  let changed: T[] | undefined;
  for (const [index, value] of values.entries()) {
    const changing = change(value);
    const next = changing instanceof Promise ? await changing : changing;
    if (next !== value) {
      changed ??= [...values];
      changed[index] = next;
    }
    if (index % clockInterval === 0 && slice.isOver) await slice.next();
  }
  return changed ?? values;
}

async function mapValues<T>(
  record: Record<string, T>,
  change: (value: T, name: string) => Promise<T>,
): Promise<Record<string, T>> {
  const entries = Object.entries(record);
  const changed = await mapSome(entries, async (entry) => {
    const [name, value] = entry;
    const next = await change(value, name);
    return next === value ? entry : ([name, next] as [string, T]);
  });
  return changed === entries ? record : userKeyed(changed);
}
