import { type JsonObject, type JsonValue, mapSliced, type PollContext, TimeSlice } from '@sluice/node-sdk';
import { driveAddress, driveUrl, filePath, fromAllDrives, inAllDrives, quoted } from '../../shared/google-drive.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { markOf, storedTimes, timesIn } from '../../shared/mark.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceNode } from '../../shared/service-item.ts';

/** A file that was added to a folder, or that changed in it. */
interface FolderChange {
  file: JsonObject;
  kind: 'Created' | 'Updated';
}

/** The position of a poll in a drive's changes, and the folder's files. */
interface Position {
  pageToken: string;
  folderId: string;
  /** Empty for My Drive; a shared drive has its own changes. */
  driveId: string;
  files: KnownFiles;
}

const fileFields = 'id,name,mimeType,parents,trashed,modifiedTime';
/** Maximum page size of a file list. */
const filesPerPage = '1000';
const changesPerPage = '500';

/**
 * Pages of changes, and files in the folder, after which a poll stops; the next one continues after
 * them. Each file is fetched, so a poll with many of them would exceed its time limit, and so would
 * every later poll.
 */
const maxPages = 20;
const enoughFiles = 250;

/**
 * Changed files in a folder since the last poll; stores the next position. Derived from the drive's
 * changes: each contains a file's current state, however often it changed.
 */
export async function folderChanges(node: ServiceNode<PollContext>): Promise<FolderChange[]> {
  const { context } = node;
  const position = positionIn(context.cursor) ?? (await firstPosition(node));
  const { pageToken, changes } = context.cursor
    ? await changesSince(node, position)
    : { pageToken: position.pageToken, changes: new Map<string, JsonObject>() };
  const results: FolderChange[] = [];
  const slice = new TimeSlice();
  for (const [id, file] of changes) {
    if (slice.isOver) await slice.next();
    const kind = position.files.note(id, isIn(position.folderId, file) ? timeOf(file) : undefined);
    if (kind) results.push({ file, kind });
  }
  const { folderId, driveId, files } = position;
  context.saveCursor({ pageToken, folderId, driveId, files: files.toJson(node) });
  return results;
}

/**
 * Requests the token before the list: a file that is added between the two requests is in both, and
 * known.
 */
async function firstPosition(node: ServiceNode): Promise<Position> {
  const path = filePath(node.id('folderToWatch', driveAddress));
  const folder = objectOf(await node.send({ path, query: { fields: 'id,driveId', ...inAllDrives } }));
  const [folderId, driveId] = [textOf(folder['id']), textOf(folder['driveId'])];
  const query = { driveId, ...inAllDrives };
  const start = objectOf(await node.send({ path: `${driveUrl}/changes/startPageToken`, query }));
  const files = new KnownFiles();
  for (const file of await filesIn(node, folderId)) files.note(textOf(file['id']), timeOf(file));
  return { pageToken: asText(start['startPageToken'] ?? ''), folderId, driveId, files };
}

function filesIn(node: ServiceNode, folderId: string): Promise<JsonObject[]> {
  const query = {
    q: `${quoted(folderId)} in parents and trashed = false`,
    fields: 'nextPageToken,files(id,modifiedTime)',
    pageSize: filesPerPage,
    ...fromAllDrives,
  };
  const paging = cursorPaging('files', 'nextPageToken', 'pageToken');
  return node.list({ path: `${driveUrl}/files`, query }, paging, Number.POSITIVE_INFINITY);
}

function positionIn(cursor: Readonly<JsonObject> | undefined): Position | undefined {
  if (!cursor) return undefined;
  const { pageToken, folderId, driveId, files } = cursor;
  return { pageToken: textOf(pageToken), folderId: textOf(folderId), driveId: textOf(driveId), files: new KnownFiles(files) };
}

/**
 * File ID → its current state.
 * https://developers.google.com/workspace/drive/api/guides/manage-changes
 */
async function changesSince(
  node: ServiceNode,
  { pageToken: start, folderId, driveId }: Position,
): Promise<{ pageToken: string; changes: Map<string, JsonObject> }> {
  const changes = new Map<string, JsonObject>();
  const common = {
    fields: `nextPageToken,newStartPageToken,changes(fileId,removed,file(${fileFields}))`,
    pageSize: changesPerPage,
    driveId,
    ...fromAllDrives,
  };
  let pageToken = start;
  for (let page = 1; page <= maxPages; page++) {
    const body = objectOf(await node.send({ path: `${driveUrl}/changes`, query: { ...common, pageToken } }));
    await mapSliced(objectsOf(body['changes']), ({ fileId, removed, file }) => {
      if (typeof fileId === 'string') changes.set(fileId, removed === true ? {} : objectOf(file));
    });
    const next = textOf(body['nextPageToken']);
    pageToken = next || textOf(body['newStartPageToken']) || pageToken;
    if (next === '' || filesOf(folderId, changes) >= enoughFiles) break;
  }
  return { pageToken, changes };
}

function filesOf(folderId: string, changes: ReadonlyMap<string, JsonObject>): number {
  let count = 0;
  for (const file of changes.values()) if (isIn(folderId, file)) count++;
  return count;
}

const isIn = (folderId: string, { parents, trashed }: JsonObject): boolean =>
  trashed !== true && Array.isArray(parents) && parents.includes(folderId);

const timeOf = ({ modifiedTime }: JsonObject): number => Date.parse(textOf(modifiedTime)) || 0;

/** Entries that fit into the position of a poll. */
const maxFiles = 40_000;

/** Files in a folder, with their last change times. */
class KnownFiles {
  readonly #times: Map<string, number>;

  constructor(stored: JsonValue = []) {
    this.#times = timesIn(Array.isArray(stored) ? stored.map(asText) : []);
  }

  /** Records a file's state; `undefined` if it is not in the folder. */
  note(id: string, time: number | undefined): FolderChange['kind'] | undefined {
    const mark = markOf(id);
    const old = this.#times.get(mark);
    if (time === undefined) this.#times.delete(mark);
    else this.#times.set(mark, time);
    if (time === undefined || old === time) return undefined;
    return old === undefined ? 'Created' : 'Updated';
  }

  toJson(node: ServiceNode): string[] {
    if (this.#times.size <= maxFiles) return storedTimes(this.#times);
    const description = 'Watch a smaller folder, or move old files to another one';
    throw node.error(`the folder has more than ${maxFiles} files, which a poll cannot remember`, description);
  }
}
